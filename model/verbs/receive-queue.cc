// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/receive-queue.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

ReceiveQueue::ReceiveQueue(uint32_t maxRequests, uint32_t maxElements)
    : m_maxRequests{maxRequests},
      m_maxElements{maxElements}
{
}

VerbsError
ReceiveQueue::Post(const ReceiveRequest& request)
{
    if (request.sgList.size() > m_maxElements)
    {
        return VerbsError::INVALID_ARGUMENT;
    }
    if (m_count == m_maxRequests)
    {
        return VerbsError::QUEUE_FULL;
    }
    if (m_count == m_ring.size())
    {
        Grow();
    }
    const uint64_t index = uint64_t{m_first} + m_count;
    ReceiveEntry& entry = m_ring[index < m_ring.size() ? index : index - m_ring.size()];
    entry.wrId = request.wrId;
    entry.sgList.assign(request.sgList.begin(), request.sgList.end());
    ++m_count;
    return VerbsError::NONE;
}

uint32_t
ReceiveQueue::GetCount() const
{
    return m_count;
}

const ReceiveEntry&
ReceiveQueue::Take()
{
    // The slot gets the buffer of the entry taken before, so that neither is allocated again.
    std::swap(m_taken, m_ring[m_first]);
    ++m_first;
    if (m_first == m_ring.size())
    {
        m_first = 0;
    }
    --m_count;
    return m_taken;
}

void
ReceiveQueue::Grow()
{
    std::ranges::rotate(m_ring, m_ring.begin() + m_first);
    m_first = 0;
    const std::size_t doubled = std::max<std::size_t>(1, 2 * m_ring.size());
    m_ring.resize(std::min<std::size_t>(doubled, m_maxRequests));
}

} // namespace ns3::rdma
