// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "engine/event.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * The fabric's events, in (time, order, insertion) order.
 *
 * The model sees only this class. Who drives it is the simulator implementation's business:
 * FabricSimulatorImpl drains it directly, a stock ns-3 implementation through one ns-3 event.
 */
class EventQueue
{
  public:
    /** The queue of the running simulator implementation; made on first use, gone on Destroy. */
    static EventQueue& Get();

    /** The time of the event that is running, or of the last one that ran. */
    SimTime Now() const;

    /** Puts an event at a time not before Now(), moving it if it is pending. */
    void Schedule(Event& event, SimTime when);

    /** Takes an event off the queue; nothing happens if it is not pending. */
    void Cancel(Event& event);

    /** Fabric events that have run so far. */
    uint64_t GetEventCount() const;
};

} // namespace ns3::rdma
