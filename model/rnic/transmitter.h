// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "link/ethernet-port.h"
#include "rnic/class-share.h"
#include "rnic/foreign-stack.h"
#include "rnic/send-scheduler.h"

#include <memory>

namespace ns3::rdma
{

class Rnic;

/**
 * A way out of an interface: a port, the queue pairs that send through it, and perhaps another
 * stack.
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

    /** Priorities get shares of the wire, by their weights. */
    void Share(const ClassWeights& weights);

    /** Another stack sends here, too; null: none any more. It is told of starts. */
    void AttachStack(ForeignStack* stack);

    /** Puts a frame of the other stack into its queue; the port has advanced. */
    void SendForeign(Frame* frame, SimTime now);

    /** Null without weights and without another stack. */
    const ClassShare* GetShare() const
    {
        return m_share.get();
    }

  private:
    Frame* PullShared(SimTime start, uint8_t priority);
    Frame* PullConnection(SimTime start, uint8_t priority);

    SimTime NextReady(SimTime from, PriorityMask open) override;
    int ReadyPriority(SimTime start, PriorityMask open) override;
    Frame* Pull(SimTime start, uint8_t priority) override;

    Rnic& m_device;
    SendScheduler m_scheduler;
    std::unique_ptr<ClassShare> m_share; ///< null: only connections, the highest priority first
    ForeignStack* m_stack{nullptr};
    EthernetPort m_port;
};

} // namespace ns3::rdma
