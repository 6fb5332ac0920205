// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "topology/topology-attributes.h"
#include "topology/topology-builder.h"
#include "topology/topology-generator.h"

#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

/**
 * Pods of edge and aggregation switches under core switches.
 *
 * Nodes are the hosts h0, h1, ..., then edge0, ..., agg0, ..., core0, .... Links are those of the
 * hosts in their order, then those of each edge switch to the aggregation switches of its pod, then
 * those of each aggregation switch to its cores: the j-th of a pod, whichever pod, has the j-th
 * group of cores. Shape "k-ary" has K pods of K/2 + K/2 switches and (K/2)^2 cores; more than K/2
 * hosts an edge switch oversubscribe it. Shape "hpcc-320" has 5 pods of 4 + 4 switches, 16 cores
 * and 16 hosts an edge switch, and 400 Gb/s in the fabric.
 *
 * @spec Al-Fares et al., SIGCOMM 2008 (k-ary); Li et al., SIGCOMM 2019, section 5.1 and the
 * authors' file mix/fat.txt (hpcc-320)
 */
class FatTreeTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const Dimensions d = GetDimensions();
        const double edges = d.pods * d.edgesPerPod;
        const double aggregations = d.pods * d.aggregationsPerPod;
        const double hosts = edges * d.hostsPerEdge;
        return {hosts + edges + aggregations + d.aggregationsPerPod * d.coresPerAggregation,
                hosts + edges * d.aggregationsPerPod + aggregations * d.coresPerAggregation};
    }

    Expected<Topology> DoGenerate() const override;

    /** What the topology is made of. */
    enum class Shape : uint8_t
    {
        K_ARY,
        HPCC_320,
    };

    /** Counts as floating-point numbers, so that absurd products do not wrap. */
    struct Dimensions
    {
        double pods;
        double edgesPerPod;
        double aggregationsPerPod;
        double coresPerAggregation;
        double hostsPerEdge;
    };

    Dimensions GetDimensions() const;

    BitRate GetFabricRate() const
    {
        if (m_fabricRate.bps != 0)
        {
            return m_fabricRate;
        }
        return m_shape == Shape::HPCC_320 ? BitRate{4 * m_hostRate.bps} : m_hostRate;
    }

    Shape m_shape{Shape::K_ARY};
    uint32_t m_k{0};
    uint32_t m_hostsPerEdge{0};
    BitRate m_hostRate;
    BitRate m_fabricRate;
    SimTime m_hostDelay;
    SimTime m_fabricDelay;
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeTopology);

const ComponentHelp HELP{"ns3::rdma::FatTreeTopology",
                         "k-ary fat-tree, or the 320 hosts of Li et al., SIGCOMM 2019"};

TypeId
FatTreeTopology::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::FatTreeTopology"}
            .SetParent<TopologyGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<FatTreeTopology>()
            .AddAttribute(
                "Shape",
                "k-ary or hpcc-320",
                ChoiceValue<Shape>{Shape::K_ARY},
                MakeChoiceAccessor<Shape>(&FatTreeTopology::m_shape),
                MakeChoiceChecker<Shape>({{Shape::K_ARY, "k-ary"}, {Shape::HPCC_320, "hpcc-320"}}))
            .AddAttribute("K",
                          "Ports of a switch of the k-ary shape, an even number; K^3/4 hosts",
                          UintegerValue{8},
                          MakeUintegerAccessor(&FatTreeTopology::m_k),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("HostsPerEdge",
                          "Number of hosts at each edge switch; 0: that of the shape",
                          UintegerValue{0},
                          MakeUintegerAccessor(&FatTreeTopology::m_hostsPerEdge),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("HostRate",
                          "Rate of each host's link",
                          BitRateValue{DEFAULT_LINK_RATE},
                          MakeBitRateAccessor(&FatTreeTopology::m_hostRate),
                          MakeLinkRateChecker())
            .AddAttribute(
                "FabricRate",
                "Rate between switches; 0: as HostRate, four times that in the shape hpcc-320",
                BitRateValue{BitRate{0}},
                MakeBitRateAccessor(&FatTreeTopology::m_fabricRate),
                MakeOptionalLinkRateChecker())
            .AddAttribute("HostDelay",
                          "One-way delay of each host's link",
                          SimTimeValue{DEFAULT_LINK_DELAY},
                          MakeSimTimeAccessor(&FatTreeTopology::m_hostDelay),
                          MakeLinkDelayChecker())
            .AddAttribute("FabricDelay",
                          "One-way delay between switches",
                          SimTimeValue{DEFAULT_LINK_DELAY},
                          MakeSimTimeAccessor(&FatTreeTopology::m_fabricDelay),
                          MakeLinkDelayChecker());
    return tid;
}

FatTreeTopology::Dimensions
FatTreeTopology::GetDimensions() const
{
    constexpr Dimensions HPCC_320{5, 4, 4, 4, 16};
    const double half = m_k / 2;
    Dimensions dimensions = m_shape == Shape::HPCC_320
                                ? HPCC_320
                                : Dimensions{static_cast<double>(m_k), half, half, half, half};
    if (m_hostsPerEdge != 0)
    {
        dimensions.hostsPerEdge = m_hostsPerEdge;
    }
    return dimensions;
}

Expected<Topology>
FatTreeTopology::DoGenerate() const
{
    if (m_shape == Shape::K_ARY && m_k % 2 != 0)
    {
        Diagnostic diagnostic;
        diagnostic.key = "k";
        diagnostic.message = "half of a switch's ports go down and half up";
        diagnostic.got = std::to_string(m_k);
        diagnostic.expected = "an even number";
        return diagnostic;
    }
    const Dimensions d = GetDimensions();
    const auto whole = [](double count) { return static_cast<uint32_t>(count); };
    const uint32_t edges = whole(d.pods * d.edgesPerPod);
    const uint32_t aggregations = whole(d.pods * d.aggregationsPerPod);
    const uint32_t hosts = edges * whole(d.hostsPerEdge);
    const uint32_t cores = whole(d.aggregationsPerPod * d.coresPerAggregation);
    TopologyBuilder builder{"fat-tree"};
    builder.AddNodes(NodeKind::HOST, "h", hosts);
    const uint32_t firstEdge = builder.AddNodes(NodeKind::SWITCH, "edge", edges);
    const uint32_t firstAggregation = builder.AddNodes(NodeKind::SWITCH, "agg", aggregations);
    const uint32_t firstCore = builder.AddNodes(NodeKind::SWITCH, "core", cores);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        builder.Connect(host, firstEdge + host / whole(d.hostsPerEdge), {m_hostRate, m_hostDelay});
    }
    const Cable fabric{GetFabricRate(), m_fabricDelay};
    for (uint32_t i = 0; i < edges * whole(d.aggregationsPerPod); ++i)
    {
        const uint32_t edge = i / whole(d.aggregationsPerPod);
        const uint32_t pod = edge / whole(d.edgesPerPod);
        const uint32_t inPod = i % whole(d.aggregationsPerPod);
        builder.Connect(
            firstEdge + edge, firstAggregation + pod * whole(d.aggregationsPerPod) + inPod, fabric);
    }
    for (uint32_t i = 0; i < aggregations * whole(d.coresPerAggregation); ++i)
    {
        const uint32_t aggregation = i / whole(d.coresPerAggregation);
        // The i-th uplink of a pod leads to the i-th core.
        builder.Connect(firstAggregation + aggregation, firstCore + i % cores, fabric);
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
