// SPDX-License-Identifier: GPL-2.0-only
#include "congestion/notification-point.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime INTERVAL = SimTime::Microseconds(50);

/** CNPs for marked packets from first to last, both included, one each step. */
uint32_t
CountCnps(SimTime first, SimTime last, SimTime step, SimTime interval)
{
    NotificationPoint point;
    uint32_t cnps = 0;
    for (SimTime now = first; now <= last; now += step)
    {
        cnps += point.OnPacket(true, now, interval) ? 1 : 0;
    }
    return cnps;
}

/** 1 ms / 50 us = 20; the one at 0 is the 21st. */
TEST(NotificationPoint, OneMillisecondOfMarksDrawsTwentyCnps)
{
    const SimTime end = SimTime::Milliseconds(1);
    const SimTime step = SimTime::Nanoseconds(100);
    EXPECT_EQ(CountCnps(SimTime{}, end, step, INTERVAL), 21u);
    EXPECT_EQ(CountCnps(step, end, step, INTERVAL), 20u);
}

/** A mark inside the interval is answered when it ends, once, however many there were. */
TEST(NotificationPoint, MarkInTheIntervalIsAnsweredAtItsEnd)
{
    NotificationPoint point;
    const SimTime first = SimTime::Milliseconds(7);
    const SimTime end = first + INTERVAL;
    EXPECT_FALSE(point.OnPacket(false, first, INTERVAL));
    EXPECT_TRUE(point.OnPacket(true, first, INTERVAL));
    EXPECT_FALSE(point.OnPacket(true, first + SimTime::Microseconds(1), INTERVAL));
    EXPECT_FALSE(point.OnPacket(true, first + SimTime::Microseconds(2), INTERVAL));
    EXPECT_FALSE(point.OnPacket(false, SimTime{end.ps - 1}, INTERVAL));
    EXPECT_TRUE(point.OnPacket(false, end, INTERVAL));
    // The next interval saw no mark: its end draws nothing.
    EXPECT_FALSE(point.OnPacket(false, end + INTERVAL, INTERVAL));
    EXPECT_TRUE(point.OnPacket(true, end + INTERVAL, INTERVAL));
}

TEST(NotificationPoint, FirstAtOnceThenSilence)
{
    NotificationPoint point;
    const SimTime first = SimTime::Milliseconds(7);
    EXPECT_TRUE(point.OnPacket(true, first, INTERVAL));
    EXPECT_FALSE(point.OnPacket(true, first, INTERVAL));
    EXPECT_FALSE(point.OnPacket(true, first + SimTime{INTERVAL.ps - 1}, INTERVAL));
    EXPECT_TRUE(point.OnPacket(true, first + INTERVAL, INTERVAL));
    // The interval runs from the CNP, not from a grid: 130 us after the first is 80 us later.
    EXPECT_TRUE(point.OnPacket(true, first + SimTime::Microseconds(130), INTERVAL));
    EXPECT_FALSE(point.OnPacket(true, first + SimTime::Microseconds(179), INTERVAL));
}

TEST(NotificationPoint, WithoutIntervalEachMarkDrawsOne)
{
    EXPECT_EQ(CountCnps(SimTime{}, SimTime{999}, SimTime{1}, SimTime{}), 1000u);
}

} // namespace
} // namespace ns3::rdma
