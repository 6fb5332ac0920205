// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timeline-cable-action.h"

#include "ns3/string.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CableAction);

TypeId
CableAction::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::CableAction")
                            .SetParent<TimelineAction>()
                            .SetGroupName("Rdma")
                            .AddAttribute("From",
                                          "Node at one end of the cables; empty: any",
                                          StringValue(""),
                                          MakeStringAccessor(&CableAction::m_from),
                                          MakeStringChecker())
                            .AddAttribute("To",
                                          "Node at the other end; empty: any",
                                          StringValue(""),
                                          MakeStringAccessor(&CableAction::m_to),
                                          MakeStringChecker())
                            .AddAttribute("Link",
                                          "Number of the cable as links.csv has it; empty: any",
                                          StringValue(""),
                                          MakeStringAccessor(&CableAction::m_link),
                                          MakeStringChecker());
    return tid;
}

Diagnostics
CableAction::Prepare(TimelineSite& site)
{
    const auto links = site.FindCables({m_from, m_to, m_link});
    if (!links)
    {
        return links.Errors();
    }
    m_fabric = &site.GetFabric();
    m_links = *links;
    m_rows = site.DescribeCables(m_links);
    return {};
}

std::vector<RunEvent>
CableAction::GetRows() const
{
    return m_rows;
}

} // namespace ns3::rdma
