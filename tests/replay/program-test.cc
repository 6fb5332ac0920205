// SPDX-License-Identifier: GPL-2.0-only
// Recorded programs beside closed forms: what is between calls is kept, what was waiting is not.
#include "tests/replay/program-writer.h"
#include "wire/framing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;
using testing::Not;

constexpr uint64_t NS = 1000; // picoseconds
constexpr uint32_t A = 0;
constexpr uint32_t B = 1;

std::string
Cell(const RunInFolder& run, uint32_t process, const std::string& column)
{
    return run.Cell("replay.csv", process + 1, column);
}

/**
 * a sends 64 B at 10 us and polls from 11 us on; b has posted a receive, and answers.
 *
 * In the recording both messages took 390 us: the clocks show the same.
 */
ProgramWriter
MakePingPong()
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.Receive(A, 1000, 64);
    writer.Send(A, 10'000, 64);
    writer.Polls(A, 11'000);
    writer.Take(A, 500'000, CompletionOpcode::SEND, 64);
    writer.Polls(A, 500'000);
    writer.Take(A, 793'000, CompletionOpcode::RECV, 64);
    writer.BringUp(B);
    writer.Receive(B, 1000, 64);
    writer.Polls(B, 2000);
    writer.Take(B, 400'000, CompletionOpcode::RECV, 64);
    writer.Send(B, 403'000, 64);
    writer.Polls(B, 403'000);
    writer.Take(B, 800'000, CompletionOpcode::SEND, 64);
    return writer;
}

/** When both ends of that are done, with so much between calls. */
struct PingPongEnds
{
    explicit PingPongEnds(uint64_t scale)
    {
        const uint64_t ping = scale * 10'000 * NS + FramePs(0, 64);
        // The answer is posted 3 us after the receive; then the acknowledgement has left.
        const uint64_t gap = scale * 3000 * NS;
        const uint64_t pong = ping + std::max(gap, SlotPs(AETH_BYTES, 0)) + FramePs(0, 64);
        a = pong;
        b = pong + FramePs(AETH_BYTES, 0);
    }

    uint64_t a{0};
    uint64_t b{0};
};

TEST(Program, WaitsAreThoseOfTheNetworkAndComputingIsKept)
{
    for (const uint64_t scale : {0U, 1U, 2U})
    {
        const PingPongEnds expected{scale};
        const RunInFolder run{MakeReplayScenario(
            MakePairScenario(), MakePingPong().Get(), {{"ComputeScale", std::to_string(scale)}})};
        EXPECT_EQ(run.ExitCode(), 0) << run.Err();
        EXPECT_EQ(Cell(run, A, "completion_ns"), ToNsText(expected.a)) << scale;
        EXPECT_EQ(Cell(run, B, "completion_ns"), ToNsText(expected.b)) << scale;
    }
    const PingPongEnds nothing{0};
    const RunInFolder fast{
        MakeReplayScenario(MakePairScenario(), MakePingPong().Get(), {{"Mode", "fast"}})};
    EXPECT_EQ(Cell(fast, A, "completion_ns"), ToNsText(nothing.a));
}

/** Brings up two queue pairs, one on each of two devices that have given out the same keys. */
void
BringUpRails(ProgramWriter& writer, uint32_t thread)
{
    constexpr ObjectId RAILS = 2;
    for (ObjectId rail = 0; rail < RAILS; ++rail)
    {
        writer.Control(thread, ObjectKind::DEVICE, DeviceDetail{"mlx5_" + std::to_string(rail), {}})
            .object = rail;
        const std::size_t first = writer.Get().threads[thread].operations.size();
        writer.BringUp(thread);
        for (std::size_t i = first; i < writer.Get().threads[thread].operations.size(); ++i)
        {
            TraceOperation& operation = writer.Get().threads[thread].operations[i].operation;
            operation.object += 10 * rail;
            operation.other = operation.control.verb == ControlVerb::CREATE ? rail : NO_OBJECT;
            if (auto* region = std::get_if<MemoryRegionDetail>(&operation.control.detail))
            {
                region->address += rail * ProgramWriter::BYTES;
                region->iova = region->address;
            }
            if (auto* pair = std::get_if<QueuePairDetail>(&operation.control.detail))
            {
                pair->number += 10 * rail;
            }
            if (auto* change = std::get_if<QueuePairChange>(&operation.control.detail))
            {
                change->destinationQp += 10 * rail;
            }
        }
    }
}

TEST(Program, QueuePairsAreOnTheInterfaceOfTheirDevice)
{
    ProgramWriter writer;
    BringUpRails(writer, A);
    BringUpRails(writer, B);
    constexpr uint8_t WRITE = 0;
    writer.Send(A, 10'000, 3000, WRITE);
    TraceOperation& second = writer.Send(A, 10'000, 1000, WRITE);
    second.object += 10;
    second.localAddress += ProgramWriter::BYTES;
    second.remoteAddress += ProgramWriter::BYTES;
    writer.Take(A, 20'000, CompletionOpcode::RDMA_WRITE, 3000);
    writer.Take(A, 20'000, CompletionOpcode::RDMA_WRITE, 1000).object += 10;
    Topology topology = MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}});
    topology.links.push_back(topology.links.front());
    const RunInFolder run{MakeReplayScenario(MakeRunScenario(topology), writer.Get())};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, A, "interface"), "0 1");
    EXPECT_EQ(Cell(run, A, "host"), "h0");
    EXPECT_EQ(Cell(run, A, "other_status"), "0");
    // Of 1024 B: three packets on the first cable, one on the second.
    EXPECT_EQ(run.Cell("links.csv", 1, "frames"), "3");
    EXPECT_EQ(run.Cell("links.csv", 3, "frames"), "1");
}

TEST(Program, TheRecordedEndAndTheErrorAreToldFirst)
{
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), MakePingPong().Get())};
    EXPECT_EQ(Cell(run, A, "recorded_ns"), "793000.000");
    const double end = std::stod(Cell(run, A, "completion_ns"));
    EXPECT_NEAR(std::stod(Cell(run, A, "error_ns")), end - 793'000, 0.001);
    EXPECT_NEAR(std::stod(Cell(run, A, "ratio")), end / 793'000, 1e-6);
    EXPECT_THAT(run.Out(), HasSubstr("calibration: "));
    EXPECT_THAT(run.Out(), HasSubstr("LARGE"));
}

TEST(Program, OperationsBeginAtTheirRecordedTimes)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.BringUp(B);
    writer.Send(A, 10'000, 64, 0);
    writer.Send(A, 30'000, 64, 0);
    writer.Take(A, 30'001, CompletionOpcode::RDMA_WRITE, 64);
    // Later than the network has it: nothing waits for it.
    writer.Take(A, 30'002, CompletionOpcode::RDMA_WRITE, 64);
    writer.Send(A, 30'003, 64, 0);
    writer.Take(A, 90'000, CompletionOpcode::RDMA_WRITE, 64);
    const RunInFolder run{
        MakeReplayScenario(MakePairScenario(), writer.Get(), {{"Mode", "recorded"}})};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, A, "completion_ns"), "90000.000");
    EXPECT_EQ(Cell(run, A, "late"), "1");
    EXPECT_EQ(run.Cell("messages.csv", 1, "messages"), "3");
    // The second is 3 ns older than the third, which waits for the wire.
    const uint64_t alone = FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0);
    EXPECT_EQ(run.Cell("messages.csv", 1, "p50_ns"), ToNsText(alone));
    EXPECT_EQ(run.Cell("messages.csv", 1, "max_ns"),
              ToNsText(alone + SlotPs(RETH_BYTES, 64) - 3 * NS));
}

TEST(Program, WhatDiffersInACompletionIsCounted)
{
    ProgramWriter writer = MakePingPong();
    auto& operations = writer.Get().threads[A].operations;
    operations.back().operation.bytes = 65;
    operations[operations.size() - 3].operation.opcode =
        static_cast<uint8_t>(CompletionOpcode::RDMA_READ);
    writer.Get().threads[B].operations.back().operation.status = 12;
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, A, "other_length"), "1");
    EXPECT_EQ(Cell(run, A, "other_opcode"), "1");
    EXPECT_EQ(Cell(run, A, "other_status"), "0");
    EXPECT_EQ(Cell(run, B, "other_status"), "1");
    EXPECT_THAT(run.Out(), HasSubstr("1 in status, 1 in opcode, 1 in length"));
}

TEST(Program, AFullSendQueueIsWaitedFor)
{
    ProgramWriter writer;
    QueuePairDetail detail;
    detail.maxSendRequests = 2;
    writer.BringUp(A, detail);
    writer.BringUp(B);
    for (int i = 0; i < 4; ++i)
    {
        writer.Send(A, 1000, 64, 0);
    }
    for (int i = 0; i < 4; ++i)
    {
        writer.Take(A, 2000, CompletionOpcode::RDMA_WRITE, 64);
    }
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, A, "waited_for_room"), "2");
    EXPECT_EQ(Cell(run, A, "refused"), "0");
    EXPECT_EQ(run.Cell("messages.csv", 1, "messages"), "4");
}

TEST(Program, AThreadThatTakesNoCompletionsFollowsThoseThatDo)
{
    ProgramWriter writer;
    const uint32_t poller = writer.AddThread(A);
    writer.BringUp(A);
    writer.BringUp(B);
    writer.Send(A, 1000, 64, 0);
    // The other thread takes it; 5 us later the first one posts again.
    writer.Polls(poller, 1000);
    writer.Take(poller, 700'000, CompletionOpcode::RDMA_WRITE, 64);
    writer.Send(A, 705'000, 64, 0);
    writer.Polls(poller, 700'000);
    writer.Take(poller, 900'000, CompletionOpcode::RDMA_WRITE, 64);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    const uint64_t trip = FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0);
    EXPECT_EQ(Cell(run, A, "completion_ns"), ToNsText(1000 * NS + trip + 5000 * NS + trip));
}

TEST(Program, AnEventIsWaitedForUntilItsCompletionIsThere)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.BringUp(B);
    writer.Add(A, OperationKind::ARM, 500).object = ProgramWriter::QUEUE;
    writer.Send(A, 1000, 64, 0);
    writer.Add(A, OperationKind::CQ_EVENT, 400'000).object = ProgramWriter::QUEUE;
    writer.Add(A, OperationKind::ARM, 402'000).object = ProgramWriter::QUEUE;
    writer.Take(A, 405'000, CompletionOpcode::RDMA_WRITE, 64);
    // Behind this one nothing is found: it is not waited for.
    writer.Add(A, OperationKind::CQ_EVENT, 500'000).object = ProgramWriter::QUEUE;
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    const uint64_t trip = FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0);
    EXPECT_EQ(Cell(run, A, "completion_ns"), ToNsText(1000 * NS + trip + 5000 * NS));
}

TEST(Program, TheFirstRequestWaitsUntilItsPeerIsConnected)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.Send(A, 1000, 64, 0);
    writer.Take(A, 900'000, CompletionOpcode::RDMA_WRITE, 64);
    // The peer's clock is a second behind, and nothing says so.
    writer.BringUp(B);
    for (auto& operation : writer.Get().threads[B].operations)
    {
        operation.operation.timeNs = 50'000;
    }
    const RunInFolder run{
        MakeReplayScenario(MakePairScenario(), writer.Get(), {{"ComputeScale", "1"}})};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("messages.csv", 1, "max_ns"),
              ToNsText(FramePs(RETH_BYTES, 64) + FramePs(AETH_BYTES, 0)));
    EXPECT_EQ(Cell(run, A, "other_status"), "0");
}

TEST(Program, AQueuePairIsDestroyedWhenItsPeerHasSentEverything)
{
    ProgramWriter writer;
    writer.BringUp(A);
    for (int i = 0; i < 10; ++i)
    {
        writer.Send(A, 1000 + i, 4096, 0);
    }
    for (int i = 0; i < 10; ++i)
    {
        writer.Take(A, 900'000, CompletionOpcode::RDMA_WRITE, 4096);
    }
    writer.BringUp(B);
    writer.Control(B, ObjectKind::QUEUE_PAIR, {}, ControlVerb::DESTROY).object =
        ProgramWriter::PAIR;
    writer.Control(B, ObjectKind::MEMORY_REGION, {}, ControlVerb::DESTROY).object =
        ProgramWriter::REGION;
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get(), {{"Mode", "fast"}})};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, A, "other_status"), "0");
}

TEST(Program, AWrongKeyFailsAsItDid)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.Send(A, 1000, 64, 0).rkey = 4711;
    writer.Take(A, 900'000, CompletionOpcode::RDMA_WRITE, 64).status =
        static_cast<uint8_t>(CompletionStatus::REM_ACCESS_ERR);
    writer.BringUp(B);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, A, "other_status"), "0");
}

TEST(Program, ClocksOfTwoHostsAreAlignedByTheirMessages)
{
    // b's clock is 7 s ahead; the trip takes 2 us there and 2 us back.
    ProgramWriter writer;
    constexpr int64_t AHEAD = 7'000'000'000;
    writer.BringUp(A);
    writer.Receive(A, 0, 64);
    writer.Send(A, 10'000, 64);
    writer.Take(A, 14'000, CompletionOpcode::SEND, 64);
    writer.Take(A, 20'000, CompletionOpcode::RECV, 64);
    writer.BringUp(B);
    for (auto& operation : writer.Get().threads[B].operations)
    {
        operation.operation.timeNs = AHEAD;
    }
    writer.Receive(B, AHEAD, 64);
    writer.Take(B, AHEAD + 12'000, CompletionOpcode::RECV, 64);
    writer.Send(B, AHEAD + 18'000, 64);
    writer.Take(B, AHEAD + 22'000, CompletionOpcode::SEND, 64);
    const RunInFolder run{MakeReplayScenario(MakePairScenario(), writer.Get())};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(Cell(run, B, "clock_offset_ns"), std::to_string(AHEAD));
    EXPECT_EQ(Cell(run, B, "clock_error_ns"), "2000");
    EXPECT_EQ(Cell(run, B, "recorded_ns"), "22000.000");
}

TEST(Program, WhatTheModelLacksIsRefusedBeforeAnythingRuns)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.BringUp(B);
    writer.Send(A, 1000, 64, 8);  // bind a memory window
    writer.Send(A, 2000, 64, 10); // TSO
    writer.Get().threads[B].operations[1].operation.control.detail =
        QueuePairDetail{.type = 4, .number = 101};
    writer.Send(B, 1000, 64);
    const Scenario scenario = MakeReplayScenario(MakePairScenario(), writer.Get());
    const auto application = scenario.applications.front().factory.Create<Application>();
    const std::string errors = ToString(application->Check(scenario.topology));
    EXPECT_THAT(errors, HasSubstr("memory windows (bind): not modelled, 1 in the trace"));
    EXPECT_THAT(errors, HasSubstr("send opcode 10: not modelled, 1 in the trace"));
    EXPECT_THAT(errors, HasSubstr("UD queue pairs: not modelled, 1 in the trace"));
}

TEST(Program, AConnectionOfIwarpIsRefused)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.BringUp(B);
    for (auto& operation : writer.Get().threads[B].operations)
    {
        auto* change = std::get_if<QueuePairChange>(&operation.operation.control.detail);
        if (change != nullptr)
        {
            change->mask &= ~uint32_t{QP_DEST_QPN};
        }
    }
    const Scenario scenario = MakeReplayScenario(MakePairScenario(), writer.Get());
    const auto application = scenario.applications.front().factory.Create<Application>();
    EXPECT_THAT(ToString(application->Check(scenario.topology)),
                HasSubstr("as those of iWARP have none: not modelled, 1 in the trace"));
}

TEST(Program, APeerThatIsInNoTraceIsNamed)
{
    ProgramWriter writer;
    writer.BringUp(A);
    writer.Send(A, 1000, 64);
    const Scenario scenario = MakeReplayScenario(MakePairScenario(), writer.Get());
    const auto application = scenario.applications.front().factory.Create<Application>();
    EXPECT_THAT(ToString(application->Check(scenario.topology)),
                HasSubstr("queue pair 100 of a is connected to queue pair 101, which no process of "
                          "the trace has"));
}

} // namespace

} // namespace ns3::rdma
