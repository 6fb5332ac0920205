// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/topology.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/**
 * Reads a topology file of the HPCC family of simulators.
 *
 * Line 1 holds the numbers of nodes, switches and links; then come the switch ids; then a line
 * "a b rate delay loss" for each link. Two other first lines are read as well and noted: four
 * numbers (nodes, switches, top-of-rack switches, links), and SimAI's six words (nodes, GPUs per
 * server, NVSwitches, switches, links, GPU type) with the NVSwitch ids before the switch ids.
 * A node's index is its id and its name the id's digits.
 *
 * Lines after the last link are not read, as in those simulators, whose files carry a legend
 * there; a note says how many. If the first of them is a link between known nodes the count is
 * taken to be wrong.
 *
 * @param text  the content of the file
 * @param file  its name, for messages and TopologyLink::origin
 * @param notes receives what a person should know
 * @error wrong counts (with both numbers), unknown node ids, malformed rates, delays and loss
 * rates (with line and column), links in disorder; not the ranges that ValidateTopology checks
 * @spec Li et al., SIGCOMM 2019, the authors' simulator (mix/topology.txt); inet-tub
 * ns3-datacenter (PowerTCP/topology-256.txt); SimAI (gen_Topo_Template.py)
 * @choice one link a line, or several whole ones: with free line breaks, which those simulators
 * allow, a missing word would shift all that follows
 */
Expected<Topology> ParseHpccTopology(std::string_view text,
                                     const std::string& file,
                                     std::vector<std::string>& notes);

/** Reads the file of that name by ParseHpccTopology. */
Expected<Topology> ReadHpccTopology(const std::string& path, std::vector<std::string>& notes);

} // namespace ns3::rdma
