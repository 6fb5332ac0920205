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
 * Reads a topology file of htsim (.topo): a fat-tree of two or three tiers.
 *
 * First stand Nodes, Tiers (2 or 3) and Podsize (hosts of a pod), then for each tier from 0 (next
 * to the hosts) "Tier n" and its values: Downlink_speed_Gbps, Downlink_Latency_ns, Radix_Down, and
 * where they are needed Radix_Up (not of the top), Oversubscribed and Bundle (cables to each switch
 * below; both 1 if not given), Switch_Latency_ns, Queue_Down, Queue_Up. Words are read in any case;
 * '#' begins a comment line.
 *
 * Nodes are h0, h1, ..., then tor0, ..., agg0, ..., core0, ... Host i is at switch i / Radix_Down.
 * Each switch of tier 1 has a bundle to each of tier 0 in its pod; the j-th of a pod, whichever
 * pod, has one to the cores j, j + a, j + 2a, ..., where a is the number of tier-1 switches of a
 * pod. Links are those of the hosts, then those of each tor, then those of each agg.
 *
 * @param text  the content of the file
 * @param file  its name, for messages
 * @param notes receives what a person should know: latencies of switches and sizes of queues, which
 * are no part of a topology
 * @error unknown words (with the nearest), values twice or missing, numbers that do not agree
 * (radix, bundle, pod size, Oversubscribed against the capacities that follow from radix and speed)
 * @spec uet-htsim, sim/datacenter/fat_tree_topology.cpp
 * Not modelled: a bundle of cables to a host, several pods in two tiers
 */
Expected<Topology> ParseHtsimTopology(std::string_view text,
                                      const std::string& file,
                                      std::vector<std::string>& notes);

/** Reads the file of that name by ParseHtsimTopology. */
Expected<Topology> ReadHtsimTopology(const std::string& path, std::vector<std::string>& notes);

} // namespace ns3::rdma
