// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "congestion/dcqcn-controller.h"
#include "congestion/notification-point.h"

#include <deque>
#include <gmock/gmock.h>
#include <numeric>
#include <string>
#include <vector>

namespace ns3::rdma
{
namespace
{

/**
 * N greedy senders with DCQCN "paper" on one 40 Gb/s queue, packet by packet: no network, only
 * pacing, a FIFO with RED, and CNPs that take 4 us back.
 *
 * The line of RED goes on beyond Kmax, as in the source's figure of fixed points: the fluid model
 * knows no jump of the probability there, which excursions of the queue would reach.
 */
class Bottleneck
{
  public:
    static constexpr BitRate LINE = BitRate::Gbps(40);
    static constexpr uint32_t PACKET = 1000;
    static constexpr double KMIN = 5'000;
    static constexpr double KMAX = 200'000;
    static constexpr double PMAX = 0.01;
    static constexpr SimTime STEP = SimTime::Nanoseconds(200); ///< 1000 B at 40 Gb/s
    static constexpr SimTime FEEDBACK = SimTime::Microseconds(4);

    explicit Bottleneck(uint32_t flows)
    {
        for (uint32_t i = 0; i < flows; ++i)
        {
            m_flows.emplace_back(DcqcnController{m_parameters, LINE});
        }
    }

    /** One departure, with all that arrives before it. */
    void Step()
    {
        m_now += STEP;
        for (uint32_t i = 0; i < m_flows.size(); ++i)
        {
            Advance(m_flows[i], i);
        }
        if (m_queue.empty())
        {
            return;
        }
        Flow& flow = m_flows[m_queue.front()];
        m_queue.pop_front();
        if (flow.np.OnPacket(IsMarked(), m_now, SimTime::Microseconds(50)))
        {
            flow.cnp = m_now + FEEDBACK;
        }
    }

    /** What has come and is not sent: the packet on the wire is half gone, on the average. */
    double BacklogBytes() const
    {
        return QueueBytes() + PACKET / 2.0;
    }

    double RateOf(uint32_t flow) const
    {
        return static_cast<double>(m_flows[flow].controller.GetLimits().rate.bps);
    }

  private:
    struct Flow
    {
        explicit Flow(const DcqcnController& start) : controller{start} {}

        DcqcnController controller;
        NotificationPoint np{};
        SimTime nextPacket{};
        SimTime cnp{SimTime::Never()};
    };

    /** The CNP that came and the packets that were sent since the step before. */
    void Advance(Flow& flow, uint32_t index)
    {
        if (flow.cnp <= m_now)
        {
            flow.controller.OnTimer(flow.cnp);
            flow.controller.OnCnp({.now = flow.cnp});
            flow.cnp = SimTime::Never();
        }
        for (; flow.nextPacket <= m_now; m_queue.push_back(index))
        {
            flow.controller.OnTimer(m_now);
            flow.controller.OnSent({.now = m_now, .frameBytes = PACKET});
            const uint64_t rate = flow.controller.GetLimits().rate.bps;
            flow.nextPacket += SimTime{PACKET * 8 * 1'000'000'000'000 / rate};
        }
    }

    /** What waits behind the packet that departs. */
    double QueueBytes() const
    {
        return static_cast<double>(m_queue.size() * PACKET);
    }

    bool IsMarked()
    {
        const double probability = PMAX * (QueueBytes() - KMIN) / (KMAX - KMIN);
        return static_cast<double>(Mix64(m_draws++) >> 11) * 0x1p-53 < probability;
    }

