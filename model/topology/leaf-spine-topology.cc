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
 * Hosts at leaves, and every leaf joined to every spine.
 *
 * Nodes are the hosts (leaf by leaf), the leaves and the spines; links are those of the hosts in
 * their order, then those of each leaf to all spines. With several NICs a host is joined to its
 * leaf and to the ones that follow it, in a ring.
 */
class LeafSpineTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const double leaves = m_leaves;
        const double hosts = leaves * m_hostsPerLeaf;
        return {hosts + leaves + m_spines,
                hosts * m_hostNics + leaves * m_spines * m_parallelLinks};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_leaves{0};
    uint32_t m_spines{0};
    uint32_t m_hostsPerLeaf{0};
    uint32_t m_hostNics{1};
    uint32_t m_parallelLinks{1};
    BitRate m_hostRate;
    BitRate m_fabricRate;
    SimTime m_hostDelay;
    SimTime m_fabricDelay;
};

NS_OBJECT_ENSURE_REGISTERED(LeafSpineTopology);

const ComponentHelp HELP{"ns3::rdma::LeafSpineTopology",
                         "Two tiers: every leaf is joined to every spine"};

TypeId
LeafSpineTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::LeafSpineTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<LeafSpineTopology>()
                            .AddAttribute("Leaves",
                                          "Number of leaf switches, leaf0, leaf1, ...",
                                          UintegerValue{8},
                                          MakeUintegerAccessor(&LeafSpineTopology::m_leaves),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Spines",
                                          "Number of spine switches, spine0, spine1, ...",
                                          UintegerValue{8},
                                          MakeUintegerAccessor(&LeafSpineTopology::m_spines),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("HostsPerLeaf",
                                          "Number of hosts at each leaf; the hosts are h0, h1, ...",
                                          UintegerValue{16},
                                          MakeUintegerAccessor(&LeafSpineTopology::m_hostsPerLeaf),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("HostNics",
                                          "Number of NICs of a host, each at a leaf of its own",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&LeafSpineTopology::m_hostNics),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("ParallelLinks",
                                          "Number of cables between a leaf and a spine",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&LeafSpineTopology::m_parallelLinks),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("HostRate",
                                          "Rate of each host's link",
                                          BitRateValue{DEFAULT_LINK_RATE},
                                          MakeBitRateAccessor(&LeafSpineTopology::m_hostRate),
                                          MakeLinkRateChecker())
                            .AddAttribute("FabricRate",
                                          "Rate between leaf and spine; 0: as HostRate",
                                          BitRateValue{BitRate{0}},
                                          MakeBitRateAccessor(&LeafSpineTopology::m_fabricRate),
                                          MakeOptionalLinkRateChecker())
                            .AddAttribute("HostDelay",
                                          "One-way delay of each host's link",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&LeafSpineTopology::m_hostDelay),
                                          MakeLinkDelayChecker())
                            .AddAttribute("FabricDelay",
                                          "One-way delay between leaf and spine",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&LeafSpineTopology::m_fabricDelay),
                                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
LeafSpineTopology::DoGenerate() const
{
    if (m_hostNics > m_leaves)
    {
        Diagnostic diagnostic;
        diagnostic.key = "host_nics";
        diagnostic.message = "a host has more NICs than there are leaves";
        diagnostic.got = std::to_string(m_hostNics);
        diagnostic.expected = "at most " + std::to_string(m_leaves);
        return diagnostic;
    }
    TopologyBuilder builder{"leaf-spine"};
    const uint32_t hosts = m_leaves * m_hostsPerLeaf;
    builder.AddNodes(NodeKind::HOST, "h", hosts);
    const uint32_t firstLeaf = builder.AddNodes(NodeKind::SWITCH, "leaf", m_leaves);
    const uint32_t firstSpine = builder.AddNodes(NodeKind::SWITCH, "spine", m_spines);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        for (uint32_t nic = 0; nic < m_hostNics; ++nic)
        {
            const uint32_t leaf = (host / m_hostsPerLeaf + nic) % m_leaves;
            builder.Connect(host, firstLeaf + leaf, {m_hostRate, m_hostDelay});
        }
    }
    const BitRate rate = m_fabricRate.bps == 0 ? m_hostRate : m_fabricRate;
    for (uint32_t leaf = 0; leaf < m_leaves; ++leaf)
    {
        for (uint32_t spine = 0; spine < m_spines; ++spine)
        {
            builder.Connect(
                firstLeaf + leaf, firstSpine + spine, {rate, m_fabricDelay}, m_parallelLinks);
        }
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
