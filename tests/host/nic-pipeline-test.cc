// SPDX-License-Identifier: GPL-2.0-only
#include "host/nic-pipeline.h"
#include "tests/host/round-figures.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr Qpn QP{2};
constexpr Qpn OTHER{3};

constexpr SimTime
Ns(uint64_t ns)
{
    return SimTime::Nanoseconds(ns);
}

TEST(NicPipeline, EntriesGrowInUnits)
{
    const NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.GetEntryBytes(0), 64U);
    EXPECT_EQ(pipeline.GetEntryBytes(28), 64U); // 36 + 28
    EXPECT_EQ(pipeline.GetEntryBytes(29), 128U);
    EXPECT_EQ(pipeline.GetEntryBytes(220), 256U); // perftest's inline size of WRITE: 36 + 220
    EXPECT_EQ(pipeline.GetEntryBytes(221), 320U);
}

TEST(NicPipeline, ASingleEntryTravelsWithItsDoorbell)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(1000)), Ns(1000 + 70 + 100));
}

TEST(NicPipeline, AListIsFetched)
{
    NicPipeline pipeline{RoundFigures()};
    // 3 posts, the doorbell, the round trip, and (192 + 2 x 20) B x 4 ns: two completions.
    EXPECT_EQ(pipeline.OnPost(3, 192, Ns(0)), Ns(3 * 70 + 100 + 500 + 928));
}

TEST(NicPipeline, AnEntryTooLargeForTheDoorbellIsFetched)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnPost(1, 320, Ns(0)), Ns(70 + 100 + 500 + (320 + 3 * 20) * 4));
}

TEST(NicPipeline, PostsTakeTheProcessorInTurn)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(0)), Ns(170));
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(0)), Ns(240));
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(1000)), Ns(1170));
}

TEST(NicPipeline, PollingTakesTheProcessorToo)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(0)), Ns(170));
    pipeline.OnPolled(Ns(60)); // began at 10 and ends behind the post: 70 + 50
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(60)), Ns(120 + 70 + 100));
}

TEST(NicPipeline, EntriesArriveInTheOrderOfTheirDoorbells)
{
    NicPipeline pipeline{RoundFigures()};
    const SimTime list = pipeline.OnPost(2, 128, Ns(0));
    EXPECT_EQ(pipeline.OnPost(1, 64, Ns(0)), list);
}

TEST(NicPipeline, InlineDataNeedsNoRead)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(0)), Ns(5 + 120));
}

TEST(NicPipeline, PayloadIsReadFromMemory)
{
    NicPipeline pipeline{RoundFigures()};
    // 1024 B are 8 completions of 128 B: (1024 + 160) x 4 ns.
    EXPECT_EQ(pipeline.OnRequest(QP, 1024, Ns(0)), Ns(5 + 500 + 4736 + 120));
}

TEST(NicPipeline, ReadsOverlap)
{
    NicPipeline pipeline{RoundFigures()};
    // 128 B take 148 x 4 = 592 ns; only the unit makes the second wait.
    EXPECT_EQ(pipeline.OnRequest(QP, 128, Ns(0)), Ns(5 + 500 + 592 + 120));
    EXPECT_EQ(pipeline.OnRequest(QP, 128, Ns(0)), Ns(10 + 500 + 592 + 120));
}

TEST(NicPipeline, AUnitTakesOneRequestAtATime)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(0)), Ns(125));
    EXPECT_EQ(pipeline.OnRequest(OTHER, 0, Ns(0)), Ns(130));
}

TEST(NicPipeline, UnitsWorkSideBySide)
{
    NicProfile profile = RoundFigures();
    profile.nicUnits = 2;
    NicPipeline pipeline{profile};
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(0)), Ns(125));
    EXPECT_EQ(pipeline.OnRequest(OTHER, 0, Ns(0)), Ns(125));
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(0)), Ns(130));
}

TEST(NicPipeline, PacketsFollowAtTheRateOfUnitOrLink)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnPacketSent(QP, 0, Ns(0)), Ns(3));
    EXPECT_EQ(pipeline.OnPacketSent(QP, 128, Ns(10)), Ns(10 + 592));
    EXPECT_EQ(pipeline.OnPacketSent(QP, 128, Ns(602)), Ns(602 + 592));
}

TEST(NicPipeline, ReadRequestsTakeTheirShareOfTheWayToMemory)
{
    NicPipeline pipeline{RoundFigures()};
    pipeline.OnPacketSent(QP, 1024, Ns(0));
    // Two requests of 512 B, 24 B each, before (128 + 24) B of data.
    EXPECT_EQ(pipeline.OnMemoryWrite(128, Ns(0)), Ns((2 * 24 + 152) * 4 + 200 + 50));
}

TEST(NicPipeline, ReceivedPacketsPassOneBehindTheOther)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnPacketReceived(QP, Ns(0)), Ns(3 + 110));
    EXPECT_EQ(pipeline.OnPacketReceived(QP, Ns(0)), Ns(6 + 110));
}

TEST(NicPipeline, ContextsOnTheChipCostNothing)
{
    NicProfile profile = RoundFigures();
    profile.nicContextEntries = 1;
    profile.nicContextMiss = Ns(400);
    NicPipeline pipeline{profile};
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(0)), Ns(5 + 400 + 120));
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(1000)), Ns(1000 + 5 + 120));
    EXPECT_EQ(pipeline.OnPacketReceived(OTHER, Ns(1000)), Ns(1000 + 3 + 400 + 110));
    EXPECT_EQ(pipeline.OnRequest(QP, 0, Ns(2000)), Ns(2000 + 5 + 400 + 120));
}

TEST(NicPipeline, AReadIsAnsweredFromMemory)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnReadRequest(128, Ns(0)), Ns(500 + 592 + 120));
}

TEST(NicPipeline, AtomicsGoOneByOne)
{
    NicPipeline pipeline{RoundFigures()};
    EXPECT_EQ(pipeline.OnAtomicRequest(Ns(0)), Ns(600 + 120));
    EXPECT_EQ(pipeline.OnAtomicRequest(Ns(0)), Ns(1200 + 120));
}

TEST(NicPipeline, CompletionsFollowTheirData)
{
    NicPipeline pipeline{RoundFigures()};
    // Data: (128 + 24) x 4 = 608 ns; entry: (64 + 24) x 4 = 352 ns; then visible and polled.
    EXPECT_EQ(pipeline.OnMemoryWrite(128, Ns(0)), Ns(608 + 200 + 50));
    EXPECT_EQ(pipeline.OnCompletion(Ns(0)), Ns(608 + 352 + 200 + 50));
    EXPECT_EQ(pipeline.OnCompletion(Ns(1000)), Ns(1000 + 352 + 200 + 50));
}

TEST(NicPipeline, TheIdealTakesNoTime)
{
    NicPipeline pipeline{NicProfile{}};
    EXPECT_EQ(pipeline.GetEntryBytes(100), 0U);
    EXPECT_EQ(pipeline.OnPost(3, 0, Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnRequest(QP, 4096, Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnPacketSent(QP, 4096, Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnPacketReceived(QP, Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnReadRequest(4096, Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnAtomicRequest(Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnMemoryWrite(4096, Ns(7)), Ns(7));
    EXPECT_EQ(pipeline.OnCompletion(Ns(7)), Ns(7));
}

} // namespace

} // namespace ns3::rdma
