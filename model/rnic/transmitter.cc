// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transmitter.h"

#include "rnic/rnic.h"

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

SimTime
Transmitter::NextReady(SimTime from, PriorityMask open)
{
    return m_scheduler.NextReady(from, open);
}

int
Transmitter::ReadyPriority(SimTime start, PriorityMask open)
{
    return m_scheduler.ReadyPriority(start, open);
}

Frame*
Transmitter::Pull(SimTime start, uint8_t priority)
{
    QueuePair& pair = m_scheduler.Front(priority);
    Frame* frame = m_device.MakeNext(pair, start);
    m_scheduler.AfterSend(pair);
    return frame;
}

} // namespace ns3::rdma
