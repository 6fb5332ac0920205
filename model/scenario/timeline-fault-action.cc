// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timeline-fault-action.h"

#include "link/fault-settings.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(FaultEntryAction);

TypeId
FaultEntryAction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::FaultEntryAction")
                            .SetParent<TimelineAction>()
                            .SetGroupName("Rdma")
                            .AddAttribute("Fault",
                                          "Entry of the scenario's faults that is meant, from 0",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&FaultEntryAction::m_fault),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Diagnostics
FaultEntryAction::Prepare(TimelineSite& site)
{
    const auto& faults = site.GetScenario().faults;
    if (m_fault >= faults.size())
    {
        Diagnostic diagnostic = TimelineError(
            "fault", "the scenario has no such entry under faults", std::to_string(m_fault));
        diagnostic.expected = faults.empty() ? "an entry under faults, which may be active: false"
                                             : "0 .. " + std::to_string(faults.size() - 1);
        return {diagnostic};
    }
    m_fabric = &site.GetFabric();
    m_place = faults[m_fault].Create<FaultSettings>()->GetPlace();
    return {};
}

std::vector<RunEvent>
FaultEntryAction::GetRows() const
{
    return {
        {.event = "", .node = "", .detail = "fault " + std::to_string(m_fault) + " " + m_place}};
}

} // namespace ns3::rdma
