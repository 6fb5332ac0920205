// SPDX-License-Identifier: GPL-2.0-only
#include "workload/clock-alignment.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** Messages in both directions every millisecond, each 1 us to 3 us on its way, in turn. */
void
AddTraffic(ClockAlignment& alignment, int64_t offsetNs, double drift, int64_t milliseconds)
{
    const auto second = [&](int64_t ns)
    { return ns + offsetNs + static_cast<int64_t>(drift * static_cast<double>(ns)); };
    for (int64_t i = 0; i < milliseconds; ++i)
    {
        const int64_t now = i * 1'000'000;
        const int64_t trip = 1000 + i % 3 * 1000;
        alignment.Add(0, now, 1, second(now + trip));
        alignment.Add(1, second(now + 500'000), 0, now + 500'000 + trip);
    }
}

TEST(ClockAlignment, AConstantIsTheMiddleOfBothBounds)
{
    ClockAlignment alignment{2};
    AddTraffic(alignment, 5'000'000'000, 0.0, 100);
    const auto clocks = alignment.Solve();
    // The quickest message of each direction is 1 us on its way.
    EXPECT_EQ(clocks[1].offsetNs, 5'000'000'000);
    EXPECT_EQ(clocks[1].errorNs, 1000);
    EXPECT_EQ(clocks[1].drift, 0.0);
    EXPECT_EQ(clocks[1].Apply(5'000'000'777), 777);
    EXPECT_TRUE(clocks[1].isAligned);
    EXPECT_EQ(alignment.GetMessages(), 200U);
}

TEST(ClockAlignment, ClocksOfDifferentSpeedAreALine)
{
    // 20 ppm in 10 s are 200 us, far more than messages take.
    constexpr double DRIFT = 20e-6;
    ClockAlignment alignment{2};
    AddTraffic(alignment, -3'000'000, DRIFT, 10'000);
    const ClockCorrection clock = alignment.Solve()[1];
    EXPECT_NEAR(clock.drift, DRIFT, 0.05 * DRIFT);
    for (const int64_t ns :
         {int64_t{1'000'000'000}, int64_t{5'000'000'000}, int64_t{9'000'000'000}})
    {
        const int64_t shown =
            ns - 3'000'000 + static_cast<int64_t>(DRIFT * static_cast<double>(ns));
        EXPECT_NEAR(
            static_cast<double>(clock.Apply(shown)), static_cast<double>(ns), clock.errorNs + 1000)
            << ns;
    }
}

TEST(ClockAlignment, MessagesOfOneDirectionBoundOneSideOnly)
{
    ClockAlignment alignment{2};
    alignment.Add(0, 1000, 1, 51'500);
    alignment.Add(0, 2000, 1, 52'000);
    const ClockCorrection clock = alignment.Solve()[1];
    EXPECT_TRUE(clock.isOneSided);
    EXPECT_EQ(clock.offsetNs, 50'000);
}

TEST(ClockAlignment, AClockIsReachedByWayOfAnother)
{
    ClockAlignment alignment{4};
    for (const auto& [a, b, offset] : {std::tuple{0, 1, 100'000}, std::tuple{1, 2, -30'000}})
    {
        const auto first = static_cast<std::size_t>(a);
        const auto second = static_cast<std::size_t>(b);
        alignment.Add(first, 0, second, 1000 + offset);
        alignment.Add(second, offset, first, 1000);
    }
    const auto clocks = alignment.Solve();
    EXPECT_EQ(clocks[2].offsetNs, 70'000);
    EXPECT_EQ(clocks[2].errorNs, 2000);
    // Nobody talks to the last one.
    EXPECT_FALSE(clocks[3].isAligned);
    EXPECT_EQ(clocks[3].Apply(123), 123);
}

} // namespace

} // namespace ns3::rdma
