// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "tests/congestion/dcqcn-script.h"

namespace ns3::rdma
{
namespace
{

/** Alpha with an event for each period, as the text of the algorithm has it. */
class EagerAlpha
{
  public:
    explicit EagerAlpha(const DcqcnParameters& parameters)
        : m_parameters{parameters},
          m_alpha{parameters.initialAlpha.ToDouble()},
          m_g{parameters.alphaGain.ToDouble()}
    {
    }

    void Cnp(SimTime now)
    {
        const bool isFirst = m_due.IsNever();
        Advance(now);
        if (m_parameters.raisesAlphaAtCnp)
        {
            m_alpha = (1.0 - m_g) * m_alpha + m_g;
            m_due = now + m_parameters.alphaPeriod;
        }
        else
        {
            m_hasCnp = !isFirst;
            m_due = isFirst ? now + m_parameters.alphaPeriod : m_due;
        }
    }

    double At(SimTime now)
    {
        Advance(now);
        return m_alpha;
    }

  private:
    void Advance(SimTime now)
    {
        for (; m_due <= now; m_due += m_parameters.alphaPeriod)
        {
            m_alpha = (1.0 - m_g) * m_alpha + (m_hasCnp ? m_g : 0.0);
            m_hasCnp = false;
        }
    }

    DcqcnParameters m_parameters;
    double m_alpha;
    double m_g;
    SimTime m_due{SimTime::Never()};
    bool m_hasCnp{false};
};

/** Gaps from below a period to 300 periods; only the order of rounding differs: 1e-12. */
TEST(DcqcnController, LazyAlphaEqualsEagerAlpha)
{
    for (const DcqcnParameters& parameters : {Paper(), Mlx5(), HpccSim()})
    {
        Script lazy{parameters, BitRate::Gbps(100)};
        EagerAlpha eager{parameters};
        SimTime now{};
        for (uint64_t i = 0; i < 3000; ++i)
        {
            const uint64_t longest = parameters.alphaPeriod.ps * (Mix64(i) % 8 == 0 ? 300 : 3);
            now += SimTime{Mix64(i + 77) % longest};
            lazy.At(now);
            ASSERT_NEAR(lazy.Alpha(), eager.At(now), 1e-12) << i;
            if (Mix64(i + 154) % 3 != 0)
            {
                lazy.Cnp();
                eager.Cnp(now);
            }
            ASSERT_NEAR(lazy.Alpha(), eager.At(now), 1e-12) << i;
        }
    }
}

/** A hundred days of silence are applied at once, and leave alpha at 0. */
TEST(DcqcnController, AlphaDecaysToNothing)
{
    Script flow{HpccSim(), BitRate::Gbps(100)};
    flow.Cnp();
    flow.At(SimTime::Seconds(86'400) * 100);
    EXPECT_EQ(flow.Alpha(), 0.0);
    EXPECT_EQ(flow.Rate(), 100'000'000'000u);
}

/** Rate in [minimum, line], target at least the rate, under any events (seeded). */
TEST(DcqcnController, LimitsHoldUnderRandomEvents)
{
    for (const DcqcnParameters& parameters : {Paper(), Mlx5(), HpccSim()})
    {
        Script flow{parameters, BitRate::Gbps(100)};
        SimTime now{};
        for (uint64_t i = 0; i < 20'000; ++i)
        {
            now += SimTime{Mix64(i) % (Mix64(i + 1) % 50 == 0 ? 2'000'000'000 : 20'000'000)};
            flow.At(now);
            Mix64(i + 2) % 4 == 0 ? flow.Cnp() : flow.Send(1 + Mix64(i + 3) % 1'000'000);
            ASSERT_GE(flow.Rate(), parameters.minRate.bps) << i;
            ASSERT_LE(flow.Rate(), 100'000'000'000u) << i;
            ASSERT_GE(flow.Target() + 1.0, static_cast<double>(flow.Rate())) << i;
            ASSERT_GT(flow.NextTimer(), now) << i;
            ASSERT_GE(flow.Alpha(), 0.0) << i;
            ASSERT_LE(flow.Alpha(), 1.0) << i;
        }
    }
}

} // namespace
} // namespace ns3::rdma
