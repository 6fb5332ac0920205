// SPDX-License-Identifier: GPL-2.0-only
#include "engine/random-stream.h"
#include "rnic/deadline-heap.h"

#include <array>
#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

TEST(DeadlineHeap, EmptyHasNoDeadline)
{
    const DeadlineHeap<int> heap;
    EXPECT_TRUE(heap.IsEmpty());
    EXPECT_TRUE(heap.NextTime().IsNever());
}

TEST(DeadlineHeap, EqualTimesComeInTheOrderOfTheirAddition)
{
    std::array<int, 3> owners{};
    DeadlineHeap<int> heap;
    heap.Push({20}, owners[0]);
    heap.Push({10}, owners[1]);
    heap.Push({10}, owners[2]);
    EXPECT_EQ(heap.NextTime(), SimTime{10});
    EXPECT_EQ(heap.Pop().owner, &owners[1]);
    EXPECT_EQ(heap.Top().owner, &owners[2]);
    EXPECT_EQ(heap.Pop().owner, &owners[2]);
    EXPECT_EQ(heap.Pop().owner, &owners[0]);
    EXPECT_TRUE(heap.IsEmpty());
}

TEST(DeadlineHeap, RandomTimesComeSorted)
{
    int owner = 0;
    DeadlineHeap<int> heap;
    RandomStream random{1, "heap"};
    for (int i = 0; i < 2000; ++i)
    {
        heap.Push({random.NextBelow(500)}, owner);
    }
    auto before = heap.Pop();
    while (!heap.IsEmpty())
    {
        const auto next = heap.Pop();
        EXPECT_TRUE(before.time < next.time ||
                    (before.time == next.time && before.sequence < next.sequence));
        before = next;
    }
}

} // namespace
} // namespace ns3::rdma
