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
 * Pods of top-of-rack and leaf switches under spines that join every leaf.
 *
 * The defaults are the testbed of the DCQCN paper: 4 top-of-rack switches tor0 .. tor3 and 4 leaves
 * in 2 pods, 2 spines, 20 hosts, all links 40 Gb/s. Links are those of the hosts, then those of
 * each top-of-rack switch to the leaves of its pod, then those of each leaf to the spines.
 *
 * @spec Zhu et al., SIGCOMM 2015, figure 2 (testbed topology)
 * @choice 5 hosts a rack and 1 us a cable: the paper gives neither
 */
class ClosTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const double tors = static_cast<double>(m_pods) * m_torsPerPod;
        const double leaves = static_cast<double>(m_pods) * m_leavesPerPod;
        const double hosts = tors * m_hostsPerTor;
        return {hosts + tors + leaves + m_spines,
                hosts + tors * m_leavesPerPod + leaves * m_spines};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_pods{0};
    uint32_t m_torsPerPod{0};
    uint32_t m_leavesPerPod{0};
    uint32_t m_spines{0};
    uint32_t m_hostsPerTor{0};
    BitRate m_rate;
    SimTime m_delay;
};

NS_OBJECT_ENSURE_REGISTERED(ClosTopology);

const ComponentHelp HELP{"ns3::rdma::ClosTopology",
                         "Three tiers in pods: the testbed of Zhu et al., SIGCOMM 2015, figure 2"};

TypeId
ClosTopology::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::ClosTopology"}
            .SetParent<TopologyGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<ClosTopology>()
            .AddAttribute("Pods",
                          "Number of pods",
                          UintegerValue{2},
                          MakeUintegerAccessor(&ClosTopology::m_pods),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("TorsPerPod",
                          "Number of top-of-rack switches in a pod; all are tor0, tor1, ...",
                          UintegerValue{2},
                          MakeUintegerAccessor(&ClosTopology::m_torsPerPod),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("LeavesPerPod",
                          "Number of leaf switches in a pod; all are leaf0, leaf1, ...",
                          UintegerValue{2},
                          MakeUintegerAccessor(&ClosTopology::m_leavesPerPod),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Spines",
                          "Number of spine switches, spine0, spine1, ...",
                          UintegerValue{2},
                          MakeUintegerAccessor(&ClosTopology::m_spines),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostsPerTor",
                          "Number of hosts in a rack; all are h0, h1, ...",
                          UintegerValue{5},
                          MakeUintegerAccessor(&ClosTopology::m_hostsPerTor),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Rate",
                          "Rate of every link",
                          BitRateValue{BitRate::Gbps(40)},
                          MakeBitRateAccessor(&ClosTopology::m_rate),
                          MakeLinkRateChecker())
            .AddAttribute("Delay",
                          "One-way delay of every link",
                          SimTimeValue{DEFAULT_LINK_DELAY},
                          MakeSimTimeAccessor(&ClosTopology::m_delay),
                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
ClosTopology::DoGenerate() const
{
    TopologyBuilder builder{"clos"};
    const Cable cable{m_rate, m_delay};
    const uint32_t tors = m_pods * m_torsPerPod;
    const uint32_t leaves = m_pods * m_leavesPerPod;
    builder.AddNodes(NodeKind::HOST, "h", tors * m_hostsPerTor);
    const uint32_t firstTor = builder.AddNodes(NodeKind::SWITCH, "tor", tors);
    const uint32_t firstLeaf = builder.AddNodes(NodeKind::SWITCH, "leaf", leaves);
    const uint32_t firstSpine = builder.AddNodes(NodeKind::SWITCH, "spine", m_spines);
    for (uint32_t host = 0; host < tors * m_hostsPerTor; ++host)
    {
        builder.Connect(host, firstTor + host / m_hostsPerTor, cable);
    }
    for (uint32_t tor = 0; tor < tors; ++tor)
    {
        const uint32_t podLeaf = firstLeaf + tor / m_torsPerPod * m_leavesPerPod;
        for (uint32_t i = 0; i < m_leavesPerPod; ++i)
        {
            builder.Connect(firstTor + tor, podLeaf + i, cable);
        }
    }
    for (uint32_t leaf = 0; leaf < leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < m_spines; ++spine)
        {
            builder.Connect(firstLeaf + leaf, firstSpine + spine, cable);
        }
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
