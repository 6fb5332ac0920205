// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/timed-queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** Takes all values. */
std::vector<int>
Drain(TimedQueue<int>& queue)
{
    std::vector<int> values;
    while (!queue.NextTime().IsNever())
    {
        values.push_back(queue.Pop());
    }
    return values;
}

TEST(TimedQueue, GivesTheEarliestFirstAndEqualTimesAsAdded)
{
    TimedQueue<int> queue;
    EXPECT_TRUE(queue.NextTime().IsNever());
    queue.Push(SimTime{7}, 1);
    queue.Push(SimTime{3}, 2);
    queue.Push(SimTime{7}, 3);
    queue.Push(SimTime{3}, 4);
    EXPECT_EQ(queue.NextTime(), SimTime{3});
    EXPECT_THAT(Drain(queue), testing::ElementsAre(2, 4, 1, 3));
}

TEST(TimedQueue, ForgetsWhatIsUnwanted)
{
    TimedQueue<int> queue;
    for (int value = 0; value < 8; ++value)
    {
        queue.Push(SimTime{static_cast<uint64_t>(100 - value)}, value);
    }
    queue.RemoveIf([](int value) { return value % 2 == 1; });
    int count = 0;
    queue.ForEach([&count](int) { ++count; });
    EXPECT_EQ(count, 4);
    EXPECT_THAT(Drain(queue), testing::ElementsAre(6, 4, 2, 0));
}

} // namespace

} // namespace ns3::rdma
