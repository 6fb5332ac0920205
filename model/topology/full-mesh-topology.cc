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
 * Hosts h0 .. h(n-1), each joined to every other one without a switch.
 *
 * Hosts do not forward, so every pair uses its own cables.
 */
class FullMeshTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const double hosts = m_hosts;
        return {hosts, hosts * (hosts - 1.0) / 2.0 * m_cables};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_hosts{0};
    uint32_t m_cables{1};
    BitRate m_rate;
    SimTime m_delay;
};

NS_OBJECT_ENSURE_REGISTERED(FullMeshTopology);

const ComponentHelp HELP{"ns3::rdma::FullMeshTopology",
                         "Hosts with a cable between any two, no switch"};

TypeId
FullMeshTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::FullMeshTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<FullMeshTopology>()
                            .AddAttribute("Hosts",
                                          "Number of hosts",
                                          UintegerValue{8},
                                          MakeUintegerAccessor(&FullMeshTopology::m_hosts),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Cables",
                                          "Number of cables between two hosts",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&FullMeshTopology::m_cables),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Rate",
                                          "Rate of each cable",
                                          BitRateValue{DEFAULT_LINK_RATE},
                                          MakeBitRateAccessor(&FullMeshTopology::m_rate),
                                          MakeLinkRateChecker())
                            .AddAttribute("Delay",
                                          "One-way delay of each cable",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&FullMeshTopology::m_delay),
                                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
FullMeshTopology::DoGenerate() const
{
    TopologyBuilder builder{"full-mesh"};
    builder.AddNodes(NodeKind::HOST, "h", m_hosts);
    for (uint32_t a = 0; a < m_hosts; ++a)
    {
        for (uint32_t b = a + 1; b < m_hosts; ++b)
        {
            builder.Connect(a, b, {m_rate, m_delay}, m_cables);
        }
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
