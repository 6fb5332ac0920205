// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** Number of priorities of an Ethernet port. @spec IEEE 802.1Q-2018 clause 6.9 (priority) */
constexpr uint8_t PRIORITY_COUNT = 8;

/** Number of code points of differentiated services. @spec RFC 2474 section 3 */
constexpr uint8_t DSCP_COUNT = 64;

/** The class selector code point of a priority. @spec RFC 2474 section 4.2.2 */
constexpr uint8_t
ClassSelector(uint8_t priority)
{
    return static_cast<uint8_t>(priority * 8);
}

/** A PCP of frames without a VLAN tag. */
constexpr uint8_t UNTAGGED_PCP = 8;

/** The fields of a frame that say what class it belongs to. */
struct TrafficMark
{
    uint8_t dscp{0};           ///< 0 .. 63
    uint8_t pcp{UNTAGGED_PCP}; ///< 0 .. 7, or none
};

/** A set of priorities, one bit each, bit n for priority n. */
using PriorityMask = uint8_t;

constexpr PriorityMask
PriorityBit(uint8_t priority)
{
    return static_cast<PriorityMask>(1U << priority);
}

} // namespace ns3::rdma
