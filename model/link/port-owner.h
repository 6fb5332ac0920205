// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "base/traffic-class.h"
#include "wire/frame.h"

#include <cstdint>

namespace ns3::rdma
{

/** What a device must know of a frame that has left one of its ports. */
struct Departure
{
    uint16_t frameBytes{0};
    uint16_t ingressPort{0};
    uint8_t priority{0};
};

/** The device that a port belongs to: a switch or a network interface. */
class PortOwner
{
  public:
    virtual ~PortOwner() = default;

    /** The last bit of a frame has arrived at a port; the frame is the owner's now. */
    virtual void OnFrame(uint16_t port, Frame* frame, SimTime now) = 0;

    /** A frame arrives soon: what OnFrame will touch may be fetched into the cache. */
    virtual void PrepareFrame(uint16_t port, const Frame& frame) const;

    /**
     * A waiting frame leaves its queue and starts on the wire; called only for queues from the
     * port's start floor on.
     *
     * @param queueBytes what still waits in its queue, without it
     * @param start      when it starts; possibly before the event that is running
     */
    virtual void OnStart(uint16_t port, Frame& frame, uint64_t queueBytes, SimTime start);

    /**
     * The transmitter is free again after a frame.
     *
     * @choice a frame leaves the counters when the gap behind it has passed, 12 byte times after
     * its last bit: the same instant at which the next frame may start, so that a port has one
     * instant per frame instead of two
     */
    virtual void OnDeparted(uint16_t port, const Departure& departure, SimTime when);

    /**
     * A frame that waited at a port is thrown away there.
     *
     * @param flushed what the device must know of it, as of one that has left
     */
    virtual void OnFlushed(uint16_t port, const Departure& flushed, SimTime now);

    /** A port's cable went down or came back, or its rate has changed. Rare. */
    virtual void OnLinkChanged(uint16_t port, SimTime now);

    /** A PFC frame has changed the pause of priorities: quanta 0 resumes. Rare. */
    virtual void OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now);
};

/** A device that makes frames when the wire is free, instead of queueing them. */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /** The earliest time, not before from, at which Pull has a frame of one of the priorities. */
    virtual SimTime NextReady(SimTime from, PriorityMask open) = 0;

    /** The highest of the open priorities that has a frame at start; -1 without one. */
    virtual int ReadyPriority(SimTime start, PriorityMask open) = 0;

    /** Makes the next frame of a priority that is ready at start. */
    virtual Frame* Pull(SimTime start, uint8_t priority) = 0;
};

} // namespace ns3::rdma
