// SPDX-License-Identifier: GPL-2.0-only
// Schedules of messages beside their closed forms, to the picosecond: the interfaces cost nothing.
#include "tests/replay/memory-trace.h"
#include "wire/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

constexpr uint64_t NS = 1000; // picoseconds

/** A cell of a process' row. */
std::string
Cell(const RunInFolder& run, uint32_t process, const std::string& column)
{
    return run.Cell("replay.csv", process + 1, column);
}

TEST(Schedule, PingPongTakesTwoFramesAndAnAcknowledgement)
{
    ScheduleWriter writer{2};
    writer.Send(0, 1, 1000);
    writer.Receive(0, 1);
    const uint64_t ping = writer.Receive(1, 0);
    writer.Send(1, 0, 1000, {{1, DependencyEvent::END, ping}});
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    // The pong waits for the wire, on which the acknowledgement of the ping is.
    const uint64_t pong = 2 * FramePs(RETH_BYTES, 1000) + SlotPs(AETH_BYTES, 0);
    EXPECT_EQ(Cell(run, 0, "completion_ns"), ToNsText(pong));
    EXPECT_EQ(Cell(run, 1, "completion_ns"), ToNsText(pong + FramePs(AETH_BYTES, 0)));
    EXPECT_EQ(Cell(run, 0, "waiting_ns"), ToNsText(pong));
    EXPECT_EQ(run.Cell("messages.csv", 1, "messages"), "2");
    const uint64_t trip = FramePs(RETH_BYTES, 1000) + FramePs(AETH_BYTES, 0);
    EXPECT_EQ(run.Cell("messages.csv", 1, "p50_ns"), ToNsText(trip));
    EXPECT_EQ(run.Cell("messages.csv", 1, "max_ns"), ToNsText(trip + SlotPs(AETH_BYTES, 0)));
}

TEST(Schedule, ABroadcastInABinaryTreeIsItsClosedForm)
{
    constexpr uint32_t RANKS = 32;
    constexpr uint32_t BYTES = 1024;
    ScheduleWriter writer{RANKS};
    for (uint32_t rank = 0; rank < RANKS; ++rank)
    {
        std::vector<Dependency> after;
        if (rank > 0)
        {
            const uint64_t receive = writer.Receive(rank, (rank - 1) / 2);
            after.push_back({rank, DependencyEvent::END, receive});
        }
        for (const uint32_t child : {2 * rank + 1, 2 * rank + 2})
        {
            if (child < RANKS)
            {
                writer.Send(rank, child, BYTES, after);
            }
        }
    }
    const RunInFolder run{MakeReplayScenario(
        MakeRunScenario(MakeStar(RANKS, BitRate::Gbps(100), SimTime::Microseconds(1))),
        writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    // A message passes two cables, and the switch has all of it before it sends it on. A rank
    // acknowledges before it sends, and sends to its children one after the other.
    std::vector<uint64_t> received(RANKS);
    for (uint32_t child = 1; child < RANKS; ++child)
    {
        const uint32_t parent = (child - 1) / 2;
        const uint64_t free = parent == 0 ? 0 : received[parent] + SlotPs(AETH_BYTES, 0);
        const uint64_t begin = child % 2 == 1 ? free : free + SlotPs(RETH_BYTES, BYTES);
        received[child] = begin + 2 * FramePs(RETH_BYTES, BYTES);
    }
    for (uint32_t rank = RANKS / 2; rank < RANKS; ++rank)
    {
        EXPECT_EQ(Cell(run, rank, "completion_ns"), ToNsText(received[rank])) << "rank " << rank;
    }
}

TEST(Schedule, WhatATriggerHoldsBackBeginsWithTheAcknowledgement)
{
    ScheduleWriter writer{2};
    const uint64_t first = writer.Send(0, 1, 5000);
    writer.Send(0, 1, 1000, {{0, DependencyEvent::END, first}});
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    // 5000 B are 4 packets of 1024 B and one of 904 B; the first has the RETH.
    const uint64_t acknowledged =
        SlotPs(RETH_BYTES, 1024) + 3 * SlotPs(0, 1024) + FramePs(0, 904) + FramePs(AETH_BYTES, 0);
    EXPECT_EQ(Cell(run, 0, "completion_ns"),
              ToNsText(acknowledged + FramePs(RETH_BYTES, 1000) + FramePs(AETH_BYTES, 0)));
}

TEST(Schedule, WhatWaitsForABeginOnlyDoesNotWaitForTheEnd)
{
    ScheduleWriter writer{2};
    const uint64_t compute = writer.Compute(0, 700);
    const uint64_t first = writer.Send(0, 1, 100, {{0, DependencyEvent::END, compute}});
    // Of another thread; its own send begins when the other's begins.
    writer.Compute(1, 50, {{0, DependencyEvent::START, first}});
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 1, "completion_ns"), ToNsText(750 * NS));
}

