// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/receive-queue.h"

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
    if (m_posted.GetCount() == m_maxRequests)
    {
        return VerbsError::QUEUE_FULL;
    }
    ReceiveEntry& entry = m_posted.PushBack();
    entry.wrId = request.wrId;
    entry.sgList.assign(request.sgList.begin(), request.sgList.end());
    return VerbsError::NONE;
}

PostResult
ReceiveQueue::Post(std::span<const ReceiveRequest> requests)
{
    PostResult result;
    for (; result.badRequest < requests.size(); ++result.badRequest)
    {
        result.error = Post(requests[result.badRequest]);
        if (!result.IsOk())
        {
            return result;
        }
    }
    return {};
}

uint32_t
ReceiveQueue::GetCount() const
{
    return static_cast<uint32_t>(m_posted.GetCount());
}

const ReceiveEntry&
ReceiveQueue::Take()
{
    // The slot gets the buffer of the entry taken before, so that neither is allocated again.
    std::swap(m_taken, m_posted.Front());
    m_posted.PopFront();
    return m_taken;
}

} // namespace ns3::rdma
