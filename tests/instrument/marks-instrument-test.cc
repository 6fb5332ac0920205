// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t THRESHOLD = 20'000;

/** Four senders of ECN-capable packets, and a switch that marks from 20 kB on. */
Scenario
MakeMarking()
{
    Scenario scenario = MakeIncast(4, 200'000);
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::StepMarker");
    scenario.marker.Set("Threshold", ByteCountValue(ByteCount{THRESHOLD}));
    scenario.instruments = {MakeInstrument("Marks")};
    return scenario;
}

} // namespace

TEST(MarksInstrument, HasARowForEachMarkedFrame)
{
    const RunInFolder run{MakeMarking()};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    const auto rows = ReadRows(run, "marks.csv");
    ASSERT_GT(rows.size(), 100U);
    EXPECT_EQ(rows.size(), run.Json("summary.json")["network"]["ecn_marked_frames"]);
    double last = 0;
    for (const Row& row : rows)
    {
        EXPECT_EQ(row.at("node"), "s");
        EXPECT_EQ(row.at("port"), "0");
        EXPECT_GE(std::stoull(row.at("queue_bytes")), THRESHOLD);
        EXPECT_LE(last, std::stod(row.at("time_ns")));
        last = std::stod(row.at("time_ns"));
    }
}

// A switch that is watched frame by frame asks its marker no more than it would.
TEST(MarksInstrument, WatchedQueuesMarkTheSameFrames)
{
    Scenario scenario = MakeMarking();
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("Kmin", ByteCountValue(ByteCount{5'000}));
    scenario.marker.Set("Kmax", ByteCountValue(ByteCount{200'000}));
    const RunInFolder plain{scenario};
    scenario.instruments.push_back(MakeInstrument("Queues"));
    const RunInFolder watched{scenario};
    EXPECT_GT(plain.CountLines("marks.csv"), 10U);
    EXPECT_EQ(watched.Read("marks.csv"), plain.Read("marks.csv"));
    EXPECT_EQ(watched.Read("flows.csv"), plain.Read("flows.csv"));
}

TEST(MarksInstrument, FlowsAndTimesAreChosen)
{
    Scenario scenario = MakeMarking();
    const RunInFolder all{scenario};
    scenario.instruments = {MakeInstrument("Marks", {{"Flows", "2"}, {"From", "10us"}})};
    const RunInFolder some{scenario};
    std::size_t expected = 0;
    for (const Row& row : ReadRows(all, "marks.csv"))
    {
        expected += row.at("flow") == "2" && std::stod(row.at("time_ns")) >= 10'000 ? 1 : 0;
    }
    EXPECT_GT(expected, 0U);
    EXPECT_EQ(some.CountLines("marks.csv"), expected + 1);
    EXPECT_THAT(ReadColumn(some, "marks.csv", "flow"), testing::Each("2"));
}

} // namespace ns3::rdma
