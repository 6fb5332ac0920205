// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "link/frame-ledger.h"
#include "rnic/foreign-stack.h"
#include "rnic/rnic-counters.h"

#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

class EthernetPort;
class Transmitter;

/**
 * What another stack uses of an interface: queues of its own, and frames that arrive for it.
 *
 * The queues have a limit that the stack keeps; it is told of each start, so that it may stop and
 * go on. They take turns with the connections as a ClassShare says. What the port itself queues,
 * answers and CNPs, goes before both, unless they have a higher priority.
 *
 * Not modelled: what sending costs the stack where the interface has a profile of costs.
 */
class ForeignPort
{
  public:
    /** What it works with; all of it outlives the port. */
    struct Setup
    {
        EventQueue* events{nullptr};
        FrameLedger* ledger{nullptr};
        Transmitter* wire{nullptr};
        RnicCounters* counters{nullptr};
        uint32_t address{0};
        uint16_t mtu{0};        ///< largest IP packet, in bytes
        uint64_t queueBytes{0}; ///< of each priority
    };

    explicit ForeignPort(const Setup& setup) : m_setup{setup} {}

    /** The stack that sends and receives here; null: none. */
    void Attach(ForeignStack* stack);

    /** A frame whose bytes, so many of them, the caller writes into its payload. */
    Frame* Create(std::size_t bytes);

    /** Bytes of frames of a priority that wait now; makes up for all starts until then. */
    uint64_t GetQueuedBytes(uint8_t priority, SimTime now);

    /** Puts a frame that Create made and DescribeForeign filled in behind others. */
    void Send(Frame* frame, SimTime now);

    /** Whether the stack is told of each start in time. */
    void WatchStarts(bool isWatched, SimTime now);

    /** A frame of kind FOREIGN has come to the interface. */
    void Receive(Frame* frame);

    /** Frames that wait. */
    HeldFrames CountHeld() const;

    /** What it was made from. */
    const Setup& GetSetup() const
    {
        return m_setup;
    }

    EthernetPort& GetPort() const;

  private:
    Setup m_setup;
    ForeignStack* m_stack{nullptr};
};

} // namespace ns3::rdma
