// SPDX-License-Identifier: GPL-2.0-only
#include "link/port-pauses.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime US = SimTime::Microseconds(1);
constexpr uint8_t PRIORITY = 3;

/** A PAUSE of the tests' priority for 100 us, obeyed after 1 us. */
constexpr PauseRequest PAUSE{.priority = PRIORITY, .pause = 100 * US, .response = US};
constexpr PauseRequest RESUME{.priority = PRIORITY, .pause = {}, .response = US};

} // namespace

TEST(PortPauses, HoldFromTheResponseToTheEnd)
{
    PortPauses pauses;
    pauses.Receive(PAUSE, 10 * US);
    EXPECT_EQ(pauses.OpenPriorities(10 * US), 0xff);
    EXPECT_EQ(pauses.OpenPriorities(11 * US), 0xff & ~PriorityBit(PRIORITY));
    EXPECT_EQ(pauses.OpenPriorities(110 * US), 0xff);
    EXPECT_EQ(pauses.GetTotal(PRIORITY, 61 * US), 50 * US);
    EXPECT_EQ(pauses.GetTotal(PRIORITY, 500 * US), 99 * US);
    EXPECT_EQ(pauses.GetTotal(PRIORITY + 1, 500 * US), SimTime{});
}

// What a watchdog asks for: renewed in time it is one pause, renewed too late there was a gap.
TEST(PortPauses, ARenewedPauseHasNoGap)
{
    PortPauses pauses;
    pauses.Receive(PAUSE, 10 * US);
    pauses.Receive(PAUSE, 60 * US);
    EXPECT_EQ(pauses.Get(PRIORITY).from, 11 * US);
    EXPECT_EQ(pauses.Get(PRIORITY).until, 160 * US);
    pauses.Receive(PAUSE, 160 * US);
    EXPECT_EQ(pauses.Get(PRIORITY).from, 161 * US) << "a frame could start at 160";
    EXPECT_EQ(pauses.GetTotal(PRIORITY, 161 * US), 149 * US);
}

TEST(PortPauses, AResumeEndsAndItsTimeIsKept)
{
    PortPauses pauses;
    pauses.Receive(PAUSE, 10 * US);
    pauses.Receive(RESUME, 31 * US);
    EXPECT_EQ(pauses.OpenPriorities(31 * US), 0xff);
    EXPECT_EQ(pauses.GetTotal(PRIORITY, 500 * US), 20 * US);
}

TEST(PortPauses, AnIgnoredPriorityIsOpenAndItsPausesCountForNothing)
{
    PortPauses pauses;
    pauses.Receive(PAUSE, 10 * US);
    pauses.Ignore(PRIORITY, true, 31 * US);
    EXPECT_TRUE(pauses.IsIgnored(PRIORITY));
    EXPECT_FALSE(pauses.IsIgnored(PRIORITY + 1));
    pauses.Receive(PAUSE, 40 * US);
    EXPECT_EQ(pauses.OpenPriorities(60 * US), 0xff);
    pauses.Ignore(PRIORITY, false, 70 * US);
    EXPECT_EQ(pauses.OpenPriorities(80 * US), 0xff) << "until the next PAUSE";
    EXPECT_EQ(pauses.GetTotal(PRIORITY, 80 * US), 20 * US);
    pauses.Receive(PAUSE, 90 * US);
    EXPECT_EQ(pauses.OpenPriorities(91 * US), 0xff & ~PriorityBit(PRIORITY));
}

TEST(PortPauses, AllEndWithTheLink)
{
    PortPauses pauses;
    pauses.Receive(PAUSE, 10 * US);
    pauses.EndAll(21 * US);
    EXPECT_EQ(pauses.OpenPriorities(21 * US), 0xff);
    EXPECT_EQ(pauses.GetTotal(PRIORITY, 500 * US), 10 * US);
}

} // namespace ns3::rdma
