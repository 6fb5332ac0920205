// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "link/ethernet-port.h"
#include "rnic/send-scheduler.h"

namespace ns3::rdma
{

class Rnic;

/**
 * A way out of an interface: a port, and the queue pairs that send through it.
 *
 * An interface has one for its cable, and one that leads back to itself for connections between
 * its own queue pairs.
 */
class Transmitter final : public FrameSource
{
  public:
    Transmitter(Rnic& device, const PortPlace& place, const PortConfig& config, RandomStream loss);

    /** A queue pair has, or may have, something new to send. */
    void Update(QueuePair& pair, SimTime now)
    {
        m_scheduler.Update(pair, now);
        m_port.OnSourceChanged(now);
    }

    EthernetPort& GetPort()
    {
        return m_port;
    }

    SendScheduler& GetScheduler()
    {
        return m_scheduler;
    }

  private:
    SimTime NextReady(SimTime from, PriorityMask open) override;
    int ReadyPriority(SimTime start, PriorityMask open) override;
    Frame* Pull(SimTime start, uint8_t priority) override;

    Rnic& m_device;
    SendScheduler m_scheduler;
    EthernetPort m_port;
};

} // namespace ns3::rdma
