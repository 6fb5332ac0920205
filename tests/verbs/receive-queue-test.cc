// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/receive-queue.h"

#include <array>
#include <gtest/gtest.h>
#include <set>

namespace ns3::rdma
{
namespace
{

constexpr std::array<ScatterGatherElement, 3> PIECES{
    {{.address = 0x1000, .length = 10, .lkey = 1},
     {.address = 0x2000, .length = 20, .lkey = 2},
     {.address = 0x3000, .length = 30, .lkey = 3}},
};

TEST(ReceiveQueue, GivesReceivesInTheOrderOfPosting)
{
    ReceiveQueue queue{3, 1};
    EXPECT_TRUE(queue.IsEmpty());
    // Posted and taken until the ring has wrapped several times, at each filling.
    uint64_t posted = 0;
    uint64_t taken = 0;
    for (uint32_t filling : {1, 2, 3, 1, 3, 2, 3, 3})
    {
        while (queue.GetCount() < filling)
        {
            ASSERT_EQ(queue.Post({.wrId = posted++}), VerbsError::NONE);
        }
        EXPECT_EQ(queue.Take().wrId, taken++);
        EXPECT_EQ(queue.GetCount(), posted - taken);
    }
    while (!queue.IsEmpty())
    {
        EXPECT_EQ(queue.Take().wrId, taken++);
    }
    EXPECT_EQ(taken, posted);
}

/** ibv_post_recv(3): no more than max_recv_wr requests, each of max_recv_sge pieces at most. */
TEST(ReceiveQueue, RefusesWhatItDoesNotHold)
{
    ReceiveQueue queue{2, 2};
    EXPECT_EQ(queue.Post({.wrId = 1, .sgList = PIECES}), VerbsError::INVALID_ARGUMENT);
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_EQ(queue.Post({.wrId = 2}), VerbsError::NONE);
    EXPECT_EQ(queue.Post({.wrId = 3}), VerbsError::NONE);
    EXPECT_EQ(queue.Post({.wrId = 4}), VerbsError::QUEUE_FULL);
    EXPECT_EQ(queue.Take().wrId, 2U);
    EXPECT_EQ(queue.Post({.wrId = 5}), VerbsError::NONE);
    EXPECT_EQ(ReceiveQueue(0, 1).Post(ReceiveRequest{}), VerbsError::QUEUE_FULL);
}

TEST(ReceiveQueue, ATakenReceiveStaysWhileOthersArePosted)
{
    ReceiveQueue queue{1, 3};
    std::array<ScatterGatherElement, 3> mine = PIECES;
    ASSERT_EQ(queue.Post({.wrId = 1, .sgList = mine}), VerbsError::NONE);
    mine = {}; // the list is the application's again once it is posted
    const ReceiveEntry& taken = queue.Take();
    ASSERT_EQ(queue.Post({.wrId = 2, .sgList = ScatterGatherList{PIECES}.first(1)}),
              VerbsError::NONE);
    EXPECT_EQ(taken.wrId, 1U);
    ASSERT_EQ(taken.sgList.size(), 3U);
    EXPECT_EQ(taken.sgList[2], PIECES[2]);
    EXPECT_EQ(queue.Take().sgList.size(), 1U);
}

/** The lists of four places and of the one taken are used again and again. */
TEST(ReceiveQueue, NothingIsAllocatedOnceItHasBeenFull)
{
    ReceiveQueue queue{4, 3};
    std::set<const ScatterGatherElement*> buffers;
    for (uint64_t i = 0; i < 100; ++i)
    {
        while (queue.Post({.wrId = i, .sgList = PIECES}) == VerbsError::NONE)
        {
        }
        buffers.insert(queue.Take().sgList.data());
    }
    EXPECT_LE(buffers.size(), 5U);
}

} // namespace
} // namespace ns3::rdma
