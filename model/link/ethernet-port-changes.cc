// SPDX-License-Identifier: GPL-2.0-only
/*
 * What happens to a port from outside during a run: its cable goes down or comes back, its rate
 * changes.
 *
 * A change comes before all else of its time (EventPhase::CHANGE). So the transmitter first makes
 * up for everything before that time, and what would start at it starts under the new state. That
 * is the same whether the port is lazy or eager.
 */
#include "link/ethernet-port.h"

#include <algorithm>

namespace ns3::rdma
{

void
EthernetPort::AdvanceBefore(SimTime now)
{
    if (now.ps != 0)
    {
        Advance(now - SimTime{1});
    }
}

void
EthernetPort::ContinueAt(SimTime now)
{
    if (m_freeAt < now)
    {
        m_freeAt = now;
        m_remainder = 0;
    }
    Arm();
}

void
EthernetPort::SetLinkUp(bool isUp, SimTime now)
{
    if (isUp == IsLinkUp())
    {
        return;
    }
    AdvanceBefore(now);
    m_isCut = !isUp;
    LookAtPeer();
    CutFlight(now);
    if (!isUp)
    {
        CutWaiting(now);
        EndPauses(now);
    }
    m_owner.OnLinkChanged(m_index, now);
    ContinueAt(now);
}

void
EthernetPort::Cut(Frame* frame)
{
    ++m_counters.cutFrames;
    m_ledger.Drop(frame, DropReason::LINK_DOWN, m_config.id);
}

void
EthernetPort::CutFlight(SimTime now)
{
    if (m_peer->m_injector != nullptr)
    {
        m_counters.cutFrames += m_peer->m_injector->DropHeld(DropReason::LINK_DOWN);
    }
    if (m_flightHead == nullptr)
    {
        return;
    }
    while (m_flightHead != nullptr)
    {
        Frame* frame = m_flightHead;
        m_flightHead = frame->next;
        Cut(frame);
    }
    // The last arrival that anybody may ask for was not later than this.
    m_events.Schedule(m_arrival, now);
    m_events.Cancel(m_arrival);
}

void
EthernetPort::CutWaiting(SimTime now)
{
    while (m_control != nullptr)
    {
        Frame* frame = m_control;
        m_control = frame->next;
        Cut(frame);
    }
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        while (m_queues.Head(priority) != nullptr)
        {
            Frame* frame = m_queues.Pop(priority);
            m_queuedBytes -= frame->frameBytes;
            const Departure flushed{frame->frameBytes, frame->ingressPort, frame->priority};
            Cut(frame);
            m_owner.OnFlushed(m_index, flushed, now);
        }
    }
}

void
EthernetPort::EndPauses(SimTime now)
{
    m_pauses.EndAll(now);
    m_hasPause = false;
    m_stopped = 0;
}

void
EthernetPort::SetRate(BitRate rate, SimTime now)
{
    AdvanceBefore(now);
    m_earlierBusy = GetBusyTime();
    m_earlierBytes = m_wireBytes;
    m_config.rate = rate;
    m_slowestRate = std::min(m_slowestRate, rate);
    m_byteTime = ByteTime{rate};
    m_remainder = 0; // of the old rate's fractions of a picosecond
    m_owner.OnLinkChanged(m_index, now);
    ContinueAt(now);
}

SimTime
EthernetPort::GetBusyTime() const
{
    return m_earlierBusy + ByteTime{m_config.rate}.Of(m_wireBytes - m_earlierBytes);
}

} // namespace ns3::rdma
