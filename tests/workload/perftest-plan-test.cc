// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;

constexpr auto WRITE = PerftestVerb::WRITE;
constexpr auto ATOMIC = PerftestVerb::FETCH_ADD;
constexpr auto LATENCY = PerftestKind::LATENCY;
constexpr auto BANDWIDTH = PerftestKind::BANDWIDTH;

TEST(PerftestPlan, InlineSizesAreThoseOfPerftest)
{
    // As printed by ib_write_lat and ib_send_lat ("Max inline data"), 0 by the others.
    EXPECT_EQ(DefaultInlineBytes(WRITE, LATENCY), 220U);
    EXPECT_EQ(DefaultInlineBytes(PerftestVerb::SEND, LATENCY), 236U);
    EXPECT_EQ(DefaultInlineBytes(PerftestVerb::READ, LATENCY), 0U);
    EXPECT_EQ(DefaultInlineBytes(ATOMIC, LATENCY), 0U);
    EXPECT_EQ(DefaultInlineBytes(WRITE, BANDWIDTH), 0U);
}

TEST(PerftestPlan, SizesWithoutAWordAreThoseOfPerftest)
{
    EXPECT_THAT(*ReadPerftestSizes("", WRITE, LATENCY), ElementsAre(2));
    EXPECT_THAT(*ReadPerftestSizes("", WRITE, BANDWIDTH), ElementsAre(65536));
    EXPECT_THAT(*ReadPerftestSizes("", ATOMIC, BANDWIDTH), ElementsAre(8));
}

TEST(PerftestPlan, AllSizesDoubleFromTwoBytesToEightMebibytes)
{
    const auto sizes = ReadPerftestSizes("all", WRITE, LATENCY);
    ASSERT_TRUE(sizes);
    ASSERT_EQ(sizes->size(), 23U); // 2^1 to 2^23
    EXPECT_EQ(sizes->front(), 2U);
    EXPECT_EQ(sizes->back(), 8388608U);
    EXPECT_THAT(*ReadPerftestSizes("all", ATOMIC, LATENCY), ElementsAre(8));
}

TEST(PerftestPlan, SizesAreAListWithUnits)
{
    EXPECT_THAT(*ReadPerftestSizes("2B, 4KiB 1MB", WRITE, LATENCY), ElementsAre(2, 4096, 1000000));
}

TEST(PerftestPlan, EveryWrongSizeIsNamed)
{
    const auto sizes = ReadPerftestSizes("0B 7 3GiB 64B", WRITE, LATENCY);
    ASSERT_FALSE(sizes);
    EXPECT_EQ(sizes.Errors().size(), 3U);
    for (const Diagnostic& error : sizes.Errors())
    {
        EXPECT_EQ(error.key, "sizes");
    }
    EXPECT_FALSE(ReadPerftestSizes("16B", ATOMIC, LATENCY));
}

TEST(PerftestPlan, ALatencyTestHasOneQueuePairAndTwoIterations)
{
    PerftestPlan plan{.sizes = {2}};
    EXPECT_THAT(CheckPlan(plan), ElementsAre());
    plan.queuePairs = 2;
    plan.iterations = 1;
    EXPECT_THAT(CheckPlan(plan),
                ElementsAre(testing::Field(&Diagnostic::key, "queue_pairs"),
                            testing::Field(&Diagnostic::key, "iterations")));
    plan.kind = BANDWIDTH;
    EXPECT_THAT(CheckPlan(plan), ElementsAre());
}

TEST(PerftestPlan, AListFitsIntoTheQueue)
{
    PerftestPlan plan{.kind = BANDWIDTH, .sizes = {2}, .txDepth = 8, .postList = 9};
    EXPECT_THAT(CheckPlan(plan), ElementsAre(testing::Field(&Diagnostic::key, "post_list")));
}

} // namespace

} // namespace ns3::rdma
