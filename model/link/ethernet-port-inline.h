// SPDX-License-Identifier: GPL-2.0-only
/*
 * The part of EthernetPort that runs for every frame; included by ethernet-port.h alone.
 */
#pragma once

#include "link/ethernet-port.h"

#include <algorithm>

namespace ns3::rdma
{

inline void
EthernetPort::Advance(SimTime now)
{
    if (m_freeAt <= now)
    {
        AdvanceTo(now);
    }
}

inline void
EthernetPort::PrefetchQueue(uint8_t priority) const
{
    __builtin_prefetch(&m_freeAt);
    __builtin_prefetch(&m_queuedBytes);
    __builtin_prefetch(&m_maxQueueBytes);
    m_queues.Prefetch(priority);
}

inline void
EthernetPort::TellStart(Frame& frame, uint64_t queueBytes, SimTime start)
{
    if (queueBytes >= m_startFloor) [[unlikely]]
    {
        m_owner.OnStart(m_index, frame, queueBytes, start);
    }
}

inline void
EthernetPort::Arm()
{
    if (m_watchesDepartures || m_flightHead == nullptr) [[unlikely]]
    {
        ArmDeparture(); // Else the arrival of the frame in flight comes in time.
    }
}

inline void
EthernetPort::Enqueue(Frame* frame, SimTime now)
{
    m_maxQueueBytes = std::max(m_maxQueueBytes, m_queuedBytes + frame->frameBytes);
    const bool isIdle = m_freeAt <= now && m_queues.Waiting() == 0 && m_control == nullptr;
    if (isIdle && !m_hasPause)
    {
        TellStart(*frame, 0, m_freeAt);
        Start(frame, m_freeAt);
    }
    else
    {
        m_queues.Push(frame);
        m_queuedBytes += frame->frameBytes;
        Advance(now);
    }
    Arm();
}

inline void
EthernetPort::OnSourceChanged(SimTime now)
{
    Advance(now);
    Arm();
}

} // namespace ns3::rdma
