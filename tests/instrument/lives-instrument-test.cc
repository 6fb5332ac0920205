// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::ElementsAre;

namespace
{

/** The cells of a row that the test is about, in the order of the file. */
std::string
Tell(const Row& row)
{
    std::string text;
    for (const char* column : {"attempt",
                               "hop",
                               "node",
                               "port",
                               "arrival_ns",
                               "start_ns",
                               "departure_ns",
                               "queued_ns",
                               "paused_ns",
                               "queue_bytes",
                               "drop_reason"})
    {
        text += row.at(column) + ",";
    }
    return text;
}

/** Rows of packets of an opcode, in words. */
std::vector<std::string>
TellAll(const RunInFolder& run, const std::string& opcode)
{
    std::vector<std::string> lines;
    for (const Row& row : ReadRows(run, "lives.csv"))
    {
        if (row.at("opcode") == opcode)
        {
            lines.push_back(Tell(row));
        }
    }
    return lines;
}

/** h0, s0 and h1 in a row; 100 Gb/s, 80 ps a byte, and 1 us a cable. */
Scenario
MakeLine(uint64_t bytes)
{
    const PathHop hop{BitRate::Gbps(100), SimTime::Microseconds(1)};
    Scenario scenario = MakeRunScenario(MakePath({hop, hop}));
    scenario.flows = {MakeFlow(0, 1, bytes)};
    return scenario;
}

} // namespace

// Two packets of 1102 (with RETH) and 1086 bytes; 8 bytes of preamble before each, 12 of gap
// behind.
//   first:  0 .. 1110 x 80 ps = 88.8; arrives 1088.8, leaves at once .. 1177.6; arrives 2177.6
//   second: 1122 x 80 ps = 89.76 .. + 1094 x 80 ps = 177.28; arrives 1177.28; the port is busy
//           until 1088.8 + 89.76 = 1178.56, so it waits 1.28; .. + 87.52 = 1266.08; 2266.08
TEST(LivesInstrument, ALifeOverTwoCablesIsExactToThePicosecond)
{
    Scenario scenario = MakeLine(2048);
    scenario.instruments = {MakeInstrument("Lives")};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_THAT(TellAll(run, "RC RDMA WRITE First"),
                ElementsAre("1,0,h0,0,,0.000,88.800,,,,,",
                            "1,1,s0,1,1088.800,1088.800,1177.600,0.000,0.000,0,,",
                            "1,2,h1,0,2177.600,,,,,,,"));
    EXPECT_THAT(TellAll(run, "RC RDMA WRITE Last"),
                ElementsAre("1,0,h0,0,,89.760,177.280,,,,,",
                            "1,1,s0,1,1177.280,1178.560,1266.080,1.280,0.000,0,,",
                            "1,2,h1,0,2266.080,,,,,,,"));
    // Answers go the other way, one for each packet; the second ends when the flow does.
    const auto answers = TellAll(run, "RC Acknowledge");
    ASSERT_EQ(answers.size(), 6U);
    EXPECT_TRUE(answers[5].starts_with("1,2,h0,0," + run.Cell("flows.csv", 1, "fct_acked_ns")));
}

// The second frame from h0 to s0 is lost; the third finds a gap and is of no use to h1. Both are
// sent again.
TEST(LivesInstrument, AttemptsAreCountedAndTheEndOfEachIsTold)
{
    Scenario scenario = MakeLine(3072);
    ObjectFactory fault{"ns3::rdma::DropFault"};
    fault.Set("From", StringValue("h0"));
    fault.Set("Frames", StringValue("request"));
    fault.Set("Which", StringValue("2"));
    scenario.faults = {fault};
    scenario.instruments = {MakeInstrument("Lives", {{"Messages", "0"}})};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    std::vector<std::string> ends;
    for (const Row& row : ReadRows(run, "lives.csv"))
    {
        if (row.at("start_ns").empty())
        {
            ends.push_back(row.at("opcode").substr(14) + " " + row.at("attempt") + " hop " +
                           row.at("hop") + " " + row.at("node") + " " + row.at("drop_reason"));
        }
    }
    EXPECT_THAT(ends,
                ElementsAre("Middle 1 hop 1 s0 injected_fault",
                            "First 1 hop 2 h1 ",
                            "Last 1 hop 2 h1 out_of_sequence",
                            "Middle 2 hop 2 h1 ",
                            "Last 2 hop 2 h1 "));
}

