// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "base/component-help.h"
#include "base/live-parameters.h"
#include "congestion/congestion-control.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{
namespace
{

class FixedRateController : public CongestionController
{
  public:
    /** @param rate outlives the controller */
    FixedRateController(const BitRate& rate, BitRate lineRate) : m_rate{rate}, m_lineRate{lineRate}
    {
    }

    SendLimits GetLimits() const override
    {
        return {.rate = std::min(m_rate, m_lineRate)};
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
    const BitRate& m_rate;
    BitRate m_lineRate;
};

/** Paces each connection at one rate that nothing changes; never above the line rate. */
class FixedRate : public CongestionControl, public LiveParameters
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::rdma::FixedRate")
                .SetParent<CongestionControl>()
                .SetGroupName("Rdma")
                .AddConstructor<FixedRate>()
                .AddAttribute("Rate",
                              "Wire rate of each connection; the line rate if that is lower",
                              BitRateValue(BitRate::Gbps(10)),
                              MakeBitRateAccessor(&FixedRate::m_rate),
                              MakeBitRateChecker(BitRate{1}));
        return tid;
    }

    std::unique_ptr<CongestionController> NewController(BitRate lineRate, SimTime) const override
    {
        return std::make_unique<FixedRateController>(m_rate, lineRate);
    }

    Feedback GetFeedback() const override
    {
        return Feedback::NONE;
    }

    std::span<const std::string_view> GetLiveAttributes() const override
    {
        static constexpr std::array<std::string_view, 1> NAMES{"Rate"};
        return NAMES;
    }

  private:
    BitRate m_rate;
};

NS_OBJECT_ENSURE_REGISTERED(FixedRate);

const ComponentHelp HELP{"ns3::rdma::FixedRate", "Every connection at one rate, whatever happens"};

} // namespace
} // namespace ns3::rdma
