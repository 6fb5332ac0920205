// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * One transfer: so many bytes from one host to another, written by RDMA WRITE.
 *
 * Flows are ordered by (start, source, destination, destinationPort, bytes) and numbered in that
 * order; QP numbers and UDP source ports follow the number, so the order of lines in a file does
 * not matter.
 */
struct Flow
{
    uint32_t source{0};      ///< index into Topology::nodes, a host
    uint32_t destination{0}; ///< another host
    uint64_t bytes{0};       ///< any size; above 2^31 it is split into several messages
    SimTime start{};
    uint8_t priority{3};         ///< 0 .. 7
    uint16_t destinationPort{0}; ///< a tag of the flow's class (HPCC's dport); part of the order
    std::optional<BitRate> rate; ///< a fixed pace, over what congestion control allows
    bool hasCongestionControl{true}; ///< that of the scenario; else none, and no ECN either
    std::string tag; ///< the workload that made it ("incast", "background"), for output

    bool operator==(const Flow&) const = default;
};

using FlowList = std::vector<Flow>;

} // namespace ns3::rdma
