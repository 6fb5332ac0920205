// SPDX-License-Identifier: GPL-2.0-only
#include "transport/requester.h"
#include "transport/send-operation.h"

// Errors of a requester, and what it completes.

namespace ns3::rdma
{

void
Requester::Fail(CompletionStatus status)
{
    if (m_state == State::READY)
    {
        m_state = State::FAILING;
        m_failure = status;
        GoBack();
    }
}

bool
Requester::Flush()
{
    if (m_state == State::READY)
    {
        m_state = State::FLUSHING;
        GoBack();
    }
    return HasCompletion();
}

bool
Requester::IsFlushedSilently(const SendEntry& entry) const
{
    return m_state == State::FLUSHING && !m_policy->flushesUnsignalled && !entry.Has(SEND_SIGNALED);
}

bool
Requester::HasFlushed() const
{
    for (uint32_t number = m_oldest; number != m_queue.GetEnd(); ++number)
    {
        if (!IsFlushedSilently(m_queue.At(number)))
        {
            return true;
        }
    }
    return false;
}

void
Requester::DropUnsignalled()
{
    while (m_queue.GetBegin() != m_oldest && !m_queue.At(m_queue.GetBegin()).Has(SEND_SIGNALED))
    {
        m_queue.PopFront(false);
    }
}

std::optional<WorkCompletion>
Requester::PopCompletion()
{
    DropUnsignalled();
    const uint32_t front = m_queue.GetBegin();
    if (front != m_oldest)
    {
        const SendEntry& entry = m_queue.At(front);
        --m_signalledDone;
        m_queue.PopFront(true);
        return WorkCompletion{.wrId = entry.wrId,
                              .qpn = m_qpn,
                              .byteLength = entry.bytes,
                              .opcode = GetSendOperation(entry.opcode).completion};
    }
    if (m_state == State::READY)
    {
        return std::nullopt;
    }
    while (!m_queue.IsEmpty())
    {
        const SendEntry& entry = m_queue.At(m_queue.GetBegin());
        const bool isSilent = IsFlushedSilently(entry);
        const bool isFirst = m_state == State::FAILING;
        m_state = State::FLUSHING;
        m_queue.PopFront(true);
        m_oldest = m_queue.GetBegin();
        if (!isSilent)
        {
            // An error completes unsignalled requests, too (section 10.7.3.1).
            return WorkCompletion{.wrId = entry.wrId,
                                  .status = isFirst ? m_failure : CompletionStatus::WR_FLUSH_ERR,
                                  .qpn = m_qpn};
        }
    }
    return std::nullopt;
}

} // namespace ns3::rdma
