// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timeline-flow-action.h"

#include "ns3/string.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FlowAction);

TypeId
FlowAction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::FlowAction")
                            .SetParent<TimelineAction>()
                            .SetGroupName("Rdma")
                            .AddAttribute("Flows",
                                          "Flows that are meant: numbers as flows.csv has them, or "
                                          "tags of workloads; it must be given",
                                          StringValue(""),
                                          MakeStringAccessor(&FlowAction::m_names),
                                          MakeStringChecker());
    return tid;
}

Diagnostics
FlowAction::Prepare(TimelineSite& site)
{
    const auto flows = site.FindFlows(m_names);
    if (!flows)
    {
        return flows.Errors();
    }
    m_runner = &site.GetRunner();
    m_flows = *flows;
    const Scenario& scenario = site.GetScenario();
    for (const uint32_t flow : m_flows)
    {
        const Flow& about = scenario.flows[flow];
        m_rows.push_back({.event = "",
                          .node = scenario.topology.nodes[about.source].name,
                          .detail = "flow " + std::to_string(flow) + " to " +
                                    scenario.topology.nodes[about.destination].name});
    }
    return {};
}

std::vector<RunEvent>
FlowAction::GetRows() const
{
    return m_rows;
}

} // namespace ns3::rdma
