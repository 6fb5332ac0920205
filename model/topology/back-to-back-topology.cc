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

/** Two hosts, h0 and h1, joined by cables without a switch. */
class BackToBackTopology : public TopologyGenerator
{
  public:
    static TypeId GetTypeId();

  private:
    TopologySize DoPredictSize() const override
    {
        return {2.0, static_cast<double>(m_cables)};
    }

    Expected<Topology> DoGenerate() const override;

    uint32_t m_cables{1};
    BitRate m_rate;
    SimTime m_delay;
};

NS_OBJECT_ENSURE_REGISTERED(BackToBackTopology);

const ComponentHelp HELP{"ns3::rdma::BackToBackTopology",
                         "Two hosts and the cables between them, no switch"};

TypeId
BackToBackTopology::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::BackToBackTopology"}
                            .SetParent<TopologyGenerator>()
                            .SetGroupName("Rdma")
                            .AddConstructor<BackToBackTopology>()
                            .AddAttribute("Cables",
                                          "Number of cables between the two hosts",
                                          UintegerValue{1},
                                          MakeUintegerAccessor(&BackToBackTopology::m_cables),
                                          MakeUintegerChecker<uint32_t>(1))
                            .AddAttribute("Rate",
                                          "Rate of each cable",
                                          BitRateValue{DEFAULT_LINK_RATE},
                                          MakeBitRateAccessor(&BackToBackTopology::m_rate),
                                          MakeLinkRateChecker())
                            .AddAttribute("Delay",
                                          "One-way delay of each cable",
                                          SimTimeValue{DEFAULT_LINK_DELAY},
                                          MakeSimTimeAccessor(&BackToBackTopology::m_delay),
                                          MakeLinkDelayChecker());
    return tid;
}

Expected<Topology>
BackToBackTopology::DoGenerate() const
{
    TopologyBuilder builder{"back-to-back"};
    const uint32_t first = builder.AddNodes(NodeKind::HOST, "h", 2);
    builder.Connect(first, first + 1, {m_rate, m_delay}, m_cables);
    return builder.Take();
}

} // namespace

} // namespace ns3::rdma
