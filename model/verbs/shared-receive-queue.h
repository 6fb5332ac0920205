// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/receive-queue.h"

#include <cstdint>
#include <utility>

namespace ns3::rdma
{

/**
 * Receive requests that several queue pairs take from, and the limit that tells of too few.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.2.9 (shared receive queues); ibv_create_srq(3),
 *       ibv_modify_srq(3)
 */
class SharedReceiveQueue
{
  public:
    SharedReceiveQueue(uint32_t maxRequests, uint32_t maxElements)
        : m_requests{maxRequests, maxElements}
    {
    }

    ReceiveQueue& GetRequests()
    {
        return m_requests;
    }

    /** Arms the limit; 0: not. */
    void SetLimit(uint32_t limit)
    {
        m_limit = limit;
    }

    /** Whether fewer requests than the limit are left; true once, then it has to be set again. */
    bool TakeLimitEvent()
    {
        return m_requests.GetCount() < m_limit && std::exchange(m_limit, 0U) != 0;
    }

  private:
    ReceiveQueue m_requests;
    uint32_t m_limit{0};
};

} // namespace ns3::rdma
