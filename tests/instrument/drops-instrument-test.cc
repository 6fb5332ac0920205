// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/** A lossy incast over cables that lose a percent: drops in the switch, on cables and at the NIC.
 */
Scenario
MakeLossy()
{
    Scenario scenario = MakeIncast(8, 300'000);
    for (Flow& flow : scenario.flows)
    {
        flow.priority = 1;
    }
    for (TopologyLink& link : scenario.topology.links)
    {
        link.lossRate = 0.01;
    }
    scenario.buffer.Set("Size", ByteCountValue(ByteCount{1'000'000}));
    scenario.transport.Set("Timeout", UintegerValue(6)); // 4.096 us x 2^6 = 262 us
    scenario.instruments = {MakeInstrument("Drops")};
    return scenario;
}

} // namespace

TEST(DropsInstrument, HasARowForEachDropWithItsReason)
{
    const RunInFolder run{MakeLossy()};
    std::map<std::string, uint64_t> frames;
    std::map<std::string, uint64_t> bytes;
    for (const Row& row : ReadRows(run, "drops.csv"))
    {
        ++frames[row.at("reason")];
        bytes[row.at("reason")] += std::stoull(row.at("frame_bytes"));
    }
    const auto summary = run.Json("summary.json");
    for (const auto& [reason, dropped] : summary["network"]["dropped"].items())
    {
        EXPECT_EQ(frames[reason], dropped["frames"]) << reason;
        EXPECT_EQ(bytes[reason], dropped["bytes"]) << reason;
    }
    EXPECT_GT(frames["link_error"], 0U);
    EXPECT_GT(frames["egress_threshold"] + frames["buffer_full"], 0U);
    EXPECT_GT(frames["out_of_sequence"], 0U);
}

// In a switch the place is the port that the frame was to leave by, as links.csv counts it.
TEST(DropsInstrument, PlacesAreThoseOfTheLinks)
{
    const RunInFolder run{MakeLossy()};
    std::map<std::string, uint64_t> inSwitch;
    for (const Row& row : ReadRows(run, "drops.csv"))
    {
        const std::string reason = row.at("reason");
        if (reason == "egress_threshold" || reason == "buffer_full")
        {
            EXPECT_EQ(row.at("node"), "s");
            ++inSwitch[row.at("port")];
        }
        if (reason == "out_of_sequence")
        {
            EXPECT_EQ(row.at("node"), "h0") << "the receiver of all flows";
            EXPECT_EQ(row.at("opcode").substr(0, 13), "RC RDMA WRITE");
        }
    }
    EXPECT_GT(inSwitch["0"], 0U);
    EXPECT_EQ(inSwitch.size(), 1U) << "the port to h0";
}

TEST(DropsInstrument, NodesAndPrioritiesAreChosen)
{
    Scenario scenario = MakeLossy();
    scenario.instruments = {MakeInstrument("Drops", {{"Nodes", "h0"}}),
                            MakeInstrument("Drops", {{"File", "none.csv"}, {"Priorities", "3"}})};
    const RunInFolder run{scenario};
    EXPECT_THAT(ReadColumn(run, "drops.csv", "node"), testing::Each("h0"));
    EXPECT_GT(run.CountLines("drops.csv"), 1U);
    EXPECT_EQ(run.CountLines("none.csv"), 1U) << "only the header: all flows have priority 1";
}

} // namespace ns3::rdma
