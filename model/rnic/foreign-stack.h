// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "wire/frame.h"

#include <cstdint>

namespace ns3::rdma
{

/** Another stack that sends and receives frames of its own by the port of an interface. */
class ForeignStack
{
  public:
    virtual ~ForeignStack() = default;

    /** A frame has arrived; it goes with the call. */
    virtual void OnForeignFrame(const Frame& frame, SimTime now) = 0;

    /**
     * A frame has left its queue.
     *
     * @param queueBytes what still waits in the queue
     * @param start      when it starts on the wire; before the running event, unless the port
     *                   watches departures
     */
    virtual void OnForeignStart(uint8_t priority, uint64_t queueBytes, SimTime start) = 0;
};

} // namespace ns3::rdma
