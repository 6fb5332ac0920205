// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/routing.h"
#include "workload/flow.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** The largest flow: the counters of a run have 64 bits and a sign to spare. */
constexpr uint64_t MAX_FLOW_BYTES = 1ULL << 63;

/**
 * Puts flows in the order in which they are numbered.
 *
 * Ascending by (start, source, destination, destinationPort, bytes); flows that agree in all of
 * these are ordered by priority, rate, congestion control and tag, so that the order of the input
 * never matters.
 */
void SortFlows(FlowList& flows);

/** Whether SortFlows would leave the flows as they are. */
bool AreFlowsSorted(const FlowList& flows);

/**
 * What is wrong with flows on a topology: ends that are no hosts, a host that sends to itself,
 * priorities above 7, sizes of 0 or beyond MAX_FLOW_BYTES, a start that never comes.
 *
 * @return empty if nothing is wrong; at most a screenful
 */
Diagnostics CheckFlows(const Topology& topology, const FlowList& flows);

/**
 * The first flow whose destination cannot be reached from its source, hosts not forwarding.
 *
 * @param flows must have passed CheckFlows
 * @return an index into flows; nothing if all have a path
 */
std::optional<size_t> FindUnreachablePair(const RoutingTables& routes, const FlowList& flows);

/** The message for a flow that FindUnreachablePair found. */
Diagnostic DescribeUnreachable(const Topology& topology, const Flow& flow);

/**
 * Finds hosts by name.
 *
 * @param names words separated by commas or blanks
 * @param key   of the attribute, for messages
 * @error an unknown name (with the nearest), a switch, the same host twice
 */
Expected<std::vector<uint32_t>> ResolveHosts(const Topology& topology,
                                             const std::string& names,
                                             const std::string& key);

} // namespace ns3::rdma
