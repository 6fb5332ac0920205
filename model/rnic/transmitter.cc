// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transmitter.h"

#include "rnic/rnic.h"
#include "wire/framing.h"

namespace ns3::rdma
{

Transmitter::Transmitter(Rnic& device,
                         const PortPlace& place,
                         const PortConfig& config,
                         RandomStream loss)
    : m_device{device},
      m_port{place, config, std::move(loss)}
{
    m_port.SetSource(this);
}

void
Transmitter::Share(const ClassWeights& weights)
{
    m_share = std::make_unique<ClassShare>(weights);
}

void
Transmitter::AttachStack(ForeignStack* stack)
{
    m_stack = stack;
    if (!m_share)
    {
        Share({});
    }
}

void
Transmitter::SendForeign(Frame* frame, SimTime now)
{
    m_share->GetForeign().Push(frame);
    m_port.OnSourceChanged(now);
}

SimTime
Transmitter::NextReady(SimTime from, PriorityMask open)
{
    if (m_share && (m_share->GetForeign().Waiting() & open) != 0) [[unlikely]]
    {
        return from;
    }
    return m_scheduler.NextReady(from, open);
}

int
Transmitter::ReadyPriority(SimTime start, PriorityMask open)
{
    if (m_share) [[unlikely]]
    {
        const PriorityMask foreign = m_share->GetForeign().Waiting() & open;
        return m_share->Choose(m_scheduler.ReadyPriorities(start, open) | foreign);
    }
    return m_scheduler.ReadyPriority(start, open);
}

Frame*
Transmitter::Pull(SimTime start, uint8_t priority)
{
    return m_share ? PullShared(start, priority) : PullConnection(start, priority);
}

Frame*
Transmitter::PullShared(SimTime start, uint8_t priority)
{
    EgressQueues& foreign = m_share->GetForeign();
    const PriorityMask bit = PriorityBit(priority);
    const bool isForeignReady = (foreign.Waiting() & bit) != 0;
    const bool isConnectionReady = m_scheduler.ReadyPriorities(start, bit) != 0;
    const bool isForeign = isForeignReady && m_share->IsForeignTurn(priority, isConnectionReady);
    Frame* frame = isForeign ? foreign.Pop(priority) : PullConnection(start, priority);
    m_share->OnSent(priority,
                    PREAMBLE_BYTES + frame->frameBytes + GAP_BYTES,
                    isForeign,
                    isForeignReady && isConnectionReady);
    if (isForeign && m_stack != nullptr)
    {
        m_stack->OnForeignStart(priority, foreign.Bytes(priority), start);
    }
    return frame;
}

Frame*
Transmitter::PullConnection(SimTime start, uint8_t priority)
{
    QueuePair& pair = m_scheduler.Front(priority);
    Frame* frame = m_device.MakeNext(pair, start);
    m_scheduler.AfterSend(pair);
    return frame;
}

} // namespace ns3::rdma
