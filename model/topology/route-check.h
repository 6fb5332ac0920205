// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/routing.h"

#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/** One direction of a cable: 2 x its link, plus 1 from b to a. */
using Channel = uint32_t;

/**
 * Looks for links that may wait for each other in a circle.
 *
 * A channel depends on another if some route, from any host to any other, goes from the one into
 * the other. Without a cycle of dependencies no lossless class can deadlock, whatever the traffic;
 * with one it may. All lossless priorities take the same routes, so one check is for all of them.
 *
 * @return the channels of one cycle, each the next one's predecessor and the last the first one's;
 * empty if there is none
 * @spec Dally and Seitz, IEEE Transactions on Computers C-36 (5), 1987, theorem 1
 */
std::vector<Channel> FindDependencyCycle(const Topology& topology, const RoutingTables& routes);

} // namespace ns3::rdma
