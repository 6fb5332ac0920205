// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "engine/random-stream.h"
#include "workload/flow-checks.h"
#include "workload/workload-generator.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

/**
 * Many hosts send to one, once or again and again.
 *
 * Round r starts at Start + r x Period; each of its flows is late by its own draw, uniform below
 * Jitter.
 */
class IncastWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    Expected<FlowList> DoGenerate(const WorkloadContext& context) const override;
    Expected<std::vector<uint32_t>> FindSenders(const WorkloadContext& context,
                                                uint32_t receiver) const;

    std::string DoDefaultTag() const override
    {
        return "incast";
    }

    uint32_t m_senders{0};
    std::string m_sources;
    std::string m_receiver;
    ByteCount m_bytes;
    SimTime m_start;
    SimTime m_jitter;
    SimTime m_period;
    uint32_t m_rounds{1};
};

NS_OBJECT_ENSURE_REGISTERED(IncastWorkload);

const ComponentHelp HELP{"ns3::rdma::IncastWorkload", "Many hosts send to one, once or in rounds"};

TypeId
IncastWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::IncastWorkload"}
            .SetParent<WorkloadGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<IncastWorkload>()
            .AddAttribute("Senders",
                          "Number of senders: the first hosts that are not the receiver; 0: all",
                          UintegerValue{0},
                          MakeUintegerAccessor(&IncastWorkload::m_senders),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Sources",
                          "Names of the senders, separated by commas; excludes Senders",
                          StringValue{""},
                          MakeStringAccessor(&IncastWorkload::m_sources),
                          MakeStringChecker())
            .AddAttribute("Receiver",
                          "Name of the receiver; empty: the first host",
                          StringValue{""},
                          MakeStringAccessor(&IncastWorkload::m_receiver),
                          MakeStringChecker())
            .AddAttribute("Bytes",
                          "Size of each flow",
                          ByteCountValue{ByteCount{1'000'000}},
                          MakeByteCountAccessor(&IncastWorkload::m_bytes),
                          MakeByteCountChecker(ByteCount{1}, ByteCount{MAX_FLOW_BYTES}))
            .AddAttribute("Start",
                          "Start of the first round",
                          SimTimeValue{SimTime{0}},
                          MakeSimTimeAccessor(&IncastWorkload::m_start),
                          MakeSimTimeChecker())
            .AddAttribute("Jitter",
                          "Each flow starts later by a random time below this",
                          SimTimeValue{SimTime{0}},
                          MakeSimTimeAccessor(&IncastWorkload::m_jitter),
                          MakeSimTimeChecker())
            .AddAttribute("Period",
                          "Time from the start of one round to the next",
                          SimTimeValue{SimTime::Milliseconds(1)},
                          MakeSimTimeAccessor(&IncastWorkload::m_period),
                          MakeSimTimeChecker())
            .AddAttribute("Rounds",
                          "Number of rounds",
                          UintegerValue{1},
                          MakeUintegerAccessor(&IncastWorkload::m_rounds),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

Expected<std::vector<uint32_t>>
IncastWorkload::FindSenders(const WorkloadContext& context, uint32_t receiver) const
{
    if (!m_sources.empty())
    {
        if (m_senders != 0)
        {
            return MakeDiagnostic("senders",
                                  "senders are both counted and named",
                                  std::to_string(m_senders),
                                  "either senders or sources");
        }
        return ResolveHosts(context.topology, m_sources, "sources");
    }
    std::vector<uint32_t> senders = context.hosts;
    std::erase(senders, receiver);
    if (senders.empty() || m_senders > senders.size())
    {
        return MakeDiagnostic("senders",
                              "more senders than hosts that could send",
                              std::to_string(m_senders) + " senders",
                              "at most " + std::to_string(senders.size()) + " of " +
                                  std::to_string(context.hosts.size()) + " hosts");
    }
    if (m_senders != 0)
    {
        senders.resize(m_senders);
    }
    return senders;
}

Expected<FlowList>
IncastWorkload::DoGenerate(const WorkloadContext& context) const
{
    uint32_t receiver = context.hosts.front();
    if (!m_receiver.empty())
    {
        const auto named = ResolveHosts(context.topology, m_receiver, "receiver");
        if (!named)
        {
            return named.Errors();
        }
        if (named->size() != 1)
        {
            return MakeDiagnostic("receiver", "not one receiver", m_receiver, "the name of a host");
        }
        receiver = named->front();
    }
    const auto senders = FindSenders(context, receiver);
    if (!senders)
    {
        return senders.Errors();
    }
    Diagnostics tooMany = CheckCount(static_cast<double>(senders->size()) * m_rounds);
    if (!tooMany.empty())
    {
        return tooMany;
    }
    FlowList flows;
    for (const uint32_t sender : *senders)
    {
        RandomStream stream{context.seed,
                            "workload/incast/" + GetTag() + "/" +
                                context.topology.nodes[sender].name};
        for (uint32_t round = 0; round < m_rounds; ++round)
        {
            const uint64_t late = m_jitter.ps == 0 ? 0 : stream.NextBelow(m_jitter.ps);
            const SimTime start = m_start + m_period * round + SimTime{late};
            flows.push_back(MakeFlow(sender, receiver, m_bytes.value, start));
        }
    }
    return flows;
}

} // namespace

} // namespace ns3::rdma
