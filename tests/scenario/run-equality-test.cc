// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/scenario/engines.h"
#include "tests/scenario/run-fixture.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

const std::vector<std::string> FILES{"flows.csv",
                                     "links.csv",
                                     "pfc.csv",
                                     "queues.csv",
                                     "events.csv",
                                     "rates.csv",
                                     "summary.json",
                                     "fct.txt",
                                     "pfc.txt"};

/**
 * Sixteen hosts write to one at the same picosecond, over equal cables, in a lossless and in a
 * lossy priority: full of ties, with marking, pauses and drops.
 */
Scenario
MakeCrowd()
{
    constexpr uint32_t SENDERS = 16;
    constexpr uint64_t BYTES = 150'000;
    Scenario scenario =
        MakeRunScenario(MakeStar(SENDERS + 1, BitRate::Gbps(100), SimTime::Microseconds(1)));
    for (uint32_t host = 1; host <= SENDERS; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 0, BYTES));
        scenario.flows.push_back(MakeFlow(host, 0, BYTES));
        scenario.flows.back().priority = 1;
        scenario.flows.back().destinationPort = 1;
    }
    scenario.transport.Set("Timeout", UintegerValue(8)); // 4.096 us x 2^8 = 1.05 ms
    scenario.buffer.Set("Size", ByteCountValue(ByteCount{3'000'000}));
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("Kmin", ByteCountValue(ByteCount{5'000}));
    scenario.marker.Set("Kmax", ByteCountValue(ByteCount{200'000}));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.results.Set("SampleInterval", SimTimeValue(SimTime::Microseconds(5)));
    scenario.results.Set("SampleRates", BooleanValue(true));
    scenario.results.Set("FctFile", StringValue("fct.txt"));
    scenario.results.Set("PfcFile", StringValue("pfc.txt"));
    return scenario;
}

std::vector<std::string>
ReadAll(const RunInFolder& run)
{
    std::vector<std::string> texts;
    for (const std::string& file : FILES)
    {
        texts.push_back(run.Read(file));
    }
    return texts;
}

} // namespace

/** Equal bytes in all files but run.json, however a run is computed. */
class RunEquality : public testing::TestWithParam<EngineChoice>
{
};

TEST_P(RunEquality, EveryEngineWritesTheSameBytes)
{
    const Scenario reference = MakeCrowd();
    const RunInFolder first{reference};
    ASSERT_EQ(first.ExitCode(), 0) << first.Err();
    Scenario scenario = reference;
    scenario.engine = GetParam();
    const RunInFolder second{scenario};
    ASSERT_EQ(second.ExitCode(), 0) << second.Err();
    const std::vector<std::string> expected = ReadAll(first);
    const std::vector<std::string> got = ReadAll(second);
    for (std::size_t i = 0; i < FILES.size(); ++i)
    {
        EXPECT_FALSE(expected[i].empty()) << FILES[i];
        EXPECT_EQ(got[i], expected[i]) << FILES[i];
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, RunEquality, EveryEngine(), NameEngine);

// The scenario is worth comparing only if all that it is made for happens in it.
TEST(RunCrowd, HasMarksPausesDropsAndRetransmissions)
{
    const RunInFolder run{MakeCrowd()};
    const auto network = run.Json("summary.json")["network"];
    EXPECT_GT(network["ecn_marked_frames"], 0);
    EXPECT_GT(network["cnps_sent"], 0);
    EXPECT_GT(network["pause_frames_sent"], 0);
    EXPECT_GT(network["resume_frames_sent"], 0);
    EXPECT_GT(network["packets_retransmitted"], 0);
    EXPECT_GT(run.CountLines("queues.csv"), 1U);
    EXPECT_GT(run.CountLines("rates.csv"), 1U);
    EXPECT_GT(run.CountLines("pfc.csv"), 1U);
    EXPECT_EQ(network["dropped"]["headroom_full"]["frames"], 0) << "a lossless class drops nothing";
}

TEST(RunCrowd, SamplingChangesNothingElse)
{
    Scenario scenario = MakeCrowd();
    const RunInFolder sampled{scenario};
    scenario.results.Set("SampleInterval", SimTimeValue(SimTime{}));
    const RunInFolder plain{scenario};
    for (const char* file : {"flows.csv", "links.csv", "pfc.csv", "fct.txt", "summary.json"})
    {
        EXPECT_EQ(plain.Read(file), sampled.Read(file)) << file;
    }
    EXPECT_EQ(plain.Read("queues.csv"), "") << "not asked for";
    EXPECT_EQ(plain.Read("rates.csv"), "") << "not asked for";
}

// A flow's samples of goodput are bits per second over 5 us each; together they are its bytes.
TEST(RunCrowd, GoodputAddsUpToTheBytesOfTheFlows)
{
    constexpr double INTERVAL_S = 5e-6;
    constexpr double BITS = 8.0;
    const RunInFolder run{MakeCrowd()};
    double bytes = 0;
    const auto lines = run.Lines("rates.csv");
    for (std::size_t row = 1; row < lines.size(); ++row)
    {
        bytes += std::stod(SplitLine(lines[row])[3]) * INTERVAL_S / BITS;
    }
    EXPECT_NEAR(bytes, 32 * 150'000.0, 32 * 1100.0) << "the end of the run cuts the last sample";
}

TEST(RunCrowd, QueuesAreToldWhileTheyHoldSomethingAndOnceAfter)
{
    const RunInFolder run{MakeCrowd()};
    const auto lines = run.Lines("queues.csv");
    uint64_t empty = 0;
    for (std::size_t row = 1; row < lines.size(); ++row)
    {
        empty += SplitLine(lines[row]).back() == "0" ? 1 : 0;
    }
    EXPECT_GT(empty, 0U);
    EXPECT_LT(empty, lines.size() / 2);
}

// The same facts in two files: where, when, what.
TEST(RunCrowd, PfcFilesAgree)
{
    const RunInFolder run{MakeCrowd()};
    const auto csv = run.Lines("pfc.csv");
    const auto text = run.Lines("pfc.txt");
    ASSERT_EQ(text.size() + 1, csv.size());
    for (std::size_t row = 1; row < csv.size(); ++row)
    {
        const auto cells = SplitLine(csv[row]);
        const std::string node = cells[1].substr(1); // host "h7" is node 7 of the topology
        EXPECT_EQ(text[row - 1],
                  cells[0].substr(0, cells[0].find('.')) + " " + node + " 0 1 " +
                      (cells[4] == "pause" ? "1" : "0"));
        EXPECT_EQ(cells[6], "s");
    }
}

} // namespace ns3::rdma
