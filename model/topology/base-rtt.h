// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/routing.h"

#include <optional>
#include <utility>

namespace ns3::rdma
{

/** What the way between two hosts takes when nothing queues, and the bytes that fill it. */
struct BaseRtt
{
    SimTime rtt{};        ///< there and back
    ByteCount bdp{};      ///< rtt x slowest link of the way there, rounded down
    BitRate bottleneck{}; ///< the slowest link of the way there

    bool operator==(const BaseRtt&) const = default;
};

/**
 * The base round trip of a pair of hosts, counted as the HPCC simulator counts it.
 *
 * Twice the sum of the delays plus, on the way there only, the time of a payload at each link's
 * rate: no headers, no acknowledgement. The path is the first of the shortest ones.
 *
 * @param payload bytes of a full packet without headers
 * @return nothing if there is no path, or source and destination are the same
 * @spec Li et al., SIGCOMM 2019, the authors' simulator: base RTT 12.48 us and window 156 000 bytes
 * over six links of 100 Gb/s and 1 us with 1000 bytes of payload
 */
std::optional<BaseRtt> ComputeBaseRtt(const Topology& topology,
                                      const RoutingTables& routes,
                                      const std::pair<uint32_t, uint32_t>& hosts,
                                      ByteCount payload);

/**
 * The largest round trip and, apart from it, the largest product over all pairs of hosts.
 *
 * @return rtt and bdp may belong to different pairs; bottleneck belongs to bdp; all zero when no
 * host reaches another
 */
BaseRtt ComputeMaxBaseRtt(const Topology& topology, const RoutingTables& routes, ByteCount payload);

} // namespace ns3::rdma
