// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-cable-action.h"
#include "topology/topology-attributes.h"

namespace ns3::rdma
{

/**
 * A cable takes another rate in both directions, as after a new negotiation.
 *
 * Frames that start from then on take the new rate's time. Pauses that run end when they would
 * have; later ones count at the new rate. Connections that are made later start at the new rate.
 *
 * @choice thresholds and headroom of switches, the response time to a PAUSE in it, and the line
 * rate that congestion control of existing connections knows stay as they were: no switch is
 * configured anew by a negotiation. A negotiation that takes the link down for a while is a
 * link-down beside this.
 */
class RateChangeAction : public CableAction
{
  public:
    static TypeId GetTypeId();

    Diagnostics CheckSettings() const override;

    std::vector<RunEvent> GetRows() const override
    {
        std::vector<RunEvent> rows = CableAction::GetRows();
        for (RunEvent& row : rows)
        {
            row.detail += ", " + ToString(m_rate);
        }
        return rows;
    }

    void Apply(SimTime now) override
    {
        m_before.clear();
        for (const uint32_t link : GetLinks())
        {
            m_before.push_back(GetFabric().GetLinks()[2 * link].port->GetConfig().rate);
            GetFabric().SetLinkRate(link, m_rate, now);
        }
    }

    void Undo(SimTime now) override
    {
        for (std::size_t i = 0; i < m_before.size(); ++i)
        {
            GetFabric().SetLinkRate(GetLinks()[i], m_before[i], now);
        }
    }

    SimTime GetDuration() const override
    {
        return m_duration;
    }

  private:
    BitRate m_rate{};
    SimTime m_duration{};
    std::vector<BitRate> m_before; ///< by cable
};

NS_OBJECT_ENSURE_REGISTERED(RateChangeAction);

const ComponentHelp RATE_CHANGE_HELP{
    "ns3::rdma::RateChangeAction",
    "Cables take another rate; thresholds and headroom stay as they were"};

TypeId
RateChangeAction::GetTypeId()
{
    static TypeId tid =
        AddDuration(TypeId("ns3::rdma::RateChangeAction")
                        .SetParent<CableAction>()
                        .SetGroupName("Rdma")
                        .AddConstructor<RateChangeAction>()
                        .AddAttribute("Rate",
                                      "The rate from then on; it must be given",
                                      BitRateValue(BitRate{}),
                                      MakeBitRateAccessor(&RateChangeAction::m_rate),
                                      MakeBitRateChecker(BitRate{}, MAX_LINK_RATE)),
                    &RateChangeAction::m_duration);
    return tid;
}

Diagnostics
RateChangeAction::CheckSettings() const
{
    if (m_rate >= MIN_LINK_RATE)
    {
        return {};
    }
    const bool isMissing = m_rate == BitRate{};
    Diagnostic diagnostic = TimelineError("rate",
                                          isMissing ? "the key is missing" : "out of range",
                                          isMissing ? "" : ToString(m_rate));
    diagnostic.expected = ToString(MIN_LINK_RATE) + " .. " + ToString(MAX_LINK_RATE);
    return {diagnostic};
}

} // namespace ns3::rdma
