// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/drop-reason.h"
#include "wire/frame.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

/** What happened to a packet at one port. */
struct LifeHop
{
    uint64_t place{0}; ///< direction of the port by which it leaves, or at which its way ends
    std::optional<SimTime> arrival{};     ///< last bit; none at the sender
    std::optional<SimTime> start{};       ///< first bit onto the wire
    std::optional<SimTime> departure{};   ///< last bit onto the wire
    SimTime pausedBefore{};               ///< total pause time of port and priority at the arrival
    std::optional<SimTime> paused{};      ///< part of the wait in which its priority was paused
    std::optional<uint64_t> queueBytes{}; ///< that it found in its egress queue
    bool isMarked{false};
    std::optional<DropReason> dropReason{};
};

/** A packet on its way, from its sender to its end. */
struct PacketLife
{
    uint32_t flow{0};
    Psn psn{};
    Opcode opcode{};
    uint32_t attempt{0};  ///< from 1: how often the flow has sent this packet
    uint32_t firstHop{0}; ///< number of the first of the hops; not 0 for copies a fault made
    std::vector<LifeHop> hops{};
    bool hasEnded{false};
};

/**
 * Follows chosen packets from port to port.
 *
 * Frames are known by their address while they live. A life that has ended is kept for a while:
 * an interface may find only later that a packet is of no use.
 */
class PacketLives
{
  public:
    using Writer = std::function<void(const PacketLife&)>;

    explicit PacketLives(Writer writer) : m_writer{std::move(writer)} {}

    /** A packet has left its sender. */
    void OnBirth(const Frame& frame, const LifeHop& hop);

    /**
     * A packet has arrived somewhere: the hop before it is over.
     *
     * @param departure when its last bit left the port before
     */
    void OnArrival(const Frame& frame, const LifeHop& hop, SimTime departure);

    /** Whether a packet of this flow, PSN and opcode was seen to leave its sender. */
    bool Knows(const Frame& frame) const
    {
        return m_attempts.contains(KeyOf(frame));
    }

    /** The place where the packet is now; null if it is not followed. */
    LifeHop* FindHop(const Frame& frame);

    /** The packet has come to its destination. */
    void OnEnd(const Frame& frame);

    /** The packet is thrown away, at the hop where it is or on the way to another. */
    void OnDrop(const Frame& frame, const LifeHop& hop, SimTime departure);

    /** Writes all that are left. */
    void Finish();

  private:
    /** Lives that have ended and are not yet written. @choice more than an interface can hold */
    static constexpr std::size_t KEPT = std::size_t{1} << 16;

    using Key = std::tuple<uint32_t, uint32_t, Opcode>; ///< flow, PSN, opcode

    /** How often a packet was sent, and as which life last. */
    struct Attempts
    {
        uint32_t count{0};
        uint64_t newest{0};
    };

    static Key KeyOf(const Frame& frame)
    {
        return {frame.flow, frame.psn.Get(), frame.opcode};
    }

    PacketLife* Find(const Frame& frame, bool isEndedToo);
    PacketLife& Adopt(const Frame& frame);
    uint64_t Add(const Frame& frame);

    Writer m_writer;
    std::map<uint64_t, PacketLife> m_lives; ///< by a number, in the order of birth
    std::vector<uint64_t> m_ended;          ///< numbers, in the order of their ends
    std::unordered_map<const Frame*, uint64_t> m_numbers;
    std::map<Key, Attempts> m_attempts;
    uint64_t m_next{0};
};

} // namespace ns3::rdma
