// SPDX-License-Identifier: GPL-2.0-only
#include "workload/flow-checks.h"

#include "base/traffic-class.h"
#include "topology/text-reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ns3::rdma
{

namespace
{

auto
Order(const Flow& flow)
{
    return std::tie(flow.start,
                    flow.source,
                    flow.destination,
                    flow.destinationPort,
                    flow.bytes,
                    flow.priority,
                    flow.rate,
                    flow.hasCongestionControl,
                    flow.tag);
}

bool
IsBefore(const Flow& a, const Flow& b)
{
    return Order(a) < Order(b);
}

std::string
NameOf(const Topology& topology, uint32_t node)
{
    return node < topology.nodes.size() ? topology.nodes[node].name : "#" + std::to_string(node);
}

bool
IsHost(const Topology& topology, uint32_t node)
{
    return node < topology.nodes.size() && topology.nodes[node].kind == NodeKind::HOST;
}

std::string
Describe(const Topology& topology, const Flow& flow)
{
    return "flow " + NameOf(topology, flow.source) + " -> " + NameOf(topology, flow.destination);
}

void
CheckFlow(const Topology& topology, const Flow& flow, Diagnostics& findings)
{
    const auto report = [&](std::string message, std::string got, std::string expected)
    {
        Diagnostic diagnostic;
        diagnostic.message = Describe(topology, flow) + ": " + message;
        diagnostic.got = std::move(got);
        diagnostic.expected = std::move(expected);
        findings.push_back(std::move(diagnostic));
    };
    for (const uint32_t end : {flow.source, flow.destination})
    {
        if (!IsHost(topology, end))
        {
            report("one end is no host", NameOf(topology, end), "a host");
        }
    }
    if (flow.source == flow.destination)
    {
        report("a host that sends to itself is not modelled",
               NameOf(topology, flow.source),
               "two different hosts");
    }
    if (flow.priority >= PRIORITY_COUNT)
    {
        report("no such priority", std::to_string(flow.priority), "0 to 7");
    }
    if (flow.bytes == 0 || flow.bytes > MAX_FLOW_BYTES)
    {
        report("absurd size", std::to_string(flow.bytes) + " bytes", "1 to 2^63 bytes");
    }
    if (flow.start.IsNever())
    {
        report("the flow never starts", "never", "a time");
    }
}

} // namespace

void
SortFlows(FlowList& flows)
{
    std::sort(flows.begin(), flows.end(), IsBefore);
}

bool
AreFlowsSorted(const FlowList& flows)
{
    return std::is_sorted(flows.begin(), flows.end(), IsBefore);
}

Diagnostics
CheckFlows(const Topology& topology, const FlowList& flows)
{
    Diagnostics findings;
    for (const Flow& flow : flows)
    {
        if (findings.size() >= DiagnosticList::MAX_KEPT)
        {
            break;
        }
        CheckFlow(topology, flow, findings);
    }
    return findings;
}

std::optional<size_t>
FindUnreachablePair(const RoutingTables& routes, const FlowList& flows)
{
    for (size_t i = 0; i < flows.size(); ++i)
    {
        if (routes.GroupOf(flows[i].source, flows[i].destination) == RoutingTables::NO_ROUTE)
        {
            return i;
        }
    }
    return std::nullopt;
}

Diagnostic
DescribeUnreachable(const Topology& topology, const Flow& flow)
{
    Diagnostic diagnostic;
    diagnostic.message = "host " + NameOf(topology, flow.destination) +
                         " cannot be reached from host " + NameOf(topology, flow.source) +
                         " (hosts do not forward)";
    diagnostic.got = Describe(topology, flow);
    diagnostic.expected = "a path over switches, or a direct cable";
    return diagnostic;
}

Expected<std::vector<uint32_t>>
ResolveHosts(const Topology& topology, const std::string& names, const std::string& key)
{
    std::map<std::string, uint32_t> known;
    std::vector<std::string> knownNames;
    for (uint32_t node = 0; node < topology.nodes.size(); ++node)
    {
        if (IsHost(topology, node))
        {
            known.emplace(topology.nodes[node].name, node);
            knownNames.push_back(topology.nodes[node].name);
        }
    }
    std::string text = names;
    std::replace(text.begin(), text.end(), ',', ' ');
    TextReader reader{text};
    std::vector<uint32_t> hosts;
    std::set<uint32_t> seen;
    Diagnostics findings;
    for (std::vector<TextToken> words; reader.Next(words);)
    {
        for (const TextToken& word : words)
        {
            Diagnostic diagnostic;
            diagnostic.key = key;
            diagnostic.got = std::string{word.text};
            const auto found = known.find(diagnostic.got);
            if (found == known.end())
            {
                diagnostic.message = "no host has this name";
                diagnostic.nearest = NearestName(diagnostic.got, knownNames);
                diagnostic.expected =
                    "the name of one of " + std::to_string(knownNames.size()) + " hosts";
                findings.push_back(std::move(diagnostic));
            }
            else if (!seen.insert(found->second).second)
            {
                diagnostic.message = "the host is named twice";
                diagnostic.expected = "each host once";
                findings.push_back(std::move(diagnostic));
            }
            else
            {
                hosts.push_back(found->second);
            }
        }
    }
    if (!findings.empty())
    {
        return findings;
    }
    return hosts;
}

} // namespace ns3::rdma
