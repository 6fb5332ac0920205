// SPDX-License-Identifier: GPL-2.0-only
#include "stack/stack-application.h"

#include "base/attributes.h"
#include "base/traffic-class.h"
#include "topology/routing.h"
#include "workload/flow-checks.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr int CLASS_SELECTOR_SHIFT = 5;

Diagnostic
Complain(const std::string& key, const std::string& message, const std::string& expected)
{
    Diagnostic diagnostic;
    diagnostic.key = key;
    diagnostic.message = message;
    diagnostic.expected = expected;
    return diagnostic;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(StackApplication);

TypeId
StackApplication::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::StackApplication"}
            .SetParent<Application>()
            .SetGroupName("Rdma")
            .AddAttribute("Sources",
                          "Names of the hosts that send, separated by commas; empty: the first",
                          StringValue{""},
                          MakeStringAccessor(&StackApplication::m_sources),
                          MakeStringChecker())
            .AddAttribute("Destinations",
                          "Names of the hosts that receive: one for each source, or one for all; "
                          "empty: the first that does not send",
                          StringValue{""},
                          MakeStringAccessor(&StackApplication::m_destinations),
                          MakeStringChecker())
            .AddAttribute("Bytes",
                          "What each connection or stream carries; 0B: it goes on until the run "
                          "ends, which then needs a duration",
                          ByteCountValue{ByteCount{1'000'000}},
                          MakeByteCountAccessor(&StackApplication::m_bytes),
                          MakeByteCountChecker(ByteCount{0}, ByteCount{MAX_FLOW_BYTES}))
            .AddAttribute("Priority",
                          "Priority of its packets, 0 to 7: the class selector of their DSCP",
                          UintegerValue{0},
                          MakeUintegerAccessor(&StackApplication::m_priority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1));
    return tid;
}

uint8_t
StackApplication::GetTrafficClass() const
{
    return static_cast<uint8_t>(m_priority << CLASS_SELECTOR_SHIFT);
}

Expected<std::vector<HostPair>>
StackApplication::FindPairs(const Topology& topology) const
{
    const std::vector<uint32_t> hosts = ComputeRoutes(topology).Hosts();
    const auto find = [&](const std::string& names,
                          const std::string& key,
                          const std::vector<uint32_t>& taken) -> Expected<std::vector<uint32_t>>
    {
        const auto isFree = [&taken](uint32_t host)
        { return std::ranges::find(taken, host) == taken.end(); };
        const auto free = std::ranges::find_if(hosts, isFree);
        if (!names.empty())
        {
            return ResolveHosts(topology, names, key);
        }
        if (free == hosts.end())
        {
            return Complain(key, "no host is left", "a topology with more hosts");
        }
        return std::vector<uint32_t>{*free};
    };
    const auto sources = find(m_sources, "sources", {});
    if (!sources)
    {
        return sources.Errors();
    }
    const auto destinations = find(m_destinations, "destinations", *sources);
    if (!destinations)
    {
        return destinations.Errors();
    }
    const std::size_t pairs = std::max(sources->size(), destinations->size());
    const auto fits = [pairs](std::size_t count) { return count == 1 || count == pairs; };
    if (!fits(sources->size()) || !fits(destinations->size()))
    {
        return Complain("destinations",
                        std::to_string(sources->size()) + " sources and " +
                            std::to_string(destinations->size()) + " destinations",
                        "as many of both, or one of either");
    }
    std::vector<HostPair> found;
    for (std::size_t i = 0; i < pairs; ++i)
    {
        found.emplace_back((*sources)[i % sources->size()],
                           (*destinations)[i % destinations->size()]);
    }
    return found;
}

Diagnostics
StackApplication::DoCheck(const Topology& topology) const
{
    Diagnostics errors = DoCheckMore();
    const auto pairs = FindPairs(topology);
    if (!pairs)
    {
        errors.insert(errors.end(), pairs.Errors().begin(), pairs.Errors().end());
        return errors;
    }
    FlowList flows;
    for (const auto& [source, destination] : *pairs)
    {
        for (const auto& [from, to] :
             {HostPair{source, destination}, HostPair{destination, source}})
        {
            Flow flow;
            flow.source = from;
            flow.destination = to;
            flow.bytes = 1;
            flows.push_back(flow);
        }
    }
    const Diagnostics findings = CheckFlows(topology, flows);
    errors.insert(errors.end(), findings.begin(), findings.end());
    if (!findings.empty())
    {
        return errors;
    }
    if (const auto cut = FindUnreachablePair(ComputeRoutes(topology), flows))
    {
        errors.push_back(DescribeUnreachable(topology, flows[*cut]));
    }
    return errors;
}

Diagnostics
StackApplication::DoCheckMore() const
{
    return {};
}

std::string
FormatNs(SimTime time)
{
    constexpr uint64_t PS_PER_NS = 1000;
    if (time.IsNever())
    {
        return "";
    }
    const std::string decimals = std::to_string(PS_PER_NS + time.ps % PS_PER_NS).substr(1);
    return std::to_string(time.ps / PS_PER_NS) + "." + decimals;
}

std::string
FormatBitRate(uint64_t bytes, SimTime time)
{
    constexpr unsigned __int128 BIT_PS_PER_BYTE = 8'000'000'000'000; // 8 bits x 1e12 ps/s
    return time.ps == 0 ? ""
                        : std::to_string(static_cast<uint64_t>(bytes * BIT_PS_PER_BYTE / time.ps));
}

} // namespace ns3::rdma
