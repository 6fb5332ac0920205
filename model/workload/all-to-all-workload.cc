// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "workload/flow-checks.h"
#include "workload/workload-generator.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

/** Every host sends to every other one, all at once. */
class AllToAllWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    Expected<FlowList> DoGenerate(const WorkloadContext& context) const override;

    std::string DoDefaultTag() const override
    {
        return "all-to-all";
    }

    std::string m_hosts;
    ByteCount m_bytes;
    SimTime m_start;
};

NS_OBJECT_ENSURE_REGISTERED(AllToAllWorkload);

const ComponentHelp HELP{"ns3::rdma::AllToAllWorkload", "Every host sends to every other"};

TypeId
AllToAllWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::AllToAllWorkload"}
            .SetParent<WorkloadGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<AllToAllWorkload>()
            .AddAttribute("Hosts",
                          "Names of the hosts that take part, separated by commas; empty: all",
                          StringValue{""},
                          MakeStringAccessor(&AllToAllWorkload::m_hosts),
                          MakeStringChecker())
            .AddAttribute("Bytes",
                          "Size of each flow",
                          ByteCountValue{ByteCount{1'000'000}},
                          MakeByteCountAccessor(&AllToAllWorkload::m_bytes),
                          MakeByteCountChecker(ByteCount{1}, ByteCount{MAX_FLOW_BYTES}))
            .AddAttribute("Start",
                          "Start of all flows",
                          SimTimeValue{SimTime{0}},
                          MakeSimTimeAccessor(&AllToAllWorkload::m_start),
                          MakeSimTimeChecker());
    return tid;
}

Expected<FlowList>
AllToAllWorkload::DoGenerate(const WorkloadContext& context) const
{
    const auto hosts = FindHosts(context, m_hosts);
    if (!hosts)
    {
        return hosts.Errors();
    }
    const double count = static_cast<double>(hosts->size());
    Diagnostics tooMany = CheckCount(count * (count - 1.0));
    if (!tooMany.empty())
    {
        return tooMany;
    }
    FlowList flows;
    for (const uint32_t source : *hosts)
    {
        for (const uint32_t destination : *hosts)
        {
            if (source != destination)
            {
                flows.push_back(MakeFlow(source, destination, m_bytes.value, m_start));
            }
        }
    }
    return flows;
}

} // namespace

} // namespace ns3::rdma
