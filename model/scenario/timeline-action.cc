// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timeline-action.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(TimelineAction);

TypeId
TimelineAction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::TimelineAction")
                            .SetParent<Object>()
                            .SetGroupName("Rdma")
                            .AddAttribute("At",
                                          "When it happens, before all else of that instant",
                                          SimTimeValue(SimTime{}),
                                          MakeSimTimeAccessor(&TimelineAction::m_at),
                                          MakeSimTimeChecker());
    return tid;
}

Diagnostics
TimelineAction::CheckSettings() const
{
    return {};
}

SimTime
TimelineAction::GetDuration() const
{
    return {};
}

void
TimelineAction::Undo(SimTime)
{
}

} // namespace ns3::rdma
