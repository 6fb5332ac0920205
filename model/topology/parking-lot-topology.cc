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
 * A chain of switches s0, s1, ... with the same number of hosts at each.
 *
 * Host h(i x HostsPerSwitch + j) is the j-th at switch i. Flows from every switch to a host at the
 * last one meet more and more others on their way: the parking lot.
 */
class ParkingLotTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        const double hosts = static_cast<double>(m_switches) * m_hostsPerSwitch;
        return {hosts + m_switches, hosts + m_switches - 1.0};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_switches{0};
    uint32_t m_hostsPerSwitch{0};
    BitRate m_hostRate;
    BitRate m_chainRate;
    SimTime m_delay;
};

NS_OBJECT_ENSURE_REGISTERED(ParkingLotTopology);

const ComponentHelp HELP{"ns3::rdma::ParkingLotTopology", "A chain of switches with hosts at each"};

TypeId
ParkingLotTopology::GetTypeId()
{
    static TypeId tid =
        TypeId{"ns3::rdma::ParkingLotTopology"}
            .SetParent<TopologyGenerator>()
            .SetGroupName("Rdma")
            .AddConstructor<ParkingLotTopology>()
            .AddAttribute("Switches",
                          "Number of switches in the chain",
                          UintegerValue{3},
                          MakeUintegerAccessor(&ParkingLotTopology::m_switches),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostsPerSwitch",
                          "Number of hosts at each switch",
                          UintegerValue{2},
                          MakeUintegerAccessor(&ParkingLotTopology::m_hostsPerSwitch),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostRate",
                          "Rate of each host's link",
                          BitRateValue{DEFAULT_LINK_RATE},
                          MakeBitRateAccessor(&ParkingLotTopology::m_hostRate),
                          MakeLinkRateChecker())
            .AddAttribute("ChainRate",
                          "Rate between the switches; 0: as HostRate",
                          BitRateValue{BitRate{0}},
                          MakeBitRateAccessor(&ParkingLotTopology::m_chainRate),
                          MakeOptionalLinkRateChecker())
            .AddAttribute("Delay",
                          "One-way delay of every link",
                          SimTimeValue{DEFAULT_LINK_DELAY},
                          MakeSimTimeAccessor(&ParkingLotTopology::m_delay),
                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
ParkingLotTopology::DoGenerate() const
{
    TopologyBuilder builder{"parking-lot"};
    const uint32_t hosts = m_switches * m_hostsPerSwitch;
    builder.AddNodes(NodeKind::HOST, "h", hosts);
    const uint32_t first = builder.AddNodes(NodeKind::SWITCH, "s", m_switches);
    for (uint32_t host = 0; host < hosts; ++host)
    {
        builder.Connect(host, first + host / m_hostsPerSwitch, {m_hostRate, m_delay});
    }
    const BitRate rate = m_chainRate.bps == 0 ? m_hostRate : m_chainRate;
    for (uint32_t i = 1; i < m_switches; ++i)
    {
        builder.Connect(first + i - 1, first + i, {rate, m_delay});
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
