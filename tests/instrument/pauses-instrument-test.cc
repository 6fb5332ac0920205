// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/**
 * h0 and h1 at s0 send to h2 at s1: 200 Gb/s over a trunk of 400 Gb/s into a cable of 100 Gb/s. The
 * cable of h2 is the only bottleneck: s1 pauses the trunk, and s0 the hosts because of that.
 */
Scenario
MakeChain()
{
    Scenario scenario = MakeRunScenario(
        MakeTwoSwitches({.leftHosts = 2, .rightHosts = 1, .trunkRate = BitRate::Gbps(400)}));
    scenario.flows = {MakeFlow(0, 2, 2'000'000), MakeFlow(1, 2, 2'000'000)};
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.instruments = {MakeInstrument("Pauses")};
    return scenario;
}

} // namespace

TEST(PausesInstrument, AChainOverTwoSwitchesLeadsToItsRoot)
{
    const RunInFolder run{MakeChain()};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    const auto rows = ReadRows(run, "pauses.csv");
    std::map<std::string, Row> byNumber;
    uint32_t branches = 0;
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0].at("node"), "s0") << "the trunk is paused first";
    for (const Row& row : rows)
    {
        byNumber[row.at("pause")] = row;
        EXPECT_EQ(row.at("priority"), "3");
        EXPECT_EQ(row.at("root_node"), "s1");
        // Ports are numbered by cable: s1 has the host's first, the trunk's after it.
        EXPECT_EQ(row.at("root_port"), "0");
        if (row.at("node") == "s0")
        {
            EXPECT_EQ(row.at("by_node"), "s1");
            EXPECT_EQ(row.at("depth"), "0");
            EXPECT_EQ(row.at("cause"), "");
            continue;
        }
        ++branches;
        EXPECT_EQ(row.at("by_node"), "s0");
        EXPECT_EQ(row.at("depth"), "1");
        ASSERT_TRUE(byNumber.contains(row.at("cause"))) << row.at("pause");
        const Row& cause = byNumber.at(row.at("cause"));
        EXPECT_EQ(cause.at("node"), "s0");
        EXPECT_LT(std::stod(cause.at("start_ns")), std::stod(row.at("start_ns")));
    }
    EXPECT_GT(branches, 1U);
}

// The same times, counted by ports.
TEST(PausesInstrument, IntervalsAddUpToThePausedTimeOfEachLink)
{
    const RunInFolder run{MakeChain()};
    std::map<std::string, double> paused;
    for (const Row& row : ReadRows(run, "pauses.csv"))
    {
        ASSERT_NE(row.at("end_ns"), "");
        paused[row.at("node") + ":" + row.at("port")] +=
            std::stod(row.at("end_ns")) - std::stod(row.at("start_ns"));
    }
    for (const Row& link : ReadRows(run, "links.csv"))
    {
        EXPECT_NEAR(paused[link.at("from") + ":" + link.at("from_port")],
                    std::stod(link.at("paused_ns")),
                    0.01)
            << link.at("from");
    }
    EXPECT_GT(paused.size(), 2U);
}

// The run is cut while ports are paused: these have no end.
TEST(PausesInstrument, APauseThatLastsToTheEndHasNone)
{
    Scenario scenario = MakeChain();
    const RunInFolder whole{scenario};
    const Row first = ReadRows(whole, "pauses.csv").front();
    const double middle = (std::stod(first.at("start_ns")) + std::stod(first.at("end_ns"))) / 2;
    scenario.duration = SimTime::Nanoseconds(static_cast<uint64_t>(middle));
    const RunInFolder cut{scenario};
    const auto rows = ReadRows(cut, "pauses.csv");
    ASSERT_FALSE(rows.empty());
    EXPECT_EQ(rows[0].at("start_ns"), first.at("start_ns"));
    EXPECT_EQ(rows[0].at("end_ns"), "");
}

// An incast at one switch: all pauses are of hosts, and the root is the port to the receiver.
TEST(PausesInstrument, WithoutAChainEveryPauseIsARoot)
{
    Scenario scenario = MakeIncast(4, 500'000);
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.instruments = {MakeInstrument("Pauses")};
    const RunInFolder run{scenario};
    ASSERT_GT(run.CountLines("pauses.csv"), 4U);
    for (const Row& row : ReadRows(run, "pauses.csv"))
    {
        EXPECT_EQ(row.at("cause"), "");
        EXPECT_EQ(row.at("depth"), "0");
        EXPECT_EQ(row.at("root_node"), "s");
        EXPECT_EQ(row.at("root_port"), "0");
    }
}

} // namespace ns3::rdma
