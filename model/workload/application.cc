// SPDX-License-Identifier: GPL-2.0-only
#include "workload/application.h"

#include "base/attributes.h"

#include "ns3/string.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Application);

TypeId
Application::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::Application"}
            .SetParent<Workload>()
            .SetGroupName("Rdma")
            .AddAttribute("Start",
                          "When the application begins",
                          SimTimeValue{SimTime{0}},
                          MakeSimTimeAccessor(&Application::m_start),
                          MakeSimTimeChecker(SimTime{0}, SimTime{SimTime::Never().ps - 1}))
            .AddAttribute("Tag",
                          "Its name in results; empty: what it is",
                          StringValue{""},
                          MakeStringAccessor(&Application::m_tag),
                          MakeStringChecker());
    return tid;
}

Diagnostics
Application::Check(const Topology& topology) const
{
    return DoCheck(topology);
}

Diagnostics
Application::Start(const Topology& topology, ApplicationEnvironment& environment, SimTime now)
{
    m_environment = &environment;
    const Diagnostics errors = DoStart(topology, environment, now);
    if (!errors.empty())
    {
        End(now, ToString(errors.front()));
    }
    return errors;
}

std::vector<ResultTable>
Application::GetResults() const
{
    std::vector<ResultTable> tables{DoGetResults()};
    for (ResultTable& more : DoGetMoreResults())
    {
        tables.push_back(std::move(more));
    }
    return tables;
}

std::string
Application::GetTag() const
{
    return m_tag.empty() ? DoDefaultTag() : m_tag;
}

void
Application::End(SimTime now, const std::string& failure)
{
    m_failure = failure;
    m_hasEnded = true;
    m_environment->OnApplicationEnded(now);
}

} // namespace ns3::rdma
