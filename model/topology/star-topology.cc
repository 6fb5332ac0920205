// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "topology/topology-attributes.h"
#include "topology/topology-builder.h"
#include "topology/topology-generator.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3::rdma
{

namespace
{

/** Hosts around one switch: nodes h0 .. h(n-1), then the switch; port i leads to host i. */
class StarTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        return {m_hosts + 1.0, static_cast<double>(m_hosts) * m_hostNics};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_hosts{0};
    uint32_t m_hostNics{1};
    BitRate m_rate;
    SimTime m_delay;
    std::string m_switchName;
};

NS_OBJECT_ENSURE_REGISTERED(StarTopology);

const ComponentHelp HELP{"ns3::rdma::StarTopology", "Hosts around one switch"};

TypeId
StarTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::StarTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<StarTopology>()
                            .AddAttribute("Hosts",
                                          "Number of hosts, named h0, h1, ...",
                                          UintegerValue{16},
                                          MakeUintegerAccessor(&StarTopology::m_hosts),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("HostNics",
                                          "Number of cables between each host and the switch",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&StarTopology::m_hostNics),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("SwitchName",
                                          "Name of the switch",
                                          StringValue{"switch"},
                                          MakeStringAccessor(&StarTopology::m_switchName),
                                          MakeStringChecker())
                            .AddAttribute("Rate",
                                          "Rate of every link",
                                          BitRateValue{DEFAULT_LINK_RATE},
                                          MakeBitRateAccessor(&StarTopology::m_rate),
                                          MakeLinkRateChecker())
                            .AddAttribute("Delay",
                                          "One-way delay of every link",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&StarTopology::m_delay),
                                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
StarTopology::DoGenerate() const
{
    TopologyBuilder builder{"star"};
    builder.AddNodes(NodeKind::HOST, "h", m_hosts);
    const uint32_t hub = builder.AddNode(NodeKind::SWITCH, m_switchName);
    for (uint32_t host = 0; host < m_hosts; ++host)
    {
        builder.Connect(host, hub, {m_rate, m_delay}, m_hostNics);
    }
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
