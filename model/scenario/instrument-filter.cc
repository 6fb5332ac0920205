// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/instrument-filter.h"

#include <algorithm>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** Ranges of one key; adds what is wrong with them. */
NumberRanges
ReadRanges(const std::string& key, const std::string& text, uint64_t most, Diagnostics& errors)
{
    auto ranges = NumberRanges::Parse(text, most);
    if (ranges)
    {
        return *ranges;
    }
    for (Diagnostic error : ranges.Errors())
    {
        error.key = key;
        errors.push_back(error);
    }
    return {};
}

} // namespace

Expected<InstrumentFilter>
InstrumentFilter::Parse(const FilterTexts& texts)
{
    InstrumentFilter filter;
    Diagnostics errors;
    filter.m_ports = ReadRanges("ports", texts.ports, UINT16_MAX, errors);
    filter.m_priorities = ReadRanges("priorities", texts.priorities, PRIORITY_COUNT - 1, errors);
    filter.m_flows = ReadRanges("flows", texts.flows, UINT32_MAX, errors);
    std::string names = texts.nodes;
    std::ranges::replace(names, ',', ' ');
    std::istringstream stream{names};
    for (std::string name; stream >> name;)
    {
        filter.m_nodes.push_back(name);
    }
    if (!errors.empty())
    {
        return errors;
    }
    return filter;
}

Diagnostics
InstrumentFilter::FindUnknown(const Scenario& scenario) const
{
    Diagnostics errors;
    std::vector<std::string> known;
    std::vector<uint64_t> ports(scenario.topology.nodes.size());
    for (const TopologyLink& link : scenario.topology.links)
    {
        ++ports[link.a];
        ++ports[link.b];
    }
    uint64_t mostPorts = 0;
    for (std::size_t node = 0; node < ports.size(); ++node)
    {
        known.push_back(scenario.topology.nodes[node].name);
        mostPorts = HasNode(known.back()) ? std::max(mostPorts, ports[node]) : mostPorts;
    }
    for (const std::string& name : m_nodes)
    {
        if (std::ranges::find(known, name) == known.end())
        {
            errors.push_back({"",
                              0,
                              "nodes",
                              "there is no such node",
                              name,
                              "names of nodes of the topology, separated by spaces",
                              NearestName(name, known),
                              {}});
        }
    }
    const auto complain = [&errors](const std::string& key, uint64_t got, uint64_t count)
    {
        errors.push_back({"",
                          0,
                          key,
                          "there is none of that number",
                          std::to_string(got),
                          "below " + std::to_string(count),
                          "",
                          {}});
    };
    if (errors.empty() && m_ports.GetLargest() >= mostPorts && !m_ports.IsAll())
    {
        complain("ports", m_ports.GetLargest(), mostPorts);
    }
    // The connections of applications have numbers of their own, which nobody knows before the run.
    const bool knowsFlows = scenario.applications.empty();
    if (knowsFlows && !m_flows.IsAll() && m_flows.GetLargest() >= scenario.flows.size())
    {
        complain("flows", m_flows.GetLargest(), scenario.flows.size());
    }
    return errors;
}

bool
InstrumentFilter::HasNode(const std::string& node) const
{
    return m_nodes.empty() || std::ranges::find(m_nodes, node) != m_nodes.end();
}

bool
InstrumentFilter::HasPlace(const std::string& node, uint16_t port) const
{
    return m_ports.Has(port) && HasNode(node);
}

} // namespace ns3::rdma
