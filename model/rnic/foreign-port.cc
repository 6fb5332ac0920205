// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/foreign-port.h"

#include "rnic/transmitter.h"
#include "wire/foreign-frame.h"

namespace ns3::rdma
{

EthernetPort&
ForeignPort::GetPort() const
{
    return m_setup.wire->GetPort();
}

void
ForeignPort::Attach(ForeignStack* stack)
{
    m_stack = stack;
    m_setup.wire->AttachStack(stack);
}

Frame*
ForeignPort::Create(std::size_t bytes)
{
    const auto size = static_cast<uint16_t>(bytes);
    Frame* frame =
        m_setup.ledger->Create(FrameKind::FOREIGN, static_cast<uint16_t>(ForeignFrameBytes(size)));
    m_setup.ledger->Extend(*frame);
    m_setup.ledger->AddPayload(*frame);
    frame->payloadBytes = size;
    return frame;
}

uint64_t
ForeignPort::GetQueuedBytes(uint8_t priority, SimTime now)
{
    GetPort().Advance(now);
    const ClassShare* share = m_setup.wire->GetShare();
    return share == nullptr ? 0 : share->GetForeign().Bytes(priority);
}

void
ForeignPort::Send(Frame* frame, SimTime now)
{
    ++m_setup.counters->foreignFramesSent;
    m_setup.counters->ceSent += frame->ecn == Ecn::CE ? 1 : 0;
    GetPort().Advance(now);
    m_setup.wire->SendForeign(frame, now);
}

void
ForeignPort::WatchStarts(bool isWatched, SimTime now)
{
    GetPort().WatchDepartures(isWatched, now);
}

void
ForeignPort::Receive(Frame* frame)
{
    m_setup.counters->ceArrivals += frame->ecn == Ecn::CE ? 1 : 0;
    if (m_stack == nullptr || frame->destination != m_setup.address)
    {
        ++m_setup.counters->drops[static_cast<std::size_t>(DropReason::NO_STACK)];
        m_setup.ledger->Drop(frame, DropReason::NO_STACK, GetPort().GetConfig().id);
        return;
    }
    m_stack->OnForeignFrame(*frame, m_setup.events->Now());
    m_setup.ledger->Consume(frame);
}

HeldFrames
ForeignPort::CountHeld() const
{
    HeldFrames held;
    const ClassShare* share = m_setup.wire->GetShare();
    for (uint8_t priority = 0; share != nullptr && priority < PRIORITY_COUNT; ++priority)
    {
        for (const Frame* frame = share->GetForeign().Head(priority); frame != nullptr;
             frame = frame->next)
        {
            held.all.Add(*frame);
            held.marked += frame->ecn == Ecn::CE ? 1 : 0;
        }
    }
    return held;
}

} // namespace ns3::rdma
