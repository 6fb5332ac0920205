// SPDX-License-Identifier: GPL-2.0-only
#include "topology/routing.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t UNREACHED = std::numeric_limits<uint32_t>::max();

} // namespace

std::vector<std::vector<TopologyPort>>
ComputePorts(const Topology& topology)
{
    std::vector<std::vector<TopologyPort>> ports(topology.nodes.size());
    for (uint32_t i = 0; i < topology.links.size(); ++i)
    {
        const TopologyLink& link = topology.links[i];
        ports[link.a].push_back({i, link.b});
        ports[link.b].push_back({i, link.a});
    }
    return ports;
}

RoutingTables::RoutingTables(const Topology& topology, std::vector<bool> isOut)
    : m_isOut{std::move(isOut)},
      m_ports{ComputePorts(topology)},
      m_columnOfNode(topology.nodes.size()),
      m_tables(topology.nodes.size())
{
    AssignColumns(topology);
    std::vector<GroupIndex> index(topology.nodes.size());
    AddNeighbours(topology, index);
    for (uint32_t column = 0; column < m_edgesOfColumn.size(); ++column)
    {
        AddColumn(topology, column, index);
    }
}

void
RoutingTables::AssignColumns(const Topology& topology)
{
    GroupIndex columnOfEdges;
    for (uint32_t node = 0; node < topology.nodes.size(); ++node)
    {
        if (topology.nodes[node].kind != NodeKind::HOST)
        {
            continue;
        }
        m_hosts.push_back(node);
        std::vector<uint32_t> edges;
        for (const TopologyPort& port : m_ports[node])
        {
            if (topology.nodes[port.peer].kind == NodeKind::SWITCH && IsUsable(port))
            {
                edges.push_back(port.peer);
            }
        }
        std::sort(edges.begin(), edges.end());
        edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
        const auto [found, isNew] = columnOfEdges.emplace(edges, m_edgesOfColumn.size());
        if (isNew)
        {
            m_edgesOfColumn.push_back(edges);
        }
        m_columnOfNode[node] = found->second;
    }
}

void
RoutingTables::AddNeighbours(const Topology& topology, std::vector<GroupIndex>& index)
{
    for (uint32_t node = 0; node < topology.nodes.size(); ++node)
    {
        std::map<uint32_t, std::vector<uint32_t>> portsOfHost;
        for (uint32_t port = 0; port < m_ports[node].size(); ++port)
        {
            const uint32_t peer = m_ports[node][port].peer;
            if (topology.nodes[peer].kind == NodeKind::HOST && IsUsable(m_ports[node][port]))
            {
                portsOfHost[peer].push_back(port);
            }
        }
        for (const auto& [host, ports] : portsOfHost)
        {
            m_tables[node].groupOfHost[host] = FindGroup(node, ports, index[node]);
        }
    }
}

void
RoutingTables::AddColumn(const Topology& topology, uint32_t column, std::vector<GroupIndex>& index)
{
    // Distance to the nearest switch on which the column's hosts hang; only switches forward.
    std::vector<uint32_t> distance(topology.nodes.size(), UNREACHED);
    std::vector<uint32_t> queue = m_edgesOfColumn[column];
    for (const uint32_t edge : queue)
    {
        distance[edge] = 0;
    }
    for (size_t i = 0; i < queue.size(); ++i)
    {
        const uint32_t node = queue[i];
        for (const TopologyPort& port : m_ports[node])
        {
            if (distance[port.peer] != UNREACHED || !IsUsable(port))
            {
                continue;
            }
            distance[port.peer] = distance[node] + 1;
            if (topology.nodes[port.peer].kind == NodeKind::SWITCH)
            {
                queue.push_back(port.peer);
            }
        }
    }
    std::vector<uint32_t> ports;
    for (uint32_t node = 0; node < topology.nodes.size(); ++node)
    {
        ports.clear();
        for (uint32_t port = 0; port < m_ports[node].size(); ++port)
        {
            const uint32_t peer = m_ports[node][port].peer;
            if (topology.nodes[peer].kind == NodeKind::SWITCH && distance[node] != UNREACHED &&
                distance[peer] + 1 == distance[node] && IsUsable(m_ports[node][port]))
            {
                ports.push_back(port);
            }
        }
        m_tables[node].groupOfColumn.push_back(FindGroup(node, ports, index[node]));
    }
}