TEST(Schedule, ComputingIsScaledExactly)
{
    ScheduleWriter writer{2};
    const uint64_t compute = writer.Compute(0, 12345);
    writer.Send(0, 1, 64, {{0, DependencyEvent::END, compute}});
    const uint64_t network = FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0);
    for (const uint64_t scale : {0U, 1U, 2U})
    {
        const RunInFolder run{MakeReplayScenario(
            MakePairScenario(), writer.Get(), {{"ComputeScale", std::to_string(scale)}})};
        EXPECT_EQ(run.ExitCode(), 0) << run.Err();
        EXPECT_EQ(Cell(run, 0, "completion_ns"), ToNsText(scale * 12345 * NS + network));
        EXPECT_EQ(Cell(run, 0, "compute_ns"), ToNsText(scale * 12345 * NS));
    }
    const RunInFolder fast{
        MakeReplayScenario(MakePairScenario(), writer.Get(), {{"Mode", "fast"}})};
    EXPECT_EQ(Cell(fast, 0, "completion_ns"), ToNsText(network));
}

TEST(Schedule, AMessageBeyondTheLongestRequestIsSeveral)
{
    // 3 GiB: a request of 2 GiB and one of 1 GiB, each of whole packets of 4096 B.
    constexpr uint64_t BYTES = 3ULL << 30;
    constexpr uint64_t PACKETS = BYTES / 4096;
    ScheduleWriter writer{2};
    writer.Send(0, 1, BYTES);
    writer.Receive(1, 0);
    Scenario scenario = MakeRunScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
    scenario.transport.Set("PathMtu", StringValue("4096"));
    const RunInFolder run{MakeReplayScenario(scenario, writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    const uint64_t arrived =
        (PACKETS - 1) * SlotPs(0, 4096) + FramePs(0, 4096) + 2 * RETH_BYTES * 80ULL;
    EXPECT_EQ(Cell(run, 1, "completion_ns"), ToNsText(arrived));
    EXPECT_EQ(run.Cell("messages.csv", 1, "bytes"), std::to_string(BYTES));
}

TEST(Schedule, MessagesOfATagAreTakenInTheirOrder)
{
    ScheduleWriter writer{2};
    writer.Send(0, 1, 10);
    writer.Last(0).count = 5;
    writer.Send(0, 1, 20);
    writer.Last(0).count = 6;
    // The receive of the second comes first and does not take the first.
    const uint64_t second = writer.Receive(1, 0);
    writer.Last(1).count = 6;
    writer.Compute(1, 100, {{1, DependencyEvent::END, second}});
    writer.Receive(1, 0);
    writer.Last(1).count = 5;
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 1, "completion_ns"),
              ToNsText(SlotPs(RETH_BYTES, 10) + FramePs(RETH_BYTES, 20) + 100 * NS));
}

TEST(Schedule, AMessageThatNobodySendsIsWaitedForAndNamed)
{
    ScheduleWriter writer{2};
    writer.Send(0, 1, 10);
    writer.Receive(1, 0);
    writer.Receive(1, 0);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(), HasSubstr("rank 1: operation 2 waits for a message with tag 0"));
}

TEST(Schedule, APlannedStartIsTheEarliest)
{
    ScheduleWriter writer{2};
    writer.Send(0, 1, 64);
    writer.Last(0).timeNs = 5000;
    writer.Send(0, 1, 64);
    writer.Last(0).timeNs = 2000; // not in order: all are read at once
    writer.Get().timing = TraceTiming::PLANNED;
    const uint64_t network = FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(Cell(run, 0, "completion_ns"), ToNsText(5000 * NS + network));
    const RunInFolder fast{
        MakeReplayScenario(MakePairScenario(), writer.Get(), {{"Mode", "fast"}})};
    EXPECT_EQ(Cell(fast, 0, "completion_ns"), ToNsText(SlotPs(RETH_BYTES, 64) + network));
}

TEST(Schedule, AProcessorDoesOneThingAtATime)
{
    ScheduleWriter writer{2};
    constexpr ObjectId PROCESSOR = 0;
    writer.Compute(0, 1000);
    writer.Last(0).other = PROCESSOR;
    writer.Compute(0, 500);
    writer.Last(0).other = PROCESSOR;
    // Of what is ready at one instant messages begin before computing.
    writer.Send(0, 1, 64);
    writer.Last(0).other = PROCESSOR;
    const uint64_t arrived = FramePs(RETH_BYTES, 64);
    writer.Receive(1, 0);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 1, "completion_ns"), ToNsText(arrived));
    EXPECT_EQ(run.Cell("messages.csv", 1, "max_ns"),
              ToNsText(FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0)));
    EXPECT_EQ(Cell(run, 0, "completion_ns"),
              ToNsText(std::max<uint64_t>(1500 * NS, arrived + FramePs(AETH_BYTES, 0))));
}

