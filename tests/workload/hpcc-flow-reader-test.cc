// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/samples.h"
#include "topology/hpcc-topology-reader.h"
#include "workload/flow-checks.h"
#include "workload/hpcc-flow-reader.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <numeric>
#include <random>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

const std::filesystem::path SAMPLES = SharedFolder("samples");

/** Hosts 0 .. 3 and switch 4, all joined to it. */
Topology
FourHosts()
{
    std::vector<std::string> notes;
    return *ParseHpccTopology("5 1 4\n4\n0 4 1Gbps 1us 0\n1 4 1Gbps 1us 0\n"
                              "2 4 1Gbps 1us 0\n3 4 1Gbps 1us 0\n",
                              "t.txt",
                              notes);
}

struct Parsed
{
    FlowList flows;
    std::vector<std::string> notes;
    std::vector<std::string> errors;
};

Parsed
Parse(const std::string& text)
{
    Parsed parsed;
    const auto flows = ParseHpccFlows(text, "f.txt", FourHosts(), parsed.notes);
    if (flows)
    {
        parsed.flows = *flows;
        return parsed;
    }
    for (const Diagnostic& diagnostic : flows.Errors())
    {
        parsed.errors.push_back(ToString(diagnostic));
    }
    return parsed;
}

struct SampleCase
{
    const char* topology;
    const char* flows;
    size_t count;
    uint64_t bytes;
    uint64_t lastStartPs;
};

/**
 * Counts by `head -1`, bytes by `awk 'NR>1 && NR<=n+1 {s+=$5} END {printf "%.0f", s}'`, last start
 * by `awk 'NR==n+1 {print $6}'`.
 */
class SampleFlows : public testing::TestWithParam<SampleCase>
{
};

} // namespace