    DcqcnParameters m_parameters;
    std::deque<Flow> m_flows; ///< a notification point does not move
    std::deque<uint32_t> m_queue;
    SimTime m_now{};
    uint64_t m_draws{0};
};

struct Case
{
    uint32_t flows;
    double fluidQueueBytes; ///< q*
};

class DcqcnFixedPoint : public testing::TestWithParam<Case>
{
};

/**
 * The fluid model's fixed point (Zhu et al., "ECN or Delay", CoNEXT 2016, DCQCN) for 40 Gb/s,
 * 1000-byte packets, these parameters: q* = (p* / Pmax) (Kmax - Kmin) + Kmin, with p* the root of
 * a^2 alpha / ((b + d)(c + e)) = tau^2 R_AI R_C.
 *
 * Where the queue is short it is below Kmin for a part of the time, where the probability is 0 and
 * not negative: with two flows that keeps the mean a tenth below the fluid's.
 *
 * The band is that of the time-mean queue of a packet simulator at feedback delays up to 10 us:
 * 15 %, 3 % for the rates of the flows over a long time. 1.2 s leave a flow's mean rate a spread
 * of 1 % (standard deviation over these 24 flows), hence 5 % for each, and 1 % for their sum.
 */
TEST_P(DcqcnFixedPoint, MeanQueueIsThatOfTheFluidModel)
{
    const uint32_t flows = GetParam().flows;
    Bottleneck link{flows};
    constexpr uint64_t WARM_UP = 1'000'000;  // 200 ms
    constexpr uint64_t MEASURED = 6'000'000; // 1.2 s
    for (uint64_t step = 0; step < WARM_UP; ++step)
    {
        link.Step();
    }
    double queueBytes = 0;
    std::vector<double> rates(flows);
    for (uint64_t step = 0; step < MEASURED; ++step)
    {
        link.Step();
        queueBytes += link.BacklogBytes() / MEASURED;
        for (uint32_t flow = 0; flow < flows; ++flow)
        {
            rates[flow] += link.RateOf(flow) / MEASURED;
        }
    }
    EXPECT_NEAR(queueBytes, GetParam().fluidQueueBytes, 0.15 * GetParam().fluidQueueBytes);
    EXPECT_NEAR(std::accumulate(rates.begin(), rates.end(), 0.0), 40e9, 0.01 * 40e9);
    for (const double rate : rates)
    {
        EXPECT_NEAR(rate, 40e9 / flows, 0.05 * 40e9 / flows);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Flows,
    DcqcnFixedPoint,
    testing::Values(Case{2, 20'200}, Case{4, 41'800}, Case{8, 93'800}, Case{10, 122'600}),
    [](const auto& info) { return "N" + std::to_string(info.param.flows); });

/**
 * With CNPs at even gaps the cycle can be solved by hand; here 6.5 T = 357.5 us, so n = 6 rounds
 * of the timer (F = 5 fast, one additive) and 6 periods of alpha between two CNPs.
 *
 * alpha behind a CNP: A = (1-g)^7 A + g; before the next: B = (1-g)^6 A.
 * The cut takes RC B / 2 off, D = RT - RC. Five fast rounds leave D / 32; the additive round lifts
 * RT by R_AI and leaves (D / 32 + R_AI) / 2. The cycle closes if RC is back where it was, that is
 * RT - RC = R_AI: D / 64 + R_AI / 2 = R_AI, so D = 32 R_AI and RC = 64 R_AI / B.
 * g = 1/256, R_AI = 40 Mb/s: B = 0.141185, RC = 18.132 Gb/s before each cut.
 */
TEST(DcqcnCycle, EvenCnpsGiveTheCycleSolvedByHand)
{
    const double keep = 255.0 / 256.0;
    const double keep6 = keep * keep * keep * keep * keep * keep;
    const double after = 1.0 / 256.0 / (1.0 - keep6 * keep);
    const double before = keep6 * after;
    const DcqcnParameters parameters;
    DcqcnController flow{parameters, BitRate::Gbps(100)};
    SimTime now{};
    double rate = 0;
    for (uint32_t cycle = 0; cycle < 20'000; ++cycle)
    {
        flow.OnTimer(now);
        rate = static_cast<double>(flow.GetLimits().rate.bps);
        flow.OnCnp({.now = now});
        now += SimTime::Nanoseconds(357'500);
    }
    EXPECT_NEAR(flow.GetAlpha(now - SimTime{1}), before, 1e-9);
    EXPECT_NEAR(rate, 64.0 * 40e6 / before, 1e-6 * rate);
    EXPECT_NEAR(rate, 18.132e9, 0.001e9);
}

} // namespace
} // namespace ns3::rdma
