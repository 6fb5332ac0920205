// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/fabric.h"
#include "topology/route-check.h"
#include "topology/route-settings.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace ns3::rdma
{

namespace
{

/** What is wrong with a name of a directed route. */
struct WrongName
{
    std::string key;
    std::string message;
    std::string got;
    std::vector<std::string> known;
};

Diagnostic
MakeDiagnostic(const WrongName& wrong)
{
    Diagnostic diagnostic;
    diagnostic.key = wrong.key;
    diagnostic.message = wrong.message;
    diagnostic.got = wrong.got;
    diagnostic.nearest = NearestName(wrong.got, wrong.known);
    diagnostic.knownNames = wrong.known;
    return diagnostic;
}

/** The nodes that directed routes may name, and where they stand. */
class NamedNodes
{
  public:
    explicit NamedNodes(const Topology& topology) : m_topology{topology} {}

    std::vector<std::string> Names(NodeKind kind) const
    {
        std::vector<std::string> names;
        for (const TopologyNode& node : m_topology.nodes)
        {
            if (node.kind == kind)
            {
                names.push_back(node.name);
            }
        }
        return names;
    }

    /** A node of a kind; adds what is wrong if there is none. */
    std::optional<uint32_t> Find(const std::string& name, NodeKind kind, const std::string& key)
    {
        for (uint32_t node = 0; node < m_topology.nodes.size(); ++node)
        {
            if (m_topology.nodes[node].name == name && m_topology.nodes[node].kind == kind)
            {
                return node;
            }
        }
        const bool isSwitch = kind == NodeKind::SWITCH;
        m_errors.push_back(
            MakeDiagnostic({key, isSwitch ? "no such switch" : "no such host", name, Names(kind)}));
        return std::nullopt;
    }

    /** The neighbour of a switch that a route to a host may take; adds what is wrong. */
    std::optional<uint32_t> FindNext(const DirectedRoute& route,
                                     const std::vector<TopologyPort>& ports,
                                     const std::string& key)
    {
        std::vector<std::string> known;
        for (const TopologyPort& port : ports)
        {
            const TopologyNode& peer = m_topology.nodes[port.peer];
            const bool mayForward = peer.kind == NodeKind::SWITCH || peer.name == route.destination;
            if (mayForward && peer.name == route.next)
            {
                return port.peer;
            }
            if (mayForward && std::find(known.begin(), known.end(), peer.name) == known.end())
            {
                known.push_back(peer.name);
            }
        }
        m_errors.push_back(MakeDiagnostic(
            {key,
             route.node + " has no cable to it, or it does not forward to " + route.destination,
             route.next,
             known}));
        return std::nullopt;
    }

    Diagnostics& Errors()
    {
        return m_errors;
    }

  private:
    const Topology& m_topology;
    Diagnostics m_errors;
};

std::string
JoinNames(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
    {
        text += (text.empty() ? "" : " -> ") + name;
    }
    return text;
}

} // namespace

Diagnostics
Fabric::DirectRoutes()
{
    const Topology& topology = m_scenario.topology;
    const auto ports = ComputePorts(topology);
    NamedNodes nodes{topology};
    std::set<std::pair<uint32_t, uint32_t>> known;
    std::map<uint32_t, std::string> keys;
    for (std::size_t i = 0; i < m_scenario.routes.size(); ++i)
    {
        const DirectedRoute route = m_scenario.routes[i].Create<RouteSettings>()->GetRoute();
        const std::string key = "routes." + std::to_string(i) + ".";
        const auto node = nodes.Find(route.node, NodeKind::SWITCH, key + "node");
        const auto host = nodes.Find(route.destination, NodeKind::HOST, key + "destination");
        const auto next = node && host ? nodes.FindNext(route, ports[*node], key + "next")
                                       : std::optional<uint32_t>{};
        if (!next)
        {
            continue;
        }
        if (!known.insert({*node, *host}).second)
        {
            nodes.Errors().push_back(
                MakeDiagnostic({key + "next",
                                "a second route of " + route.node + " to " + route.destination,
                                route.next,
                                {}}));
        }
        // A route to a host itself is the one that there is: a shorter one cannot be.
        for (const uint32_t interface : m_interfacesOfNode[*host])
        {
            if (*next != *host)
            {
                m_routes->SetNext(*node, m_splitNodeOfInterface[interface], *next);
            }
        }
        keys[*host] = key + "next";
    }
    if (nodes.Errors().empty())
    {
        CheckForLoops(keys, nodes.Errors());
    }
    return nodes.Errors();
}

void
Fabric::CheckForLoops(const std::map<uint32_t, std::string>& keys, Diagnostics& errors) const
{
    for (const auto& [host, key] : keys)
    {
        std::vector<uint32_t> loop;
        for (const uint32_t interface : m_interfacesOfNode[host])
        {
            const auto found = m_routes->FindLoop(m_splitNodeOfInterface[interface]);
            loop = loop.empty() ? found : loop;
        }
        if (loop.empty())
        {
            continue;
        }
        loop.push_back(loop.front());
        std::vector<std::string> names;
        for (const uint32_t node : loop)
        {
            names.push_back(m_split.nodes[node].name);
        }
        errors.push_back(MakeDiagnostic(
            {key,
             "frames for " + m_split.nodes[host].name + " go round: " + JoinNames(names),
             names[1],
             {}}));
    }
}

void
Fabric::CheckRoutes()
{
    const auto cycle =
        m_pfc.lossless == 0 ? std::vector<Channel>{} : FindDependencyCycle(m_split, *m_routes);
    if (cycle.empty())
    {
        return;
    }
    std::vector<std::string> names;
    for (const Channel channel : cycle)
    {
        const FabricLink& link = m_links[channel];
        names.push_back(link.from + " port " + std::to_string(link.fromPort));
    }
    names.push_back(names.front());
    m_warnings.push_back("routes can deadlock lossless classes, a cycle of " +
                         std::to_string(cycle.size()) + " links: " + JoinNames(names));
}

} // namespace ns3::rdma
