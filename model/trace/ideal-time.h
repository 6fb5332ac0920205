// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include <cstdint>
#include <span>

namespace ns3::rdma
{

/** One cable of a path. */
struct PathHop
{
    BitRate rate{};
    SimTime delay{};

    bool operator==(const PathHop&) const = default;
};

/** What is sent, and how it is cut. */
struct IdealInput
{
    uint64_t bytes{0};
    uint32_t pathMtu{1024};
    uint64_t maxMessageBytes{0}; ///< a longer transfer is split into messages of this size
    uint32_t tagBytes{0};        ///< of a VLAN tag in each frame
};

/**
 * The time from the start of a transfer to its last bit at the receiver, with the fabric to itself.
 *
 * Packets leave back to back at the first cable's rate and are stored and forwarded at each hop:
 * packet i leaves hop h when it has arrived there whole and packet i - 1 has left, with its gap.
 * The slowest hop decides, and so does the larger first packet, which delays all behind it. The
 * last gap does not count. No run can be faster: every term is a wait that physics imposes.
 *
 * @param path from the sender's cable to the receiver's; not empty
 */
SimTime IdealDeliveredTime(const IdealInput& input, std::span<const PathHop> path);

/** The time that one frame takes over a path, hop by hop, until its last bit. */
SimTime FrameTime(uint32_t frameBytes, std::span<const PathHop> path);

} // namespace ns3::rdma
