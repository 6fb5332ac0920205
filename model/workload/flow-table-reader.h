// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"
#include "workload/flow.h"

#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * Reads flows from a table of comma-separated values with names of hosts.
 *
 * The first line names the columns: source, destination and bytes, and start (with a unit) or one
 * of start_ps, start_ns, start_us, start_s (a bare number); priority, destination_port, rate and
 * tag may follow, in any order. Bytes may have a unit. '#' at the start of a line begins a comment.
 *
 * @param text      the content of the file
 * @param file      its name, for messages
 * @param topology  whose hosts are meant
 * @param prototype gives what has no column
 * @return in the order of lines
 * @error unknown, missing or repeated columns, unknown hosts (with the nearest), malformed values;
 * each with its line and column
 */
Expected<FlowList> ParseFlowTable(std::string_view text,
                                  const std::string& file,
                                  const Topology& topology,
                                  const Flow& prototype);

/**
 * Reads flows from one line of text: "source destination bytes start" for each, separated by
 * commas, such as "h1 h0 1MB 0us, h2 h0 64KB 10us"; then, if wanted, priority=5, rate=10Gbps,
 * destination_port=7 or tag=victim.
 *
 * @param text      as above
 * @param topology  whose hosts are meant
 * @param prototype gives what is not said
 * @error malformed entries, each with its number
 */
Expected<FlowList> ParseFlowText(std::string_view text,
                                 const Topology& topology,
                                 const Flow& prototype);

} // namespace ns3::rdma
