// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "base/traffic-class.h"
#include "topology/routing.h"
#include "workload/application.h"
#include "workload/flow-checks.h"
#include "workload/perftest-session.h"
#include "workload/perftest-table.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ns3::rdma
{

namespace
{

/**
 * Latency or bandwidth of one verb between two hosts, as the programs of perftest measure it.
 *
 * Not modelled: bidirectional tests, duration instead of iterations, warm-up, events instead of
 * polling, transports other than RC.
 */
class PerftestWorkload : public Application
{
  public:
    static TypeId GetTypeId();

  private:
    Diagnostics DoCheck(const Topology& topology) const override;
    Diagnostics DoStart(const Topology& topology,
                        ApplicationEnvironment& environment,
                        SimTime now) override;
    ResultTable DoGetResults() const override;

    std::string DoDefaultTag() const override
    {
        return "perftest";
    }

    /** The attributes as a plan. @error sizes, and what does not fit together */
    Expected<PerftestPlan> MakePlan() const;

    /** The host that posts, and the other. */
    Expected<std::pair<uint32_t, uint32_t>> FindHosts(const Topology& topology) const;

    static TypeId AddSubject(TypeId tid);
    static TypeId AddDepths(TypeId tid);

    PerftestVerb m_verb{};
    PerftestKind m_kind{};
    std::string m_sizes;
    std::string m_source;
    std::string m_destination;
    std::string m_inline;
    uint32_t m_iterations{0};
    uint32_t m_txDepth{0};
    uint32_t m_rxDepth{0};
    uint32_t m_cqModeration{0};
    uint32_t m_queuePairs{0};
    uint32_t m_postList{0};
    uint8_t m_outstandingReads{0};
    uint8_t m_priority{0};
    PerftestPlan m_plan; ///< from DoStart
    PerftestLabels m_labels;
    std::unique_ptr<PerftestSession> m_session;
};

NS_OBJECT_ENSURE_REGISTERED(PerftestWorkload);

const ComponentHelp HELP{"ns3::rdma::PerftestWorkload",
                         "Latency or bandwidth of a verb between two hosts, as perftest measures"};

constexpr const char* DEFAULT_INLINE = "default";

/** As the device's limit and ConnectX-6's (max_qp_rd_atom). */
constexpr uint8_t MOST_READS = 16;

TypeId
PerftestWorkload::GetTypeId()
{
    static TypeId tid = AddDepths(AddSubject(TypeId{"ns3::rdma::PerftestWorkload"}
                                                 .SetParent<Application>()
                                                 .SetGroupName("Rdma")
                                                 .AddConstructor<PerftestWorkload>()));
    return tid;
}

TypeId
PerftestWorkload::AddSubject(TypeId tid)
{
    tid.AddAttribute(
           "Verb",
           "What is measured",
           ChoiceValue<PerftestVerb>{PerftestVerb::WRITE},
           MakeChoiceAccessor<PerftestVerb>(&PerftestWorkload::m_verb),
           MakeChoiceChecker<PerftestVerb>({{PerftestVerb::WRITE, "write"},
                                            {PerftestVerb::READ, "read"},
                                            {PerftestVerb::SEND, "send"},
                                            {PerftestVerb::FETCH_ADD, "fetch-add"},
                                            {PerftestVerb::COMPARE_SWAP, "compare-swap"}}))
        .AddAttribute("Test",
                      "Latency or bandwidth",
                      ChoiceValue<PerftestKind>{PerftestKind::LATENCY},
                      MakeChoiceAccessor<PerftestKind>(&PerftestWorkload::m_kind),
                      MakeChoiceChecker<PerftestKind>(
                          {{PerftestKind::LATENCY, "lat"}, {PerftestKind::BANDWIDTH, "bw"}}))
        .AddAttribute("Sizes",
                      "Sizes of the messages, one test after the other; \"all\": 2 B to 8 MiB, "
                      "doubling; empty: 2 B for lat, 64 KiB for bw",
                      StringValue{""},
                      MakeStringAccessor(&PerftestWorkload::m_sizes),
                      MakeStringChecker())
        .AddAttribute("Source",
                      "Name of the host that posts; empty: the first host",
                      StringValue{""},
                      MakeStringAccessor(&PerftestWorkload::m_source),
                      MakeStringChecker())
        .AddAttribute("Priority",
                      "Priority of its packets, 0 to 7",
                      UintegerValue{3}, // As flows have it.
                      MakeUintegerAccessor(&PerftestWorkload::m_priority),
                      MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1))
        .AddAttribute("Destination",
                      "Name of the other host; empty: the first that is not the source",
                      StringValue{""},
                      MakeStringAccessor(&PerftestWorkload::m_destination),
                      MakeStringChecker());
    return tid;
}

TypeId
PerftestWorkload::AddDepths(TypeId tid)
{
    const auto add = [&tid](const char* name, const char* help, uint64_t initial, auto member)
    {
        constexpr uint32_t MOST = 1U << 20; // Beyond any device; keeps products within 64 bits.
        tid.AddAttribute(name,
                         help,
                         UintegerValue{initial},
                         MakeUintegerAccessor(member),
                         MakeUintegerChecker<uint32_t>(1, MOST));
    };
    add("Iterations",
        "Messages of a queue pair, for each size",
        1000,
        &PerftestWorkload::m_iterations);
    add("TxDepth",
        "Sends outstanding on a queue pair, at most (bw)",
        128,
        &PerftestWorkload::m_txDepth);
    add("RxDepth", "Receives posted to a queue pair (send)", 512, &PerftestWorkload::m_rxDepth);
    add("CqModeration",
        "Every so manyth send completes with an entry (bw)",
        100,
        &PerftestWorkload::m_cqModeration);
    add("QueuePairs",
        "Queue pairs, with one processor for all (bw)",
        1,
        &PerftestWorkload::m_queuePairs);
    add("PostList", "Requests that are posted by one call (bw)", 1, &PerftestWorkload::m_postList);
    tid.AddAttribute("Inline",
                     "Messages up to this size are posted inline; \"default\": 220 B for the "
                     "latency of write, 236 B for that of send, else none",
                     StringValue{DEFAULT_INLINE},
                     MakeStringAccessor(&PerftestWorkload::m_inline),
                     MakeStringChecker())
        .AddAttribute("OutstandingReads",
                      "READs or atomics of a queue pair on their way, at most",
                      UintegerValue{16},
                      MakeUintegerAccessor(&PerftestWorkload::m_outstandingReads),
                      MakeUintegerChecker<uint8_t>(1, MOST_READS));
    return tid;
}

Expected<PerftestPlan>
PerftestWorkload::MakePlan() const
{
    PerftestPlan plan{.verb = m_verb,
                      .kind = m_kind,
                      .sizes = {},
                      .iterations = m_iterations,
                      .txDepth = m_txDepth,
                      .rxDepth = m_rxDepth,
                      .inlineBytes = DefaultInlineBytes(m_verb, m_kind),
                      .cqModeration = m_cqModeration,
                      .queuePairs = m_queuePairs,
                      .postList = m_postList,
                      .outstandingReads = m_outstandingReads};
    Diagnostics errors;
    const auto sizes = ReadPerftestSizes(m_sizes, m_verb, m_kind);
    if (sizes)
    {
        plan.sizes = *sizes;
    }
    else
    {
        errors = sizes.Errors();
    }
    if (m_inline != DEFAULT_INLINE)
    {
        const auto bytes = ParseBytes(m_inline);
        if (!bytes)
        {
            errors.push_back(bytes.Errors().front());
            errors.back().key = "inline";
            return errors;
        }
        plan.inlineBytes = static_cast<uint32_t>(std::min<uint64_t>(bytes->value, UINT32_MAX));
    }
    const Diagnostics findings = CheckPlan(plan);
    errors.insert(errors.end(), findings.begin(), findings.end());
    if (!errors.empty())
    {
        return errors;
    }
    return plan;
}

Expected<std::pair<uint32_t, uint32_t>>
PerftestWorkload::FindHosts(const Topology& topology) const
{
    const std::vector<uint32_t> hosts = ComputeRoutes(topology).Hosts();
    const auto find = [&](const std::string& name, const std::string& key, uint32_t taken)
    {
        const auto named = ResolveHosts(topology, name, key);
        if (!name.empty())
        {
            return named;
        }
        const auto free = std::find_if(
            hosts.begin(), hosts.end(), [taken](uint32_t host) { return host != taken; });
        return free == hosts.end() ? named : Expected{std::vector<uint32_t>{*free}};
    };
    const auto source = find(m_source, "source", UINT32_MAX);
    if (!source)
    {
        return source.Errors();
    }
    const auto destination =
        find(m_destination, "destination", source->empty() ? UINT32_MAX : source->front());
    if (!destination)
    {
        return destination.Errors();
    }
    if (source->size() != 1 || destination->size() != 1)
    {
        Diagnostic diagnostic;
        diagnostic.key = source->size() != 1 ? "source" : "destination";
        diagnostic.message = "not one host";
        diagnostic.got = source->size() != 1 ? m_source : m_destination;
        diagnostic.expected = "the name of a host, and a second host in the topology";
        return diagnostic;
    }
    return std::pair{source->front(), destination->front()};
}

Diagnostics
PerftestWorkload::DoCheck(const Topology& topology) const
{
    Diagnostics errors;
    const auto plan = MakePlan();
    if (!plan)
    {
        errors = plan.Errors();
    }
    const auto hosts = FindHosts(topology);
    if (!hosts)
    {
        errors.insert(errors.end(), hosts.Errors().begin(), hosts.Errors().end());
        return errors;
    }
    Flow there;
    there.source = hosts->first;
    there.destination = hosts->second;
    there.bytes = 1;
    Flow back = there;
    std::swap(back.source, back.destination);
    const FlowList flows{there, back};
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
PerftestWorkload::DoStart(const Topology& topology,
                          ApplicationEnvironment& environment,
                          SimTime now)
{
    m_plan = *MakePlan();
    const auto [source, destination] = *FindHosts(topology);
    m_labels = {GetTag(), topology.nodes[source].name, topology.nodes[destination].name};
    const auto hosts = environment.ChooseHosts(source, destination);
    if (!hosts)
    {
        return hosts.Errors();
    }
    const ConnectionOptions options{
        .priority = m_priority, .maxReadAtomic = m_outstandingReads, .accessFlags = ACCESS_ALL};
    m_session = std::make_unique<PerftestSession>(m_plan, *hosts);
    return m_session->Start(
        environment,
        options,
        [this](SimTime end, const std::string& failure) { End(end, failure); },
        now);
}

ResultTable
PerftestWorkload::DoGetResults() const
{
    const std::vector<PerftestResult> none;
    return MakePerftestTable(m_plan, m_labels, m_session ? m_session->GetResults() : none);
}

} // namespace

} // namespace ns3::rdma
