// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timeline-site.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** A whole number below a limit. */
std::optional<uint32_t>
ParseIndex(const std::string& word, std::size_t limit)
{
    uint32_t number = 0;
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, number);
    const bool isIndex = error == std::errc{} && stop == end && number < limit;
    return isIndex ? std::optional{number} : std::nullopt;
}

std::string
DescribeRange(std::size_t count)
{
    return count == 0 ? "there is none" : "a number, 0 .. " + std::to_string(count - 1);
}

} // namespace

Diagnostic
TimelineError(std::string key, std::string message, std::string got)
{
    Diagnostic diagnostic;
    diagnostic.key = std::move(key);
    diagnostic.message = std::move(message);
    diagnostic.got = std::move(got);
    return diagnostic;
}

TimelineSite::TimelineSite(const Scenario& scenario, Fabric& fabric, FlowRunner& runner)
    : m_scenario{scenario},
      m_fabric{fabric},
      m_runner{runner}
{
}

Diagnostics
TimelineSite::CheckNode(const std::string& key, const std::string& name) const
{
    std::vector<std::string> known;
    for (const TopologyNode& node : m_scenario.topology.nodes)
    {
        known.push_back(node.name);
    }
    if (name.empty() || std::find(known.begin(), known.end(), name) != known.end())
    {
        return {};
    }
    constexpr std::size_t LISTED = 32;
    Diagnostic diagnostic = TimelineError(key, "there is no such node", name);
    diagnostic.nearest = NearestName(name, known);
    known.resize(std::min(known.size(), LISTED));
    diagnostic.knownNames = known;
    return {diagnostic};
}

Expected<std::vector<uint32_t>>
TimelineSite::FindCables(const CableNames& names) const
{
    const Topology& topology = m_scenario.topology;
    Diagnostics errors = CheckNode("from", names.from);
    const Diagnostics more = CheckNode("to", names.to);
    errors.insert(errors.end(), more.begin(), more.end());
    const auto number = ParseIndex(names.link, topology.links.size());
    if (!names.link.empty() && !number)
    {
        errors.push_back(TimelineError("link", "there is no such cable", names.link));
        errors.back().expected = DescribeRange(topology.links.size()) + ", as in links.csv";
    }
    if (names.from.empty() && names.to.empty() && names.link.empty())
    {
        errors.push_back(TimelineError("from", "no cable is named", ""));
        errors.back().expected = "from, to or link";
    }
    if (!errors.empty())
    {
        return errors;
    }
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < topology.links.size(); ++link)
    {
        const std::string& a = topology.nodes[topology.links[link].a].name;
        const std::string& b = topology.nodes[topology.links[link].b].name;
        const auto joins = [&names](const std::string& one, const std::string& other) {
            return (names.from.empty() || names.from == one) &&
                   (names.to.empty() || names.to == other);
        };
        if ((!number || *number == link) && (joins(a, b) || joins(b, a)))
        {
            links.push_back(link);
        }
    }
    if (links.empty())
    {
        const std::string ends = names.from.empty() || names.to.empty()
                                     ? names.from + names.to
                                     : names.from + " - " + names.to;
        Diagnostic diagnostic = TimelineError("from", "there is no such cable", ends);
        diagnostic.expected = "two nodes with a cable between them, or the cable's own number";
        return diagnostic;
    }
    return links;
}

std::vector<RunEvent>
TimelineSite::DescribeCables(const std::vector<uint32_t>& links) const
{
    std::vector<RunEvent> rows;
    for (const uint32_t link : links)
    {
        const FabricLink& side = m_fabric.GetLinks()[2 * link];
        rows.push_back({.event = "",
                        .node = side.from,
                        .port = side.fromPort,
                        .detail = "link " + std::to_string(link) + " to " + side.to + " port " +
                                  std::to_string(side.toPort)});
    }
    return rows;
}

Expected<std::vector<uint32_t>>
TimelineSite::FindFlows(const std::string& names) const
{
    std::string text = names;
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream words{text};
    const FlowList& flows = m_scenario.flows;
    std::set<uint32_t> found;
    std::set<std::string> tags;
    for (const Flow& flow : flows)
    {
        tags.insert(flow.tag);
    }
    Diagnostics errors;
    for (std::string word; words >> word;)
    {
        if (const auto number = ParseIndex(word, flows.size()))
        {
            found.insert(*number);
            continue;
        }
        if (tags.count(word) == 0)
        {
            errors.push_back(TimelineError("flows", "there is no such flow", word));
            errors.back().knownNames = {tags.begin(), tags.end()};
            errors.back().nearest = NearestName(word, errors.back().knownNames);
            errors.back().expected = DescribeRange(flows.size()) + ", or the tag of flows";
        }
        for (uint32_t flow = 0; flow < flows.size(); ++flow)
        {
            if (flows[flow].tag == word)
            {
                found.insert(flow);
            }
        }
    }
    if (errors.empty() && found.empty())
    {
        errors.push_back(TimelineError("flows", "no flow is named", names));
        errors.back().expected = DescribeRange(flows.size()) + ", or the tag of flows";
    }
    if (!errors.empty())
    {
        return errors;
    }
    return std::vector<uint32_t>{found.begin(), found.end()};
}

} // namespace ns3::rdma
