// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/ethernet.h"
#include "wire/frame.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

/** Upper bound of the bytes of a frame of another stack: they stand in one PayloadBlock. */
constexpr std::size_t MAX_FOREIGN_BYTES = PayloadBlock::BYTES;

/** Upper bound of the MTU, in bytes, of an interface for other stacks. */
constexpr std::size_t MAX_FOREIGN_MTU = MAX_FOREIGN_BYTES - EthernetFields::SIZE;

/** Destination address to FCS of a frame of so many bytes without FCS, padded to the minimum. */
constexpr uint32_t
ForeignFrameBytes(uint32_t bytes)
{
    return std::max(bytes + FCS_BYTES, MIN_FRAME_BYTES);
}

/** The interfaces at both ends of a way, by number. */
struct ForeignRoute
{
    uint32_t source{0};
    uint32_t destination{0};
};

/**
 * Fills in what devices look at, from the frame's bytes: destination, hash, priority, ECN, size.
 *
 * The priority is the class selector of the DSCP (RFC 2474 section 4.2.2), as in a network that
 * trusts the DSCP. What is not IPv4 has priority 0, no ECN, and a hash of its addresses alone; so
 * has a fragment, of which only the first would tell its ports.
 *
 * @param frame of kind FOREIGN, with its bytes and payloadBytes
 */
void DescribeForeign(Frame& frame, const ForeignRoute& route);

/**
 * The bytes of a frame as they are now, from the destination address on, without padding and FCS.
 *
 * A mark that a switch has made is brought into the IPv4 header, and its checksum follows the
 * change: one that was wrong stays wrong.
 *
 * @param bytes at least frame.payloadBytes
 * @return how many bytes were written
 * @spec RFC 1624 equation 3
 */
std::size_t WriteForeignFrame(const Frame& frame, std::span<std::byte> bytes);

} // namespace ns3::rdma
