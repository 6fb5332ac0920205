// SPDX-License-Identifier: GPL-2.0-only
#include "live/tick-clock.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

TEST(TickClock, BetweenTwoReadingsTimeIsAStraightLine)
{
    TickClock clock{{.ticks = 1000, .ns = 500}};
    EXPECT_EQ(clock.ToNs(1234), 0);
    clock.Advance({.ticks = 3000, .ns = 1500}); // 0.5 ns a tick
    clock.Advance({.ticks = 4000, .ns = 3500}); // 2 ns a tick
    EXPECT_EQ(clock.ToNs(1000), 0);
    EXPECT_EQ(clock.ToNs(2000), 500);
    EXPECT_EQ(clock.ToNs(3000), 1000);
    EXPECT_EQ(clock.ToNs(3500), 2000);
    EXPECT_EQ(clock.ToNs(4000), 3000);
    EXPECT_EQ(clock.DurationNs(300), 300); // 3000 ns in 3000 ticks
    EXPECT_DOUBLE_EQ(clock.GetRate(), 1e9);
}

TEST(TickClock, AReadingThatIsNotLaterIsNone)
{
    TickClock clock{{.ticks = 1000, .ns = 500}};
    clock.Advance({.ticks = 2000, .ns = 1500});
    clock.Advance({.ticks = 2000, .ns = 9999});
    clock.Advance({.ticks = 3000, .ns = 1499});
    EXPECT_EQ(clock.ToNs(1500), 500);
    EXPECT_DOUBLE_EQ(clock.GetRate(), 1e9);
}

TEST(TickClock, TimesBeforeTheOldestKeptReadingLieOnTheLineToIt)
{
    constexpr uint64_t READINGS = 10000;
    TickClock clock{{.ticks = 0, .ns = 0}};
    for (uint64_t i = 1; i <= READINGS; ++i)
    {
        clock.Advance({.ticks = i * 100, .ns = static_cast<int64_t>(i) * 50});
    }
    int64_t last = -1;
    for (uint64_t ticks = 0; ticks <= READINGS * 100; ticks += 999)
    {
        EXPECT_EQ(clock.ToNs(ticks), static_cast<int64_t>(ticks / 2));
        EXPECT_GT(clock.ToNs(ticks), last);
        last = clock.ToNs(ticks);
    }
}

TEST(TickClock, FollowsTheMonotonicClock)
{
    ChooseTickSource();
    TickClock clock;
    const int64_t before = ReadSystemClock(CLOCK_MONOTONIC);
    const uint64_t ticks = ReadTicks();
    const int64_t after = ReadSystemClock(CLOCK_MONOTONIC);
    while (ReadSystemClock(CLOCK_MONOTONIC) < after + 1'000'000)
    {
    }
    clock.Advance();
    // A microsecond for what a reading may be off.
    EXPECT_GE(clock.ToNs(ticks) + clock.GetOrigin().ns, before - 1000);
    EXPECT_LE(clock.ToNs(ticks) + clock.GetOrigin().ns, after + 1000);
}

} // namespace ns3::rdma
