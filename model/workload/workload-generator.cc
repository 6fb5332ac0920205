// SPDX-License-Identifier: GPL-2.0-only
#include "workload/workload-generator.h"

#include "base/attributes.h"
#include "base/traffic-class.h"
#include "topology/routing.h"
#include "workload/flow-checks.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(WorkloadGenerator);

TypeId
WorkloadGenerator::GetTypeId()
{
    constexpr uint64_t DEFAULT_PRIORITY = 3; // The class of RoCE in vendors' guides.
    constexpr uint64_t DEFAULT_PORT = 100;   // As in the flow files of the HPCC simulator.
    static TypeId tid =
        TypeId{"ns3::rdma::WorkloadGenerator"}
            .SetParent<Workload>()
            .SetGroupName("Rdma")
            .AddAttribute("Priority",
                          "Priority of the flows, 0 to 7",
                          UintegerValue{DEFAULT_PRIORITY},
                          MakeUintegerAccessor(&WorkloadGenerator::m_priority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1))
            .AddAttribute("DestinationPort",
                          "A number that tells classes of flows apart in results",
                          UintegerValue{DEFAULT_PORT},
                          MakeUintegerAccessor(&WorkloadGenerator::m_destinationPort),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Rate",
                          "Fixed pace of each flow, over what congestion control allows; 0: none",
                          BitRateValue{BitRate{0}},
                          MakeBitRateAccessor(&WorkloadGenerator::m_rate),
                          MakeBitRateChecker())
            .AddAttribute("Congestion",
                          "Congestion control of the flows: that of the scenario, or none, as of "
                          "traffic that does not obey ECN",
                          ChoiceValue<FlowControl>{FlowControl::SCENARIO},
                          MakeChoiceAccessor<FlowControl>(&WorkloadGenerator::m_congestion),
                          MakeChoiceChecker<FlowControl>(
                              {{FlowControl::SCENARIO, "scenario"}, {FlowControl::NONE, "none"}}))
            .AddAttribute("Tag",
                          "Name of the flows in results; empty: the name of the workload",
                          StringValue{""},
                          MakeStringAccessor(&WorkloadGenerator::m_tag),
                          MakeStringChecker());
    return tid;
}

Expected<FlowList>
WorkloadGenerator::Generate(const Topology& topology,
                            uint64_t seed,
                            std::vector<std::string>& notes) const
{
    const RoutingTables routes = ComputeRoutes(topology);
    if (routes.Hosts().empty())
    {
        return MakeDiagnostic("", "the topology has no host", "0 hosts", "at least 2");
    }
    Expected<FlowList> flows = DoGenerate({topology, routes.Hosts(), seed, notes});
    if (!flows)
    {
        return flows;
    }
    Diagnostics findings = CheckFlows(topology, *flows);
    if (!findings.empty())
    {
        return findings;
    }
    const std::optional<size_t> unreachable = FindUnreachablePair(routes, *flows);
    if (unreachable)
    {
        return DescribeUnreachable(topology, (*flows)[*unreachable]);
    }
    SortFlows(*flows);
    return flows;
}

Flow
WorkloadGenerator::MakeFlow(uint32_t source,
                            uint32_t destination,
                            uint64_t bytes,
                            SimTime start) const
{
    Flow flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = bytes;
    flow.start = start;
    flow.priority = m_priority;
    flow.destinationPort = m_destinationPort;
    flow.rate = m_rate.bps == 0 ? std::nullopt : std::optional{m_rate};
    flow.hasCongestionControl = m_congestion == FlowControl::SCENARIO;
    flow.tag = m_tag.empty() ? DoDefaultTag() : m_tag;
    return flow;
}

Expected<std::vector<uint32_t>>
WorkloadGenerator::FindHosts(const WorkloadContext& context, const std::string& names)
{
    Expected<std::vector<uint32_t>> hosts =
        names.empty() ? context.hosts : ResolveHosts(context.topology, names, "hosts");
    constexpr size_t PAIR = 2;
    if (hosts && hosts->size() < PAIR)
    {
        return MakeDiagnostic("hosts",
                              "a flow needs two hosts",
                              std::to_string(hosts->size()) + " hosts",
                              "at least 2");
    }
    return hosts;
}

Diagnostic
WorkloadGenerator::MakeDiagnostic(std::string key,
                                  std::string message,
                                  std::string got,
                                  std::string expected)
{
    Diagnostic diagnostic;
    diagnostic.key = std::move(key);
    diagnostic.message = std::move(message);
    diagnostic.got = std::move(got);
    diagnostic.expected = std::move(expected);
    return diagnostic;
}

Diagnostics
WorkloadGenerator::CheckCount(double flows)
{
    if (flows <= MAX_FLOWS)
    {
        return {};
    }
    constexpr double EXACT = 1e15;
    return {MakeDiagnostic("",
                           "the workload would be too large",
                           flows < EXACT ? std::to_string(static_cast<uint64_t>(flows)) + " flows"
                                         : "more than 10^15 flows",
                           "at most 100000000")};
}

} // namespace ns3::rdma