TEST_P(SampleFlows, AreReadWhole)
{
    const SampleCase& sample = GetParam();
    if (!std::filesystem::exists(SAMPLES / sample.flows))
    {
        GTEST_SKIP() << SAMPLES / sample.flows << " is not here";
    }
    std::vector<std::string> notes;
    const auto topology = ReadHpccTopology(SAMPLES / sample.topology, notes);
    ASSERT_TRUE(topology);
    const auto flows = ReadHpccFlows(SAMPLES / sample.flows, *topology, notes);
    ASSERT_TRUE(flows) << ToString(flows.Errors()[0]);
    EXPECT_EQ(flows->size(), sample.count);
    EXPECT_EQ(std::accumulate(flows->begin(),
                              flows->end(),
                              uint64_t{0},
                              [](uint64_t sum, const Flow& flow) { return sum + flow.bytes; }),
              sample.bytes);
    EXPECT_EQ(flows->back().start.ps, sample.lastStartPs);
    EXPECT_TRUE(AreFlowsSorted(*flows));
    EXPECT_EQ(FindUnreachablePair(ComputeRoutes(*topology), *flows), std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(
    HpccFlowReader,
    SampleFlows,
    testing::Values(
        SampleCase{"hpcc/topology.txt", "hpcc/flow.txt", 2, 400'000'000, 2'000'000'000'000},
        SampleCase{"benchmark/a_topo.txt",
                   "benchmark/a_flow.txt",
                   15,
                   15'000'000,
                   2'000'000'000'000},
        SampleCase{"benchmark/b_topo.txt",
                   "benchmark/b_flow.txt",
                   128,
                   1'280'000'000,
                   2'000'000'000'000},
        SampleCase{"benchmark/b_topo.txt",
                   "benchmark/bs_flow.txt",
                   128,
                   128'000'000,
                   2'000'000'000'000},
        SampleCase{"benchmark/b_topo.txt",
                   "benchmark/c_flow.txt",
                   937,
                   1'595'455'008,
                   2'001'999'403'000},
        SampleCase{"ns3-datacenter/topology-256.txt",
                   "ns3-datacenter/flow-burstExp-10.txt",
                   11,
                   11'000'000'000'000,
                   150'000'000'000}));

TEST(HpccFlowReader, ReadsSixColumns)
{
    const Parsed parsed = Parse("2\n0 1 3 100 1000000 2.0\n1 0 4 200 64000 2.000001500\n");
    ASSERT_THAT(parsed.errors, IsEmpty());
    EXPECT_THAT(parsed.notes, IsEmpty());
    ASSERT_EQ(parsed.flows.size(), 2U);
    EXPECT_EQ(parsed.flows[0].start, SimTime::Seconds(2));
    EXPECT_EQ(parsed.flows[1].source, 1U);
    EXPECT_EQ(parsed.flows[1].destination, 0U);
    EXPECT_EQ(parsed.flows[1].priority, 4);
    EXPECT_EQ(parsed.flows[1].destinationPort, 200);
    EXPECT_EQ(parsed.flows[1].bytes, 64'000U);
    EXPECT_EQ(parsed.flows[1].start.ps, 2'000'001'500'000U);
}

TEST(HpccFlowReader, ReadsConweavesFiveColumnsAndSaysSo)
{
    const Parsed parsed = Parse("1\n2 3 3 5000 0.1\n");
    ASSERT_THAT(parsed.errors, IsEmpty());
    EXPECT_THAT(parsed.notes, ElementsAre(HasSubstr("five columns")));
    EXPECT_EQ(parsed.flows[0].bytes, 5'000U);
    EXPECT_EQ(parsed.flows[0].start, SimTime::Milliseconds(100));
}

TEST(HpccFlowReader, SortsAndSaysSo)
{
    const Parsed parsed = Parse("3\n0 1 3 100 7 2.0\n0 1 3 100 5 1.0\n0 1 3 100 6 2.0\n");
    ASSERT_THAT(parsed.errors, IsEmpty());
    EXPECT_THAT(parsed.notes, ElementsAre(HasSubstr("sorted")));
    EXPECT_EQ(parsed.flows[0].bytes, 5U);
    EXPECT_EQ(parsed.flows[1].bytes, 6U); // Equal start and ends: by size.
    EXPECT_EQ(parsed.flows[2].bytes, 7U);
}

TEST(HpccFlowReader, StartIsExactToThePicosecond)
{
    // 0.1 + 0.2 style texts of a double: 17 digits round to the nearest picosecond.
    const Parsed parsed = Parse("4\n0 1 3 1 1 2.000000000001\n0 1 3 1 1 2.0000000000014\n"
                                "0 1 3 1 1 2.00000000000251\n0 1 3 1 1 0.30000000000000004\n");
    ASSERT_THAT(parsed.errors, IsEmpty());
    EXPECT_EQ(parsed.flows[0].start.ps, 300'000'000'000U);
    EXPECT_EQ(parsed.flows[1].start.ps, 2'000'000'000'001U);
    EXPECT_EQ(parsed.flows[2].start.ps, 2'000'000'000'001U);
    EXPECT_EQ(parsed.flows[3].start.ps, 2'000'000'000'003U);
}

TEST(HpccFlowReader, LargeSizesKeepTheirDigits)
{
    // 5 GiB, which does not fit in 32 bits, and the largest of all, 2^63.
    const Parsed parsed = Parse("2\n0 1 3 1 5368709120 1\n0 1 3 1 9223372036854775808 1\n");
    ASSERT_THAT(parsed.errors, IsEmpty());
    EXPECT_EQ(parsed.flows[0].bytes, 5'368'709'120U);
    EXPECT_EQ(parsed.flows[1].bytes, 1ULL << 63);
    EXPECT_THAT(Parse("1\n0 1 3 1 9223372036854775809 1\n").errors,
                ElementsAre(HasSubstr("9223372036854775809")));
}

TEST(HpccFlowReader, FewerFlowsThanAnnouncedNamesBothNumbers)
{
    EXPECT_THAT(Parse("3\n0 1 3 100 7 2.0\n").errors,
                ElementsAre(AllOf(HasSubstr("fewer"), HasSubstr("1 flows"), HasSubstr("3"))));
}

TEST(HpccFlowReader, LinesAfterTheLastFlowAreNoted)
{
    const Parsed parsed = Parse("1\n0 1 3 100 7 2.0\n0 2 3 100 7 2.0\nsome legend\n");
    ASSERT_THAT(parsed.errors, IsEmpty());
    EXPECT_EQ(parsed.flows.size(), 1U);
    EXPECT_THAT(parsed.notes, ElementsAre(HasSubstr("2 lines after the 1 announced flows")));
}

TEST(HpccFlowReader, ReportsEveryMalformedLine)
{
    const Parsed parsed = Parse("7\n"
                                "0 1 3 100 7 2.0\n"
                                "0 9 3 100 7 2.0\n"
                                "0 4 3 100 7 2.0\n"
                                "1 1 3 100 7 2.0\n"
                                "0 1 8 100 7 2.0\n"
                                "0 1 3 100 0 -2.0\n"
                                "0 1 3 100 7\n");
    EXPECT_THAT(parsed.errors,
                ElementsAre(AllOf(HasSubstr("f.txt:3: column 3"), HasSubstr("unknown node")),
                            AllOf(HasSubstr("f.txt:4"), HasSubstr("switch")),
                            AllOf(HasSubstr("f.txt:5"), HasSubstr("itself")),
                            AllOf(HasSubstr("f.txt:6: column 5"), HasSubstr("0 to 7")),
                            AllOf(HasSubstr("f.txt:7: column 11"), HasSubstr("'0'")),
                            AllOf(HasSubstr("f.txt:7: column 13"), HasSubstr("-2.0")),
                            AllOf(HasSubstr("f.txt:8"), HasSubstr("5 columns"))));
}

TEST(HpccFlowReader, OrderOfLinesDoesNotMatter)
{
    std::vector<std::string> lines;
    for (int i = 0; i < 200; ++i)
    {
        lines.push_back(std::to_string(i % 4) + " " + std::to_string((i + 1 + i / 4 % 3) % 4) +
                        " 3 " + std::to_string(100 + i % 5) + " " + std::to_string(1 + i % 7) +
                        " 2.0\n");
    }
    std::mt19937 random{11};
    const auto join = [&]
    { return std::accumulate(lines.begin(), lines.end(), std::string{"200\n"}); };
    const FlowList first = Parse(join()).flows;
    ASSERT_EQ(first.size(), 200U);
    for (int round = 0; round < 20; ++round)
    {
        std::shuffle(lines.begin(), lines.end(), random);
        EXPECT_EQ(Parse(join()).flows, first);
    }
}

TEST(HpccFlowReader, SurvivesChangedBytes)
{
    std::mt19937 random{5};
    const std::string original = "3\n0 1 3 100 1000000 2.0\n1 2 3 100 64000 2.00001\n"
                                 "2 3 3 100 64000 2.00001\n";
    size_t refused = 0;
    for (int round = 0; round < 20'000; ++round)
    {
        std::string text = original;
        for (int change = 0; change < 2; ++change)
        {
            text[random() % text.size()] = static_cast<char>(random() % 256);
        }
        const Parsed parsed = Parse(text);
        refused += parsed.errors.empty() ? 0 : 1;
        EXPECT_THAT(CheckFlows(FourHosts(), parsed.flows), IsEmpty());
    }
    EXPECT_GT(refused, 10'000U);
}
