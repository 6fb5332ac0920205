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
 * A ring of switches s0, s1, ... with the same number of hosts at each.
 *
 * Host h(i x HostsPerSwitch + j) is the j-th at switch i. Where routes go around the ring, lossless
 * classes can deadlock.
 */
class RingTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const double hosts = static_cast<double>(m_switches) * m_hostsPerSwitch;
        return {hosts + m_switches, hosts + m_switches};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_switches{0};
    uint32_t m_hostsPerSwitch{0};
    BitRate m_hostRate;
    BitRate m_ringRate;
    SimTime m_delay;
};

NS_OBJECT_ENSURE_REGISTERED(RingTopology);

const ComponentHelp HELP{"ns3::rdma::RingTopology", "A ring of switches with hosts at each"};

TypeId
RingTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::RingTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<RingTopology>()
                            .AddAttribute("Switches",
                                          "Number of switches in the ring",
                                          UintegerValue{3},
                                          MakeUintegerAccessor(&RingTopology::m_switches),
                                          MakeUintegerChecker<uint32_t>(3))
                            .AddAttribute("HostsPerSwitch",
                                          "Number of hosts at each switch",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&RingTopology::m_hostsPerSwitch),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("HostRate",
                                          "Rate of each host's link",
                                          BitRateValue{DEFAULT_LINK_RATE},
                                          MakeBitRateAccessor(&RingTopology::m_hostRate),
                                          MakeLinkRateChecker())
                            .AddAttribute("RingRate",
                                          "Rate between the switches; 0: as HostRate",
                                          BitRateValue{BitRate{0}},
                                          MakeBitRateAccessor(&RingTopology::m_ringRate),
                                          MakeOptionalLinkRateChecker())
                            .AddAttribute("Delay",
                                          "One-way delay of every link",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&RingTopology::m_delay),
                                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
RingTopology::DoGenerate() const
{
    TopologyBuilder builder{"ring"};
    const uint32_t hosts = m_switches * m_hostsPerSwitch;
    builder.AddNodes(NodeKind::HOST, "h", hosts);
    const uint32_t first = builder.AddNodes(NodeKind::SWITCH, "s", m_switches);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        builder.Connect(host, first + host / m_hostsPerSwitch, {m_hostRate, m_delay});
    }
    const BitRate rate = m_ringRate.bps == 0 ? m_hostRate : m_ringRate;
    for (uint32_t i = 0; i < m_switches; ++i)
    {
        builder.Connect(first + i, first + (i + 1) % m_switches, {rate, m_delay});
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
