// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/growing-ring.h"
#include "verbs/send-request.h"
#include "verbs/verbs-error.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ns3::rdma
{

/** A posted receive, as the responder takes it. */
struct ReceiveEntry
{
    uint64_t wrId{0};
    std::vector<ScatterGatherElement> sgList; ///< its capacity is reused
};

/**
 * Receive requests in the order in which they were posted: the queue of one queue pair, or a
 * shared one.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.8.3
 */
class ReceiveQueue
{
  public:
    /**
     * @param maxRequests entries that it holds (max_recv_wr); 0: none can be posted
     * @param maxElements pieces of each (max_recv_sge)
     */
    ReceiveQueue(uint32_t maxRequests, uint32_t maxElements);

    /** @error QUEUE_FULL, INVALID_ARGUMENT (too many pieces) */
    VerbsError Post(const ReceiveRequest& request);

    /** Posts a list until one is refused. */
    PostResult Post(std::span<const ReceiveRequest> requests);

    bool IsEmpty() const
    {
        return m_posted.IsEmpty();
    }

    uint32_t GetCount() const; ///< posted and not taken

    /** Takes the oldest; there must be one. Valid until the next Take, whatever is posted. */
    const ReceiveEntry& Take();

  private:
    uint32_t m_maxRequests;
    uint32_t m_maxElements;
    GrowingRing<ReceiveEntry> m_posted;
    ReceiveEntry m_taken;
};

} // namespace ns3::rdma