TEST(Schedule, AReceiveEndsWhenItsProcessorIsFree)
{
    ScheduleWriter writer{2};
    constexpr ObjectId PROCESSOR = 3;
    writer.Send(0, 1, 64);
    writer.Compute(1, 10'000);
    writer.Last(1).other = PROCESSOR;
    const uint64_t receive = writer.Receive(1, 0);
    writer.Last(1).other = PROCESSOR;
    writer.Compute(1, 100, {{1, DependencyEvent::END, receive}});
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 1, "completion_ns"), ToNsText(10'100 * NS));
}

TEST(Schedule, SomeOfSeveralDependenciesAreEnough)
{
    ScheduleWriter writer{2};
    const uint64_t quick = writer.Compute(0, 100);
    const uint64_t slow = writer.Compute(0, 900);
    writer.Compute(1, 10, {{0, DependencyEvent::END, quick}, {0, DependencyEvent::END, slow}});
    writer.Last(1).dependenciesNeeded = 1;
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 1, "completion_ns"), ToNsText(110 * NS));
}

TEST(Schedule, ADependencyMayNameWhatComesLater)
{
    ScheduleWriter writer{2};
    writer.Compute(0, 100, {{0, DependencyEvent::END, 1}});
    writer.Compute(0, 30);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 0, "completion_ns"), ToNsText(130 * NS));
}

TEST(Schedule, NothingIsLateBehindManyOthersOfItsThread)
{
    // Many wait for the first; nothing holds the last back, however far behind it is.
    ScheduleWriter writer{1};
    const uint64_t first = writer.Compute(0, 1000);
    for (int i = 0; i < 100'000; ++i)
    {
        writer.Compute(0, 1, {{0, DependencyEvent::END, first}});
    }
    writer.Compute(0, 1100);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 0, "completion_ns"), ToNsText(1100 * NS));
    EXPECT_EQ(run.Out().find("may have begun late"), std::string::npos);
}

TEST(Schedule, AChainIsNotHeldUpByAnOlderOperation)
{
    // Each link is right behind its cause, and all of them behind one that is still under way.
    constexpr int LINKS = 20'000;
    ScheduleWriter writer{1};
    writer.Compute(0, 15'000);
    uint64_t last = writer.Compute(0, 1);
    for (int i = 1; i < LINKS; ++i)
    {
        last = writer.Compute(0, 1, {{0, DependencyEvent::END, last}});
    }
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, 0, "completion_ns"), ToNsText(LINKS * NS));
    EXPECT_EQ(run.Out().find("may have begun late"), std::string::npos);
}

TEST(Schedule, WhatMayHaveBegunLateIsTold)
{
    // 2^22 operations are read ahead by all threads together, 1024 at least by each.
    for (const int waiting : {1000, 1100})
    {
        ScheduleWriter writer{4096};
        const uint64_t first = writer.Compute(0, 1000);
        for (int i = 0; i < waiting; ++i)
        {
            writer.Compute(0, 1, {{0, DependencyEvent::END, first}});
        }
        writer.Compute(0, 1100);
        const RunInFolder run{
            MakeReplayScenario(MakePairScenario(), writer.Get(), {{"HostsShared", "true"}})};
        EXPECT_EQ(run.ExitCode(), 0) << run.Err();
        const bool isLate = Cell(run, 0, "completion_ns") != ToNsText(1100 * NS);
        const bool isTold = run.Out().find("may have begun late") != std::string::npos;
        EXPECT_EQ(isLate, waiting > 1024);
        EXPECT_EQ(isTold, isLate);
    }
}

TEST(Schedule, EveryOpcodeOfAMessageArrives)
{
    // RDMA_WRITE_WITH_IMM, SEND, SEND_WITH_IMM, RDMA_READ of ibv_wr_opcode.
    for (const uint8_t opcode : {1, 2, 3, 4})
    {
        ScheduleWriter writer{2};
        writer.Send(0, 1, 3000);
        writer.Last(0).opcode = opcode;
        const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
        EXPECT_EQ(run.ExitCode(), 0) << int{opcode} << run.Err();
        EXPECT_EQ(run.Cell("messages.csv", 1, "bytes"), "3000");
    }
}

} // namespace

} // namespace ns3::rdma
