// SPDX-License-Identifier: GPL-2.0-only
#include "link/frame-ledger.h"

namespace ns3::rdma
{

Frame*
FrameLedger::Clone(const Frame& frame)
{
    Frame* copy = m_pool.Take();
    *copy = frame;
    copy->next = nullptr;
    m_created.Add(*copy);
    if (frame.isExtended)
    {
        copy->extension = m_extensions.Take();
        *copy->extension = *frame.extension;
        copy->extension->next = nullptr;
        if (frame.extension->payload != nullptr)
        {
            copy->extension->payload = m_payloads.Take();
            copy->extension->payload->bytes = frame.extension->payload->bytes;
        }
    }
    return copy;
}

void
FrameLedger::Drop(Frame* frame, DropReason reason, uint64_t port)
{
    if (!m_dropTrace.IsEmpty())
    {
        m_dropTrace(*frame, reason, port);
    }
    m_dropped[static_cast<std::size_t>(reason)].Add(*frame);
    Free(frame);
}

void
FrameLedger::FreeExtension(Frame& frame)
{
    if (frame.extension->payload != nullptr)
    {
        m_payloads.Give(frame.extension->payload);
    }
    m_extensions.Give(frame.extension);
}

} // namespace ns3::rdma
