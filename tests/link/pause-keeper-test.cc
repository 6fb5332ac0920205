// SPDX-License-Identifier: GPL-2.0-only
#include "link/pause-keeper.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

/** Three ports whose PAUSEs are repeated after 100, 200 and 100 ns. */
PauseKeeper
MakeKeeper()
{
    PauseKeeper keeper;
    keeper.SetUp({SimTime::Nanoseconds(100), SimTime::Nanoseconds(200), SimTime::Nanoseconds(100)});
    return keeper;
}

TEST(PauseKeeper, KnowsWhatIsPaused)
{
    PauseKeeper keeper = MakeKeeper();
    EXPECT_FALSE(keeper.HasPauses());
    EXPECT_TRUE(keeper.NextRefresh().IsNever());
    keeper.Pause(1, 3, {});
    keeper.Pause(1, 4, {});
    EXPECT_TRUE(keeper.IsPaused(1, 3));
    EXPECT_FALSE(keeper.IsPaused(1, 5));
    EXPECT_FALSE(keeper.IsPaused(0, 3));
    keeper.Resume(1, 3);
    EXPECT_FALSE(keeper.IsPaused(1, 3));
    EXPECT_TRUE(keeper.IsPaused(1, 4));
    EXPECT_TRUE(keeper.HasPauses());
    keeper.Resume(1, 4);
    EXPECT_FALSE(keeper.HasPauses());
}

TEST(PauseKeeper, RefreshesInOrderOfTime)
{
    PauseKeeper keeper = MakeKeeper();
    keeper.Pause(1, 3, SimTime::Nanoseconds(0));  // due at 200
    keeper.Pause(0, 3, SimTime::Nanoseconds(50)); // due at 150
    EXPECT_EQ(keeper.NextRefresh(), SimTime::Nanoseconds(150));
    EXPECT_FALSE(keeper.PopDue(SimTime::Nanoseconds(149)));
    const auto first = keeper.PopDue(SimTime::Nanoseconds(150));
    ASSERT_TRUE(first);
    EXPECT_EQ(first->port, 0);
    EXPECT_FALSE(keeper.PopDue(SimTime::Nanoseconds(150)));
    keeper.Pause(0, 3, SimTime::Nanoseconds(150)); // due at 250
    EXPECT_EQ(keeper.NextRefresh(), SimTime::Nanoseconds(200));
}

TEST(PauseKeeper, EqualTimesGoByPortThenPriority)
{
    PauseKeeper keeper = MakeKeeper();
    keeper.Pause(2, 1, {});
    keeper.Pause(0, 4, {});
    keeper.Pause(0, 3, {});
    std::vector<std::pair<int, int>> order;
    while (const auto due = keeper.PopDue(SimTime::Nanoseconds(100)))
    {
        order.emplace_back(due->port, due->priority);
    }
    EXPECT_EQ(order, (std::vector<std::pair<int, int>>{{0, 3}, {0, 4}, {2, 1}}));
}

TEST(PauseKeeper, ResumedPauseIsNotRefreshed)
{
    PauseKeeper keeper = MakeKeeper();
    keeper.Pause(0, 3, {});
    keeper.Resume(0, 3);
    EXPECT_TRUE(keeper.NextRefresh().IsNever());
    EXPECT_FALSE(keeper.PopDue(SimTime::Microseconds(1)));
}

// Paused, resumed and paused again: only the second pause's time counts.
TEST(PauseKeeper, OldEntryOfANewPauseIsStale)
{
    PauseKeeper keeper = MakeKeeper();
    keeper.Pause(0, 3, {});
    keeper.Resume(0, 3);
    keeper.Pause(0, 3, SimTime::Nanoseconds(60));
    EXPECT_EQ(keeper.NextRefresh(), SimTime::Nanoseconds(160));
    EXPECT_FALSE(keeper.PopDue(SimTime::Nanoseconds(159)));
    EXPECT_TRUE(keeper.PopDue(SimTime::Nanoseconds(160)));
    EXPECT_FALSE(keeper.PopDue(SimTime::Nanoseconds(160)));
}

// Paused, resumed and paused again within one picosecond leaves two entries of one time, of which
// one repeats the PAUSE.
TEST(PauseKeeper, PauseOfTheSameInstantIsRefreshedOnce)
{
    PauseKeeper keeper = MakeKeeper();
    keeper.Pause(0, 3, {});
    keeper.Resume(0, 3);
    keeper.Pause(0, 3, {});
    const SimTime due = SimTime::Nanoseconds(100);
    int refreshed = 0;
    while (const auto entry = keeper.PopDue(due))
    {
        keeper.Pause(entry->port, entry->priority, due);
        ++refreshed;
    }
    EXPECT_EQ(refreshed, 1);
}

} // namespace
} // namespace ns3::rdma
