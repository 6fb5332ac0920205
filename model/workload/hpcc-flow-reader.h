// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"
#include "workload/flow.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/**
 * Reads a flow file of the HPCC family of simulators.
 *
 * Line 1 holds the number of flows; then a line "source destination priority destinationPort bytes
 * startSeconds" for each, or ConWeave's five columns without the port (then 100 is taken, and a
 * note says so). Start times become picoseconds in integer arithmetic. The result is in the order
 * of SortFlows; a note says if the file was not in order of time. Lines after the last announced
 * flow are not read, as in those simulators, and noted.
 *
 * @param text     the content of the file
 * @param file     its name, for messages
 * @param topology ids are indices of its nodes
 * @param notes    receives what a person should know
 * @error fewer lines than announced (with both numbers), malformed columns and ids that are no
 * hosts (with line and column), source equal to destination
 * @spec Li et al., SIGCOMM 2019, the authors' simulator (mix/flow.txt); conweave-ns3 (5 columns)
 */
Expected<FlowList> ParseHpccFlows(std::string_view text,
                                  const std::string& file,
                                  const Topology& topology,
                                  std::vector<std::string>& notes);

/**
 * Reads the same without knowing the fabric: sources and destinations are the file's own ids.
 *
 * @error as ParseHpccFlows, but any id below MAX_HPCC_NODES is taken for a host's
 */
Expected<FlowList> ParseHpccFlowIds(std::string_view text,
                                    const std::string& file,
                                    std::vector<std::string>& notes);

constexpr uint32_t MAX_HPCC_NODES = 1'000'000; ///< @choice as many as a topology has

/** Whether a text begins like a flow file: a count alone, then five or six columns of numbers. */
bool LooksLikeHpccFlows(std::string_view head);

/** Reads the file of that name by ParseHpccFlows. */
Expected<FlowList> ReadHpccFlows(const std::string& path,
                                 const Topology& topology,
                                 std::vector<std::string>& notes);

} // namespace ns3::rdma
