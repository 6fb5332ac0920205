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
 * Two switches, left and right, with hosts l0, l1, ... and r0, r1, ... behind one bottleneck.
 *
 * The bottleneck's cables come last, so that they are the last ports of both switches.
 */
class DumbbellTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const double hosts = static_cast<double>(m_left) + m_right;
        return {hosts + 2.0, hosts + m_cables};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_left{0};
    uint32_t m_right{0};
    uint32_t m_cables{1};
    BitRate m_hostRate;
    BitRate m_bottleneckRate;
    SimTime m_hostDelay;
    SimTime m_bottleneckDelay;
};

NS_OBJECT_ENSURE_REGISTERED(DumbbellTopology);

const ComponentHelp HELP{"ns3::rdma::DumbbellTopology",
                         "Two switches with hosts, joined by a bottleneck"};

TypeId
DumbbellTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::DumbbellTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<DumbbellTopology>()
                            .AddAttribute("LeftHosts",
                                          "Number of hosts at the left switch",
                                          UintegerValue{10},
                                          MakeUintegerAccessor(&DumbbellTopology::m_left),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("RightHosts",
                                          "Number of hosts at the right switch",
                                          UintegerValue{10},
                                          MakeUintegerAccessor(&DumbbellTopology::m_right),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("BottleneckCables",
                                          "Number of cables between the switches",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&DumbbellTopology::m_cables),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("HostRate",
                                          "Rate of each host's link",
                                          BitRateValue{DEFAULT_LINK_RATE},
                                          MakeBitRateAccessor(&DumbbellTopology::m_hostRate),
                                          MakeLinkRateChecker())
                            .AddAttribute("BottleneckRate",
                                          "Rate of each cable between the switches; 0: as HostRate",
                                          BitRateValue{BitRate{0}},
                                          MakeBitRateAccessor(&DumbbellTopology::m_bottleneckRate),
                                          MakeOptionalLinkRateChecker())
                            .AddAttribute("HostDelay",
                                          "One-way delay of each host's link",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&DumbbellTopology::m_hostDelay),
                                          MakeLinkDelayChecker())
                            .AddAttribute("BottleneckDelay",
                                          "One-way delay between the switches",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&DumbbellTopology::m_bottleneckDelay),
                                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
DumbbellTopology::DoGenerate() const
{
    TopologyBuilder builder{"dumbbell"};
    const uint32_t leftHost = builder.AddNodes(NodeKind::HOST, "l", m_left);
    const uint32_t rightHost = builder.AddNodes(NodeKind::HOST, "r", m_right);
    const uint32_t left = builder.AddNode(NodeKind::SWITCH, "left");
    const uint32_t right = builder.AddNode(NodeKind::SWITCH, "right");
    for (uint32_t i = 0; i < m_left; ++i)
    {
        builder.Connect(leftHost + i, left, {m_hostRate, m_hostDelay});
    }
    for (uint32_t i = 0; i < m_right; ++i)
    {
        builder.Connect(rightHost + i, right, {m_hostRate, m_hostDelay});
    }
    const BitRate rate = m_bottleneckRate.bps == 0 ? m_hostRate : m_bottleneckRate;
    builder.Connect(left, right, {rate, m_bottleneckDelay}, m_cables);
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
