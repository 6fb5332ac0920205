// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/drop-reason.h"
#include "base/traffic-class.h"
#include "base/units.h"
#include "link/pfc.h"

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What a buffer must know of a port before the run. */
struct BufferPort
{
    std::string name; ///< "leaf0/3 to h3", for messages
    BitRate rate{};
    SimTime delay{}; ///< of the cable, one way
};

/** Everything a buffer is set up for. */
struct BufferSetup
{
    std::vector<BufferPort> ports;
    PfcConfig pfc{};
    uint32_t maxFrameBytes{0}; ///< largest frame of the fabric, destination address to FCS
};

/** A frame that asks for room. */
struct BufferArrival
{
    uint16_t ingress{0};
    uint8_t priority{0};
    uint32_t bytes{0};
    uint64_t egressQueueBytes{0}; ///< what waits before it in its egress queue
};

/** What becomes of it. */
struct Admission
{
    bool isAccepted{true};
    bool pauses{false}; ///< its (ingress, priority) shall be paused, or stay so
    DropReason reason{DropReason::BUFFER_FULL};
};

/** What a buffer holds. */
struct BufferUse
{
    uint64_t heldBytes{0};     ///< in all
    uint64_t sharedBytes{0};   ///< of them in the pool that all share
    uint64_t headroomBytes{0}; ///< of them in headroom
};

/**
 * Decides who gets room in a switch, and who is paused.
 *
 * The public methods count; a child decides. A new policy is one file: a child of this class,
 * registered, found by its TypeId's name.
 */
class BufferPolicy : public Object
{
  public:
    static TypeId GetTypeId();

    /**
     * Fixes sizes and thresholds.
     *
     * @return warnings: what runs, but may drop lossless frames, naming the port
     * @error  a configuration that cannot work, such as headroom beyond the buffer
     */
    virtual Expected<std::vector<std::string>> SetUp(const BufferSetup& setup) = 0;

    /**
     * Accepts and charges a frame if that is sure and pauses nobody, though counters may be too
     * high.
     *
     * A switch with lazy ports asks this first: only if it is false must the ports make up for
     * their departures before Admit is asked.
     *
     * @return false, and nothing changes, if it is not sure
     */
    virtual bool TryAccept(BufferArrival arrival) = 0;

    /** What a frame of an (ingress, priority) will touch may be fetched into the cache. */
    virtual void Prefetch(uint16_t ingress, uint8_t priority) const;

    /** Decides on a frame and charges it if it is accepted. Counters must be exact. */
    virtual Admission Admit(const BufferArrival& arrival) = 0;

    /** A frame that was accepted has left. */
    virtual void Release(uint16_t ingress, uint8_t priority, uint32_t bytes) = 0;

    /** Whether a paused (ingress, priority) may send again. */
    virtual bool MayResume(uint16_t ingress, uint8_t priority) const = 0;

    /** Bytes that the policy has charged and not released. */
    virtual uint64_t GetHeldBytes() const = 0;

    /** What is held where; a policy without a pool and headroom holds all of it as a whole. */
    virtual BufferUse GetUse() const
    {
        return {.heldBytes = GetHeldBytes()};
    }
};

} // namespace ns3::rdma
