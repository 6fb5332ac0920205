// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** Number of priorities of an Ethernet port. @spec IEEE 802.1Q-2018 clause 6.9 (priority) */
constexpr uint8_t PRIORITY_COUNT = 8;

/** A set of priorities, one bit each, bit n for priority n. */
using PriorityMask = uint8_t;

constexpr PriorityMask
PriorityBit(uint8_t priority)
{
    return static_cast<PriorityMask>(1U << priority);
}

} // namespace ns3::rdma