TEST(LivesInstrument, OnlyChosenPacketsAreTold)
{
    Scenario scenario = MakeIncast(3, 5000);
    scenario.instruments = {MakeInstrument("Lives", {{"Flows", "1"}, {"Messages", "0"}})};
    const RunInFolder run{scenario};
    const auto flows = ReadColumn(run, "lives.csv", "flow");
    EXPECT_EQ(flows.size(), 5U * 3U) << "5 packets at 3 nodes";
    EXPECT_THAT(flows, testing::Each("1"));
    const std::string psn = ReadColumn(run, "lives.csv", "psn").front();
    scenario.instruments = {MakeInstrument("Lives", {{"Flows", "1"}, {"Psns", psn}})};
    const RunInFolder one{scenario};
    EXPECT_THAT(ReadColumn(one, "lives.csv", "psn"), testing::Each(psn));
    EXPECT_GE(one.CountLines("lives.csv"), 4U);
}

// The copy that a fault makes goes on beside the original, from the same hop.
TEST(LivesInstrument, ACopyHasALifeOfItsOwn)
{
    Scenario scenario = MakeLine(1000);
    ObjectFactory fault{"ns3::rdma::DuplicateFault"};
    fault.Set("From", StringValue("h0"));
    fault.Set("Frames", StringValue("request"));
    scenario.faults = {fault};
    scenario.instruments = {MakeInstrument("Lives", {{"Messages", "0"}})};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    std::vector<std::string> places;
    for (const Row& row : ReadRows(run, "lives.csv"))
    {
        places.push_back(row.at("attempt") + " " + row.at("hop") + " " + row.at("node") + " " +
                         row.at("drop_reason"));
    }
    EXPECT_THAT(places,
                ElementsAre("1 0 h0 ", "1 1 s0 ", "1 2 h1 ", "1 1 s0 ", "1 2 h1 duplicate"));
}

// The wait of a packet behind a pause is part of its wait: what all packets of a port waited paused
// is at most the time that the port was paused, and some packet waited for all of a pause.
TEST(LivesInstrument, PausesArePartOfTheWait)
{
    Scenario scenario = MakeRunScenario(
        MakeTwoSwitches({.leftHosts = 2, .rightHosts = 1, .trunkRate = BitRate::Gbps(400)}));
    scenario.flows = {MakeFlow(0, 2, 1'000'000), MakeFlow(1, 2, 1'000'000)};
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.instruments = {MakeInstrument("Lives", {{"Messages", "0"}}), MakeInstrument("Pauses")};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    double longest = 0;
    double longestPause = 0;
    for (const Row& row : ReadRows(run, "lives.csv"))
    {
        if (row.at("node") == "s0" && !row.at("paused_ns").empty())
        {
            EXPECT_LE(std::stod(row.at("paused_ns")), std::stod(row.at("queued_ns")));
            longest = std::max(longest, std::stod(row.at("paused_ns")));
        }
    }
    for (const Row& row : ReadRows(run, "pauses.csv"))
    {
        if (row.at("node") == "s0")
        {
            longestPause =
                std::max(longestPause, std::stod(row.at("end_ns")) - std::stod(row.at("start_ns")));
        }
    }
    EXPECT_GT(longestPause, 0);
    EXPECT_GE(longest, longestPause - 90) << "it arrives at most a packet time after the start";
}

} // namespace ns3::rdma
