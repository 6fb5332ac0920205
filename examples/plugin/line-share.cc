// SPDX-License-Identifier: GPL-2.0-only
/*
 * A congestion control outside of the tree: a shared library that rdmasim loads by --plugin.
 *
 * It paces each connection at a share of the line rate. All that makes it a plugin is the last
 * line; the classes are as in examples/own-congestion-control.cc.
 */
#include "base/attributes.h"
#include "base/component-help.h"
#include "congestion/congestion-control.h"
#include "scenario/plugin.h"

namespace ns3::rdma
{
namespace
{

/** The state of one connection. */
class LineShareController : public CongestionController
{
  public:
    explicit LineShareController(BitRate rate) : m_rate{rate} {}

    SendLimits GetLimits() const override
    {
        return {.rate = m_rate};
    }

    void OnSent(const SentEvent&) override {}

    void OnAck(const AckEvent&) override {}

    void OnCnp(const CnpEvent&) override {}

    void OnLoss(const LossEvent&) override {}

    SimTime NextTimer() const override
    {
        return SimTime::Never();
    }

    void OnTimer(SimTime) override {}

  private:
    BitRate m_rate;
};

/** The algorithm: "algorithm: line-share" in a scenario. */
class LineShare : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::LineShare")
                .SetParent<CongestionControl>()
                .SetGroupName("Rdma")
                .AddConstructor<LineShare>()
                .AddAttribute("Share",
                              "Wire rate of each connection, as a share of its line's",
                              FractionValue(Fraction{1, 2}),
                              MakeFractionAccessor(&LineShare::m_share),
                              MakeFractionChecker(Fraction{1, 1000}, Fraction{1, 1}));
        return tid;
    }

    std::unique_ptr<CongestionController> NewController(BitRate line, SimTime) const override
    {
        return std::make_unique<LineShareController>(
            BitRate{line.bps / m_share.denominator * m_share.numerator});
    }

    Feedback GetFeedback() const override
    {
        return Feedback::NONE;
    }

  private:
    Fraction m_share;
};

NS_OBJECT_ENSURE_REGISTERED(LineShare);

const ComponentHelp HELP{"ns3::rdma::LineShare", "Every connection at a share of its line's rate"};

} // namespace
} // namespace ns3::rdma

RDMASIM_PLUGIN();
