// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "engine/random-stream.h"
#include "topology/routing.h"
#include "workload/exponential.h"
#include "workload/flow-checks.h"
#include "workload/flow-size-distribution.h"
#include "workload/workload-generator.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t MAX_LOAD = 10; ///< @choice overload is a study of its own; more is a slip

/**
 * Flows of random sizes arrive at random times between random hosts.
 *
 * Each host starts flows at exponential intervals from a stream of its own, to a host drawn evenly
 * from the others. The load is the payload that a host offers, as a share of the sum of its links'
 * rates: headers and acknowledgements come on top, as in the published studies.
 *
 * @spec Li et al., SIGCOMM 2019, the authors' traffic generator (load on payload, arrivals per
 * host)
 */
class PoissonWorkload : public WorkloadGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    Expected<FlowList> DoGenerate(const WorkloadContext& context) const override;

    /** Which host, by its place among those that take part; its mean interval and its sizes. */
    struct Arrivals
    {
        uint32_t host;
        SimTime gap;
        const FlowSizeDistribution& sizes;
    };

    Diagnostics Check() const;
    static Diagnostics SizeErrors(const Expected<FlowSizeDistribution>& sizes);
    std::vector<SimTime> FindGaps(const WorkloadContext& context,
                                  const std::vector<uint32_t>& hosts,
                                  double meanBytes) const;
    void AddArrivals(const WorkloadContext& context,
                     const std::vector<uint32_t>& hosts,
                     const Arrivals& arrivals,
                     FlowList& flows) const;

    std::string DoDefaultTag() const override
    {
        return "poisson";
    }

    std::string m_hosts;
    std::string m_distribution;
    std::string m_folder;
    SizeUnit m_unit{SizeUnit::DETECT};
    uint32_t m_packetBytes{0};
    Fraction m_load;
    SimTime m_start;
    SimTime m_stop;
};

NS_OBJECT_ENSURE_REGISTERED(PoissonWorkload);

const ComponentHelp HELP{"ns3::rdma::PoissonWorkload",
                         "Flows between random pairs, at random times, of random sizes"};

