// SPDX-License-Identifier: GPL-2.0-only
#include "tests/congestion/dcqcn-script.h"

#include <array>
#include <cmath>
#include <vector>

namespace ns3::rdma
{
namespace
{

TEST(DcqcnController, StartsAtLineRateWithoutTimers)
{
    for (const DcqcnParameters& parameters : {Paper(), Mlx5(), HpccSim()})
    {
        Script flow{parameters, BitRate::Gbps(100)};
        EXPECT_EQ(flow.Rate(), 100'000'000'000u);
        EXPECT_TRUE(flow.NextTimer().IsNever());
        flow.At(Us(10)).Send(1'000'000'000);
        EXPECT_TRUE(flow.NextTimer().IsNever());
        EXPECT_EQ(flow.Rate(), 100'000'000'000u);
    }
}

/**
 * Equations 1 and 2 by hand, 40 Gb/s.
 * t = 0: alpha 1, RT 40, RC 40 (1 - 1/2) = 20; alpha = 255/256 + 1/256 = 1.
 * t = 50 us, before any timer: RT 20, RC 10, alpha 1.
 * t = 105 us, timer: RC = (10 + 20) / 2 = 15. Also one alpha period: alpha 255/256.
 * t = 150 us: RT 15, RC = 15 (1 - 255/512) = 15 x 257/512 = 7.529296875 Gb/s,
 * alpha = (255/256)^2 + 1/256 = 65281/65536.
 */
TEST(DcqcnController, FirstThreeCnpsOfPaper)
{
    Script flow{Paper(), BitRate::Gbps(40)};
    flow.Cnp();
    EXPECT_EQ(flow.Rate(), 20'000'000'000u);
    EXPECT_EQ(flow.Target(), 40e9);
    EXPECT_EQ(flow.Alpha(), 1.0);
    flow.At(Us(50)).Cnp();
    EXPECT_EQ(flow.Rate(), 10'000'000'000u);
    EXPECT_EQ(flow.Target(), 20e9);
    EXPECT_EQ(flow.NextTimer(), Us(105));
    flow.At(Us(105));
    EXPECT_EQ(flow.Rate(), 15'000'000'000u);
    flow.At(Us(150)).Cnp();
    EXPECT_EQ(flow.Rate(), 7'529'296'875u);
    EXPECT_EQ(flow.Target(), 15e9);
    EXPECT_EQ(flow.Alpha(), 65281.0 / 65536.0);
    EXPECT_EQ(flow.NextTimer(), Us(205));
}

/** Checks the times and clamp rule that mlx5 and hpcc-sim share against rates worked out below. */
void
ExpectThreeCnps(Script& flow, const std::array<uint64_t, 4>& rates)
{
    flow.At(Us(0)).Cnp();
    EXPECT_EQ(flow.Rate(), 100'000'000'000u) << "the cut waits";
    EXPECT_EQ(flow.NextTimer(), Us(4));
    flow.At(Us(4));
    EXPECT_EQ(flow.Rate(), rates[0]);
    EXPECT_EQ(flow.NextTimer(), Us(304));
    flow.At(Us(4.5)).Cnp();
    EXPECT_EQ(flow.NextTimer(), Us(8));
    flow.At(Us(6)).Cnp();
    EXPECT_EQ(flow.NextTimer(), Us(8)) << "one cut a period";
    flow.At(Us(8));
    EXPECT_EQ(flow.Rate(), rates[1]);
    EXPECT_EQ(flow.Target(), 100e9) << "nothing was raised since the last cut";
    EXPECT_EQ(flow.NextTimer(), Us(308));
    flow.At(Us(308));
    EXPECT_EQ(flow.Rate(), rates[2]);
    flow.At(Us(310.5)).Cnp();
    EXPECT_EQ(flow.NextTimer(), Us(312));
    flow.At(Us(312));
    EXPECT_EQ(flow.Rate(), rates[3]);
    EXPECT_NEAR(flow.Target(), static_cast<double>(rates[2]), 0.5) << "clamped after the timer";
}

/**
 * 100 Gb/s, d = 1019/1024, g = 5/1024, alpha counted in periods of 1 us, cuts at 4, 8, .. us.
 * 4 us:   alpha = (1023/1024) d^4 = 0.979653708; RC = 100 (1 - alpha/2) = 51.017314610.
 * 8 us:   CNPs in the periods (4, 5) and (6, 7), the latter coming at 6 us sharp, after that
 *         period's end: alpha = (((alpha d + g) d) d + g) d; RC = 51.017314610 (1 - alpha/2).
 * 308 us: fast recovery: RC = (RC + 100) / 2.
 * 312 us: the periods that end at 9 .. 310 us are without CNP, that at 311 has one, that at 312
 *         none; RT = RC; RC = RT (1 - alpha/2).
 */
std::array<uint64_t, 4>
RatesByHand(double initialAlpha, double g)
{
    const double d = 1.0 - g;
    std::array<uint64_t, 4> rates{};
    const auto rounded = [](double rate) { return static_cast<uint64_t>(std::llround(rate)); };
    double alpha = initialAlpha * d * d * d * d;
    double rate = 100e9 * (1.0 - alpha / 2.0);
    rates[0] = rounded(rate);
    alpha = alpha * d + g; // ends at 5 us
    alpha = alpha * d;     // 6 us
    alpha = alpha * d + g; // 7 us
    alpha = alpha * d;     // 8 us
    rate *= 1.0 - alpha / 2.0;
    rates[1] = rounded(rate);
    rate = (rate + 100e9) / 2.0;
    rates[2] = rounded(rate);
    for (int end = 9; end <= 310; ++end)
    {
        alpha *= d;
    }
    alpha = alpha * d + g; // 311 us
    alpha = alpha * d;     // 312 us
    rate *= 1.0 - alpha / 2.0;
    rates[3] = rounded(rate);
    return rates;
}

TEST(DcqcnController, FirstThreeCnpsOfMlx5)
{
    const std::array<uint64_t, 4> rates = RatesByHand(1023.0 / 1024.0, 5.0 / 1024.0);
    EXPECT_EQ(rates[0], 51'017'314'610u) << "100e9 (1 - (1023/1024) (1019/1024)^4 / 2)";
    Script flow{Mlx5(), BitRate::Gbps(100)};
    ExpectThreeCnps(flow, rates);
}

TEST(DcqcnController, FirstThreeCnpsOfHpccSim)
{
    const std::array<uint64_t, 4> rates = RatesByHand(1.0, 1.0 / 256.0);
    EXPECT_EQ(rates[0], 50'776'684'273u) << "100e9 (1 - (255/256)^4 / 2)";
    Script flow{HpccSim(), BitRate::Gbps(100)};
    ExpectThreeCnps(flow, rates);
}

/**
 * RT 20, RC 10: five rounds halve the distance to 20 (15, 17.5, 18.75, 19.375, 19.6875); from the
 * sixth on RT rises by 40 Mb/s: RT 20.04, RC (19.6875 + 20.04) / 2 = 19.86375 Gb/s.
 */
TEST(DcqcnController, FiveRoundsOfFastRecoveryThenAdditiveIncrease)
{
    Script flow{Paper(), BitRate::Gbps(40)};
    flow.Cnp().At(Us(50)).Cnp();
    std::vector<uint64_t> rates;
    for (int round = 0; round < 5; ++round)
    {
        rates.push_back(flow.Timer().Rate());
        EXPECT_EQ(flow.Target(), 20e9);
    }
    EXPECT_THAT(
        rates,
        testing::ElementsAre(
            15'000'000'000u, 17'500'000'000u, 18'750'000'000u, 19'375'000'000u, 19'687'500'000u));
    EXPECT_EQ(flow.Timer().Rate(), 19'863'750'000u);
    EXPECT_EQ(flow.Target(), 20.04e9);
    flow.Timer();
    EXPECT_EQ(flow.Target(), 20.08e9);
    // However many rounds of the timer, hyper increase needs the byte counter as well.
    for (int round = 0; round < 20; ++round)
    {
        flow.Timer();
    }
    EXPECT_EQ(flow.Target(), 20.88e9);
}

/** The byte counter's rounds count as the timer's; 10 MB a round. */
TEST(DcqcnController, ByteCounterMakesRoundsOfItsOwn)
{
    Script flow{Paper(), BitRate::Gbps(40)};
    flow.Cnp().At(Us(50)).Cnp();
    flow.Send(9'999'999);
    EXPECT_EQ(flow.Rate(), 10'000'000'000u);
    flow.Send(1);
    EXPECT_EQ(flow.Rate(), 15'000'000'000u);
    flow.Send(10'000'001);
    EXPECT_EQ(flow.Rate(), 17'500'000'000u);
    flow.Send(9'999'999);
    EXPECT_EQ(flow.Rate(), 18'750'000'000u) << "the byte too many of the round before counts";
    flow.Send(10'000'000).Send(10'000'000);
    EXPECT_EQ(flow.Target(), 20e9);
    flow.Send(10'000'000);
    EXPECT_EQ(flow.Target(), 20.04e9);
}

/** Both counters at 6 of F = 5: hyper increase by 400 Mb/s; until then additive. */
TEST(DcqcnController, HyperIncreaseNeedsBothCountersPastF)
{
    Script flow{Paper(), BitRate::Gbps(40)};
    flow.Cnp().At(Us(50)).Cnp();
    for (int round = 0; round < 6; ++round)
    {
        flow.Send(10'000'000);
    }
    EXPECT_EQ(flow.Target(), 20.04e9) << "one additive round, the sixth";
    for (int round = 0; round < 6; ++round)
    {
        flow.Timer();
    }
    EXPECT_NEAR(flow.Target(), 20.28e9, 1.0) << "six additive rounds more";
    flow.Timer();
    EXPECT_NEAR(flow.Target(), 20.68e9, 1.0);
    flow.Send(10'000'000);
    EXPECT_NEAR(flow.Target(), 21.08e9, 1.0);
    // A CNP starts both counters again.
    flow.Cnp();
    const double target = flow.Target();
    flow.Timer().Send(10'000'000);
    EXPECT_EQ(flow.Target(), target);
}

/** hpcc-sim, 100 Gb/s: increases of 4 x 5 and 4 x 50 Mb/s; F = 1: fast, additive, then hyper. */
TEST(DcqcnController, IncreasesScaleWithTheReferenceRate)
{
    DcqcnParameters parameters = HpccSim();
    parameters.clampsTarget = true;
    Script flow{parameters, BitRate::Gbps(100)};
    flow.Cnp().At(Us(4)).Cnp().At(Us(8));
    const double target = flow.Target();
    flow.Timer();
    EXPECT_EQ(flow.Target(), target);
    flow.Timer();
    EXPECT_NEAR(flow.Target(), target + 20e6, 1e-3);
    flow.Timer();
    EXPECT_NEAR(flow.Target(), target + 220e6, 1e-3);
}

/** From 20 back to 40 Gb/s: 20e9 / 2^35 = 0.58 < 1 b/s: 35 rounds, then silence. */
TEST(DcqcnController, TimersStopAtLineRate)
{
    Script flow{Paper(), BitRate::Gbps(40)};
    flow.Cnp();
    int rounds = 0;
    for (; !flow.NextTimer().IsNever(); ++rounds)
    {
        ASSERT_LT(rounds, 100);
        flow.Timer();
    }
    EXPECT_EQ(rounds, 35);
    EXPECT_EQ(flow.Rate(), 40'000'000'000u);
    flow.At(Us(1e6)).Cnp();
    EXPECT_FALSE(flow.NextTimer().IsNever());
}

TEST(DcqcnController, WithoutIncreaseTimersStopAtTheTarget)
{
    DcqcnParameters parameters = Paper();
    parameters.additiveIncrease = {};
    parameters.hyperIncrease = {};
    Script flow{parameters, BitRate::Gbps(40)};
    flow.Cnp().At(Us(1)).Cnp();
    for (int rounds = 0; !flow.NextTimer().IsNever(); ++rounds)
    {
        ASSERT_LT(rounds, 100);
        flow.Timer();
    }
    EXPECT_EQ(flow.Rate(), 20'000'000'000u);
}

TEST(DcqcnController, OverdueTimersRunInTheirOrder)
{
    for (const DcqcnParameters& parameters : {Paper(), Mlx5(), HpccSim()})
    {
        Script stepped{parameters, BitRate::Gbps(100)};
        Script late{parameters, BitRate::Gbps(100)};
        for (Script* flow : {&stepped, &late})
        {
            flow->Cnp().At(Us(310)).Cnp();
        }
        while (stepped.NextTimer() <= Us(2000))
        {
            stepped.Timer();
        }
        late.At(Us(2000));
        EXPECT_EQ(stepped.Rate(), late.Rate());
        EXPECT_EQ(stepped.Target(), late.Target());
        EXPECT_EQ(stepped.NextTimer(), late.NextTimer());
    }
}

/** mlx5 and hpcc-sim: a cut moves the target only if something raised the rate since the last. */
TEST(DcqcnController, TargetIsClampedAfterARoundOfTheByteCounter)
{
    Script flow{Mlx5(), BitRate::Gbps(100)};
    flow.Cnp().At(Us(4)).Send(2'097'088);
    const uint64_t raised = flow.Rate();
    EXPECT_EQ(flow.Target(), 100e9);
    flow.Cnp().At(Us(8));
    EXPECT_NEAR(flow.Target(), static_cast<double>(raised), 0.5);
}

TEST(DcqcnController, TargetStaysAfterTheTimerWhereThatClampIsOff)
{
    DcqcnParameters parameters = Mlx5();
    parameters.clampsTargetAfterTimer = false;
    Script flow{parameters, BitRate::Gbps(100)};
    flow.Cnp().At(Us(304)).Cnp().At(Us(308));
    EXPECT_LT(flow.Rate(), 80'000'000'000u);
    EXPECT_EQ(flow.Target(), 100e9);
}

/** Rate and target at the first CNP; here the cut that follows leaves all. */
TEST(DcqcnController, FirstCnpMaySetTheRate)
{
    DcqcnParameters parameters = Mlx5();
    parameters.minDecreaseFactor = {1, 1};
    parameters.firstCnpRate = BitRate::Gbps(60);
    Script toRate{parameters, BitRate::Gbps(100)};
    toRate.Cnp();
    EXPECT_EQ(toRate.Rate(), 60'000'000'000u);
    EXPECT_EQ(toRate.Target(), 60e9);
    toRate.At(Us(4)).Cnp().At(Us(8));
    EXPECT_EQ(toRate.Rate(), 60'000'000'000u) << "only at the first";
    parameters.firstCnpRate = {};
    parameters.firstCnpFactor = {3, 4};
    Script toShare{parameters, BitRate::Gbps(100)};
    EXPECT_EQ(toShare.Cnp().Rate(), 75'000'000'000u);
}

TEST(DcqcnController, OneCutLeavesAtLeastTheMinimumFactor)
{
    DcqcnParameters parameters = Paper();
    parameters.minDecreaseFactor = {9, 10};
    Script flow{parameters, BitRate::Gbps(40)};
    EXPECT_EQ(flow.Cnp().Rate(), 36'000'000'000u);
    EXPECT_EQ(flow.Cnp().Rate(), 32'400'000'000u);
}

TEST(DcqcnController, RateStaysBetweenMinimumAndMaximum)
{
    DcqcnParameters parameters = Paper();
    parameters.maxRate = BitRate::Gbps(30);
    Script flow{parameters, BitRate::Gbps(40)};
    EXPECT_EQ(flow.Rate(), 30'000'000'000u);
    for (int cnp = 0; cnp < 20; ++cnp)
    {
        flow.Cnp();
    }
    EXPECT_EQ(flow.Rate(), 40'000'000u);
    // A line slower than the minimum rate: the line rate, for ever.
    Script slow{Paper(), BitRate::Mbps(10)};
    slow.Cnp();
    EXPECT_EQ(slow.Rate(), 10'000'000u);
    slow.Timer();
    EXPECT_TRUE(slow.NextTimer().IsNever());
}

} // namespace
} // namespace ns3::rdma
