// SPDX-License-Identifier: GPL-2.0-only
// Whatever computes a replay, its results are the same bytes.
#include "tests/replay/memory-trace.h"
#include "tests/replay/program-writer.h"
#include "tests/scenario/engines.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr uint32_t RANKS = 8;

/** Rounds of messages between all ranks at the same instants, with computing on one processor. */
MemoryTrace
MakeExchange()
{
    ScheduleWriter writer{RANKS};
    std::vector<std::vector<Dependency>> after(RANKS);
    for (uint32_t round = 0; round < 3; ++round)
    {
        std::vector<std::vector<Dependency>> next(RANKS);
        for (uint32_t rank = 0; rank < RANKS; ++rank)
        {
            for (uint32_t peer = 0; peer < RANKS; ++peer)
            {
                if (peer == rank)
                {
                    continue;
                }
                writer.Send(rank, peer, 1000 + 5000 * ((rank + peer) % 3), after[rank]);
                writer.Last(rank).other = 0;
                writer.Last(rank).count = round;
                const uint64_t receive = writer.Receive(rank, peer, after[rank]);
                writer.Last(rank).other = 0;
                writer.Last(rank).count = round;
                const uint64_t compute =
                    writer.Compute(rank, 300, {{rank, DependencyEvent::END, receive}});
                writer.Last(rank).other = 0;
                next[rank].push_back({rank, DependencyEvent::END, compute});
            }
        }
        after = next;
    }
    return writer.Get();
}

/** Programs in both directions at once, with equal times. */
MemoryTrace
MakePrograms()
{
    ProgramWriter writer;
    for (const uint32_t process : {0U, 1U})
    {
        writer.BringUp(process);
        for (int64_t i = 0; i < 50; ++i)
        {
            writer.Receive(process, 1000 * i, 3000);
            writer.Send(process, 1000 * i + 100, 3000);
            writer.Take(process, 1000 * i + 200, CompletionOpcode::SEND, 3000);
            writer.Take(process, 1000 * i + 300, CompletionOpcode::RECV, 3000);
        }
    }
    return writer.Get();
}

class ReplayEquality : public testing::TestWithParam<EngineChoice>
{
};

TEST_P(ReplayEquality, EveryEngineWritesTheSameBytes)
{
    Scenario crowd = MakeRunScenario(MakeStar(RANKS, BitRate::Gbps(100), SimTime::Microseconds(1)));
    for (const Scenario& reference :
         {MakeReplayScenario(crowd, MakeExchange()),
          MakeReplayScenario(MakePairScenario(), MakePrograms()),
          MakeReplayScenario(MakePairScenario(), MakePrograms(), {{"Mode", "recorded"}})})
    {
        const RunInFolder first{reference};
        EXPECT_EQ(first.ExitCode(), 0) << first.Err();
        Scenario scenario = reference;
        scenario.engine = GetParam();
        const RunInFolder second{scenario};
        for (const char* file : {"replay.csv", "messages.csv", "links.csv", "summary.json"})
        {
            EXPECT_FALSE(first.Read(file).empty()) << file;
            EXPECT_EQ(second.Read(file), first.Read(file)) << file;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, ReplayEquality, EveryEngine(), NameEngine);

} // namespace

} // namespace ns3::rdma
