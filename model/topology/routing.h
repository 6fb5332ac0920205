// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/topology.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ns3::rdma
{

/** One end of a cable, seen from its node. */
struct TopologyPort
{
    uint32_t link{0}; ///< index into Topology::links
    uint32_t peer{0}; ///< the node at the other end

    bool operator==(const TopologyPort&) const = default;
};

/**
 * The ports of every node, in the order of its links.
 *
 * @return by node, then by port number
 */
std::vector<std::vector<TopologyPort>> ComputePorts(const Topology& topology);

/**
 * For every node and destination host, the ports at which a shortest path begins.
 *
 * Length is counted in cables. Hosts do not forward. Parallel cables are separate entries. Hosts
 * that hang on the same nodes share one column, and equal sets of ports one group, so that 1024
 * hosts and 320 switches take about a megabyte.
 */
class RoutingTables
{
  public:
    /** The group without a port: no path. */
    static constexpr uint32_t NO_ROUTE = 0;

    /** @param isOut by cable: whether no path may use it; empty: all may be used */
    explicit RoutingTables(const Topology& topology, std::vector<bool> isOut = {});

    /**
     * The set of next ports of a node towards a host.
     *
     * @param node        any node
     * @param destination a host other than the node
     * @return an index for Group; NO_ROUTE if there is no path
     */
    uint32_t GroupOf(uint32_t node, uint32_t destination) const;

    /**
     * Sends what comes to a switch for a host to a neighbour, by all cables between the two.
     *
     * Nothing is checked: see FindLoop.
     */
    void SetNext(uint32_t node, uint32_t destination, uint32_t next);

    /**
     * The nodes that a frame for a host would go round for ever; empty without a loop.
     *
     * Shortest paths have none; after SetNext there may be one.
     */
    std::vector<uint32_t> FindLoop(uint32_t destination) const;

    /** Hosts that stand for all: of those with the same routes but for the last cable, one. */
    std::vector<uint32_t> RepresentativeHosts() const;

    /** The ports of a node's group, ascending; empty for NO_ROUTE. */
    std::span<const uint32_t> Group(uint32_t node, uint32_t group) const
    {
        return m_tables[node].groups[group];
    }

    /** Number of groups of a node, NO_ROUTE included. */
    uint32_t GroupCount(uint32_t node) const
    {
        return static_cast<uint32_t>(m_tables[node].groups.size());
    }

    /** Group(node, GroupOf(node, destination)). */
    std::span<const uint32_t> NextPorts(uint32_t node, uint32_t destination) const
    {
        return Group(node, GroupOf(node, destination));
    }

    const std::vector<std::vector<TopologyPort>>& Ports() const
    {
        return m_ports;
    }

    /** The hosts, ascending by node. */
    const std::vector<uint32_t>& Hosts() const
    {
        return m_hosts;
    }

    /**
     * The cables of the path that takes the first port of each group.
     *
     * @return indices into Topology::links from the source on; nothing if there is no path; empty
     * if both are the same
     */
    std::optional<std::vector<uint32_t>> FirstPath(uint32_t source, uint32_t destination) const;

  private:
    struct NodeTable
    {
        std::vector<uint32_t> groupOfColumn;      ///< for hosts that are not neighbours
        std::map<uint32_t, uint32_t> groupOfHost; ///< for neighbours
        std::vector<std::vector<uint32_t>> groups{{}};
    };

    using GroupIndex = std::map<std::vector<uint32_t>, uint32_t>;

    bool IsUsable(const TopologyPort& port) const
    {
        return m_isOut.empty() || !m_isOut[port.link];
    }

    void AssignColumns(const Topology& topology);
    void AddNeighbours(const Topology& topology, std::vector<GroupIndex>& index);
    void AddColumn(const Topology& topology, uint32_t column, std::vector<GroupIndex>& index);
    uint32_t FindGroup(uint32_t node, const std::vector<uint32_t>& ports, GroupIndex& index);

    std::vector<bool> m_isOut; ///< by cable
    std::vector<std::vector<TopologyPort>> m_ports;
    std::vector<uint32_t> m_hosts;
    std::vector<uint32_t> m_columnOfNode;               ///< meaningful for hosts
    std::vector<std::vector<uint32_t>> m_edgesOfColumn; ///< the switches on which its hosts hang
    std::vector<NodeTable> m_tables;
    std::vector<uint32_t> m_directed; ///< hosts to which SetNext has led, ascending
};

/** The routing tables of a topology. */
inline RoutingTables
ComputeRoutes(const Topology& topology)
{
    return RoutingTables{topology};
}

} // namespace ns3::rdma