uint32_t
RoutingTables::FindGroup(uint32_t node, const std::vector<uint32_t>& ports, GroupIndex& index)
{
    if (ports.empty())
    {
        return NO_ROUTE;
    }
    std::vector<std::vector<uint32_t>>& groups = m_tables[node].groups;
    const auto [found, isNew] = index.emplace(ports, static_cast<uint32_t>(groups.size()));
    if (isNew)
    {
        groups.push_back(ports);
    }
    return found->second;
}

uint32_t
RoutingTables::GroupOf(uint32_t node, uint32_t destination) const
{
    const NodeTable& table = m_tables[node];
    const auto neighbour = table.groupOfHost.find(destination);
    if (neighbour != table.groupOfHost.end())
    {
        return neighbour->second;
    }
    return table.groupOfColumn[m_columnOfNode[destination]];
}

void
RoutingTables::SetNext(uint32_t node, uint32_t destination, uint32_t next)
{
    std::vector<uint32_t> ports;
    for (uint32_t port = 0; port < m_ports[node].size(); ++port)
    {
        if (m_ports[node][port].peer == next)
        {
            ports.push_back(port);
        }
    }
    NodeTable& table = m_tables[node];
    const auto found = std::find(table.groups.begin(), table.groups.end(), ports);
    table.groupOfHost[destination] = static_cast<uint32_t>(found - table.groups.begin());
    if (found == table.groups.end())
    {
        table.groups.push_back(ports);
    }
    const auto place = std::lower_bound(m_directed.begin(), m_directed.end(), destination);
    if (place == m_directed.end() || *place != destination)
    {
        m_directed.insert(place, destination);
    }
}

std::vector<uint32_t>
RoutingTables::FindLoop(uint32_t destination) const
{
    // Take away the nodes from which every way ends, until only those of loops are left, and those
    // that lead into one.
    std::vector<bool> isSafe(m_ports.size());
    const auto isLeadingOn = [&](uint32_t port, uint32_t node)
    { return !isSafe[m_ports[node][port].peer]; };
    const auto findUnsafe = [&](uint32_t node) -> std::optional<uint32_t>
    {
        const std::span<const uint32_t> ports = NextPorts(node, destination);
        const auto found = std::find_if(
            ports.begin(), ports.end(), [&](uint32_t port) { return isLeadingOn(port, node); });
        return found == ports.end() ? std::nullopt : std::optional{m_ports[node][*found].peer};
    };
    isSafe[destination] = true;
    for (bool hasChanged = true; hasChanged;)
    {
        hasChanged = false;
        for (uint32_t node = 0; node < m_ports.size(); ++node)
        {
            if (!isSafe[node] && !findUnsafe(node))
            {
                isSafe[node] = true;
                hasChanged = true;
            }
        }
    }
    const auto first = std::find(isSafe.begin(), isSafe.end(), false);
    if (first == isSafe.end())
    {
        return {};
    }
    std::vector<uint32_t> way{static_cast<uint32_t>(first - isSafe.begin())};
    for (;;)
    {
        const uint32_t next = *findUnsafe(way.back());
        const auto again = std::find(way.begin(), way.end(), next);
        if (again != way.end())
        {
            return {again, way.end()};
        }
        way.push_back(next);
    }
}

std::vector<uint32_t>
RoutingTables::RepresentativeHosts() const
{
    std::vector<uint32_t> hosts = m_directed;
    std::vector<bool> hasColumn(m_edgesOfColumn.size());
    for (const uint32_t host : m_hosts)
    {
        const bool isDirected = std::binary_search(m_directed.begin(), m_directed.end(), host);
        if (!isDirected && !hasColumn[m_columnOfNode[host]])
        {
            hasColumn[m_columnOfNode[host]] = true;
            hosts.push_back(host);
        }
    }
    return hosts;
}

std::optional<std::vector<uint32_t>>
RoutingTables::FirstPath(uint32_t source, uint32_t destination) const
{
    std::vector<uint32_t> path;
    for (uint32_t node = source; node != destination;)
    {
        const std::span<const uint32_t> ports = NextPorts(node, destination);
        if (ports.empty())
        {
            return std::nullopt;
        }
        const TopologyPort& port = m_ports[node][ports.front()];
        path.push_back(port.link);
        node = port.peer;
    }
    return path;
}

} // namespace ns3::rdma