TypeId
PoissonWorkload::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::PoissonWorkload"}
            .SetParent<WorkloadGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<PoissonWorkload>()
            .AddAttribute("Hosts",
                          "Names of the hosts that take part, separated by commas; empty: all",
                          StringValue{""},
                          MakeStringAccessor(&PoissonWorkload::m_hosts),
                          MakeStringChecker())
            .AddAttribute("Distribution",
                          "Sizes of the flows: the name of a distribution, or the path of a file",
                          StringValue{"websearch"},
                          MakeStringAccessor(&PoissonWorkload::m_distribution),
                          MakeStringChecker())
            .AddAttribute("DistributionFolder",
                          "Folder of the distributions that have names",
                          StringValue{"scenarios/workloads"},
                          MakeStringAccessor(&PoissonWorkload::m_folder),
                          MakeStringChecker())
            .AddAttribute("SizeUnit",
                          "Unit of the sizes in the file; detect: as the file says, else bytes",
                          ChoiceValue<SizeUnit>{SizeUnit::DETECT},
                          MakeChoiceAccessor<SizeUnit>(&PoissonWorkload::m_unit),
                          MakeChoiceChecker<SizeUnit>({{SizeUnit::DETECT, "detect"},
                                                       {SizeUnit::BYTES, "bytes"},
                                                       {SizeUnit::PACKETS, "packets"}}))
            .AddAttribute("PacketBytes",
                          "Bytes of a packet, where sizes are in packets",
                          UintegerValue{DistributionOptions{}.packetBytes},
                          MakeUintegerAccessor(&PoissonWorkload::m_packetBytes),
                          MakeUintegerChecker<uint32_t>(1, 65'535))
            .AddAttribute("Load",
                          "Payload offered by each host, as a share of its links' rates",
                          FractionValue{Fraction{3, 10}},
                          MakeFractionAccessor(&PoissonWorkload::m_load),
                          MakeFractionChecker(Fraction{0, 1}, Fraction{MAX_LOAD, 1}))
            .AddAttribute("Start",
                          "Arrivals begin here",
                          SimTimeValue{SimTime{0}},
                          MakeSimTimeAccessor(&PoissonWorkload::m_start),
                          MakeSimTimeChecker())
            .AddAttribute("Stop",
                          "Arrivals end here; flows run on",
                          SimTimeValue{SimTime::Milliseconds(1)},
                          MakeSimTimeAccessor(&PoissonWorkload::m_stop),
                          MakeSimTimeChecker());
    return tid;
}

Expected<FlowList>
PoissonWorkload::DoGenerate(const WorkloadContext& context) const
{
    const auto hosts = FindHosts(context, m_hosts);
    const auto sizes = FlowSizeDistribution::Load(
        m_distribution, m_folder, {m_unit, m_packetBytes}, context.notes);
    Diagnostics findings = Check();
    for (const Diagnostics& more : {hosts ? Diagnostics{} : hosts.Errors(), SizeErrors(sizes)})
    {
        findings.insert(findings.end(), more.begin(), more.end());
    }
    if (!findings.empty())
    {
        return findings;
    }
    const std::vector<SimTime> gaps = FindGaps(context, *hosts, sizes->GetMeanBytes());
    double expected = 0.0;
    for (const SimTime gap : gaps)
    {
        expected += gap.IsNever() ? 0.0
                                  : static_cast<double>((m_stop - m_start).ps) /
                                        static_cast<double>(std::max<uint64_t>(gap.ps, 1));
    }
    Diagnostics tooMany = CheckCount(expected);
    if (!tooMany.empty())
    {
        return tooMany;
    }
    FlowList flows;
    for (uint32_t i = 0; i < hosts->size(); ++i)
    {
        AddArrivals(context, *hosts, {i, gaps[i], *sizes}, flows);
    }
    uint64_t bytes = 0;
    for (const Flow& flow : flows)
    {
        bytes += flow.bytes;
    }
    context.notes.push_back(DoDefaultTag() + ": " + std::to_string(flows.size()) + " flows, " +
                            std::to_string(bytes) + " bytes of payload drawn for load " +
                            ToString(m_load) + " (payload over the hosts' rates)");
    return flows;
}

Diagnostics
PoissonWorkload::Check() const
{
    Diagnostics findings;
    if (m_stop <= m_start)
    {
        findings.push_back(MakeDiagnostic("stop",
                                          "arrivals end before they begin",
                                          ToString(m_stop),
                                          "later than start, " + ToString(m_start)));
    }
    if (m_load.numerator == 0)
    {
        findings.push_back(MakeDiagnostic("load", "no load", "0", "above 0"));
    }
    return findings;
}

Diagnostics
PoissonWorkload::SizeErrors(const Expected<FlowSizeDistribution>& sizes)
{
    Diagnostics findings = sizes ? Diagnostics{} : sizes.Errors();
    for (Diagnostic& finding : findings)
    {
        finding.key = finding.file.empty() ? "distribution" : finding.key;
    }
    return findings;
}

std::vector<SimTime>
PoissonWorkload::FindGaps(const WorkloadContext& context,
                          const std::vector<uint32_t>& hosts,
                          double meanBytes) const
{
    constexpr double BIT_PS_PER_BYTE = 8e12; // 8 bits x 1e12 ps/s
    std::vector<double> rates(context.topology.nodes.size());
    for (const TopologyLink& link : context.topology.links)
    {
        rates[link.a] += static_cast<double>(link.rate.bps);
        rates[link.b] += static_cast<double>(link.rate.bps);
    }
    std::vector<SimTime> gaps;
    for (const uint32_t host : hosts)
    {
        const double gap = meanBytes * BIT_PS_PER_BYTE / (rates[host] * m_load.ToDouble());
        const bool isFinite = gap < static_cast<double>(SimTime::Never().ps / 64);
        gaps.push_back(isFinite ? SimTime{std::max<uint64_t>(static_cast<uint64_t>(gap + 0.5), 1)}
                                : SimTime::Never());
    }
    return gaps;
}

void
PoissonWorkload::AddArrivals(const WorkloadContext& context,
                             const std::vector<uint32_t>& hosts,
                             const Arrivals& arrivals,
                             FlowList& flows) const
{
    if (arrivals.gap.IsNever())
    {
        return; // The host has no link, or its rate gives less than a flow in centuries.
    }
    const uint32_t source = hosts[arrivals.host];
    RandomStream stream{context.seed,
                        "workload/poisson/" + GetTag() + "/" + context.topology.nodes[source].name};
    SimTime at = m_start + ExponentialTime(arrivals.gap, stream.NextBits());
    while (at < m_stop)
    {
        const uint64_t other = stream.NextBelow(hosts.size() - 1);
        const uint32_t destination = hosts[other < arrivals.host ? other : other + 1];
        flows.push_back(
            MakeFlow(source, destination, arrivals.sizes.Quantile(stream.NextUniform()), at));
        at += ExponentialTime(arrivals.gap, stream.NextBits());
    }
}

} // namespace

} // namespace ns3::rdma
