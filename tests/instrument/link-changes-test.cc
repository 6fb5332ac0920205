// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/instrument/instrument-fixture.h"
#include "tests/support/timeline-entry.h"

#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

/**
 * A congested chain of two switches whose trunk fails while it is paused and queues are long, and a
 * host whose own cable fails.
 */
Scenario
MakeFailing()
{
    Scenario scenario = MakeRunScenario(
        MakeTwoSwitches({.leftHosts = 3, .rightHosts = 1, .trunkRate = BitRate::Gbps(400)}));
    for (uint32_t host = 0; host < 3; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 3, 1'000'000));
    }
    scenario.transport.Set("Timeout", UintegerValue(6)); // 4.096 us x 2^6 = 262 us
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.routing.Set("Delay", StringValue("10us"));
    scenario.timeline = {
        MakeEntry("LinkDown", {{"At", "60us"}, {"From", "s0"}, {"To", "s1"}, {"For", "40us"}}),
        MakeEntry("LinkDown", {{"At", "400us"}, {"From", "h1"}, {"For", "30us"}}),
        MakeEntry("RateChange", {{"At", "500us"}, {"To", "h3"}, {"Rate", "50Gbps"}})};
    scenario.instruments = {
        MakeInstrument("Pauses"),
        MakeInstrument("Drops"),
        MakeInstrument("Lives"),
        MakeInstrument("Queues"),
        MakeInstrument("Queues", {{"Interval", "2us"}, {"File", "samples.csv"}}),
        MakeInstrument("Buffers", {{"Interval", "2us"}}),
        MakeInstrument("Utilisation", {{"Interval", "2us"}})};
    return scenario;
}

} // namespace

TEST(LinkChanges, PausesEndWithTheirCable)
{
    const RunInFolder run{MakeFailing()};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    std::map<std::string, double> paused;
    for (const Row& row : ReadRows(run, "pauses.csv"))
    {
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
}

TEST(LinkChanges, EveryFrameThatIsLostWithACableHasARowAndALife)
{
    const RunInFolder run{MakeFailing()};
    uint64_t lostRoce = 0;
    uint64_t lost = 0;
    for (const Row& row : ReadRows(run, "drops.csv"))
    {
        lost += row.at("reason") == "link_down" ? 1 : 0;
        lostRoce += row.at("reason") == "link_down" && !row.at("opcode").empty() ? 1 : 0;
    }
    EXPECT_GT(lostRoce, 50U);
    EXPECT_EQ(lost, run.Json("summary.json")["network"]["dropped"]["link_down"]["frames"]);
    const auto ends = ReadColumn(run, "lives.csv", "drop_reason");
    EXPECT_EQ(std::ranges::count(ends, "link_down"), lostRoce);
}

TEST(LinkChanges, FlushedQueuesAreEmptyInEveryTable)
{
    const RunInFolder run{MakeFailing()};
    const auto changes = ReadRows(run, "queues.csv");
    std::map<std::string, std::string> held;
    std::size_t next = 0;
    const auto samples = ReadRows(run, "samples.csv");
    ASSERT_GT(samples.size(), 50U);
    for (const Row& sample : samples)
    {
        for (; next < changes.size() &&
               std::stod(changes[next].at("time_ns")) <= std::stod(sample.at("time_ns"));
             ++next)
        {
            held[changes[next].at("node") + changes[next].at("port")] =
                changes[next].at("queue_bytes");
        }
        EXPECT_EQ(held[sample.at("node") + sample.at("port")], sample.at("queue_bytes"))
            << sample.at("time_ns");
    }
    const auto buffers = ReadRows(run, "buffers.csv");
    for (const Row& row : buffers)
    {
        EXPECT_LE(std::stoull(row.at("used_bytes")), std::stoull(row.at("watermark_bytes")));
    }
    for (const Row& row : ReadRows(run, "utilisation.csv"))
    {
        EXPECT_LE(std::stod(row.at("utilisation")), 1.0) << row.at("time_ns");
    }
}

TEST(LinkChanges, EagerPortsTellTheSame)
{
    Scenario scenario = MakeFailing();
    const RunInFolder lazy{scenario};
    scenario.engine.eagerPorts = true;
    const RunInFolder eager{scenario};
    for (const char* file : {"pauses.csv",
                             "drops.csv",
                             "lives.csv",
                             "queues.csv",
                             "samples.csv",
                             "buffers.csv",
                             "utilisation.csv"})
    {
        EXPECT_TRUE(lazy.Read(file) == eager.Read(file)) << file;
    }
}

// A host that pauses for no reason of the network is the root of what it causes.
TEST(LinkChanges, AStormBeginsAtItsHost)
{
    Scenario scenario = MakeIncast(2, 500'000);
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{50'000}));
    scenario.timeline = {MakeEntry("PauseStorm", {{"From", "h0"}, {"For", "100us"}})};
    scenario.instruments = {MakeInstrument("Pauses")};
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    const auto rows = ReadRows(run, "pauses.csv");
    ASSERT_GT(rows.size(), 2U);
    EXPECT_EQ(rows[0].at("node"), "s");
    EXPECT_EQ(rows[0].at("by_node"), "h0");
    EXPECT_EQ(rows[0].at("depth"), "0");
    EXPECT_EQ(rows[0].at("root_node"), "h0");
    for (std::size_t row = 1; row < 3; ++row)
    {
        EXPECT_EQ(rows[row].at("by_node"), "s");
        EXPECT_EQ(rows[row].at("cause"), "0");
        EXPECT_EQ(rows[row].at("depth"), "1");
        EXPECT_EQ(rows[row].at("root_node"), "h0");
    }
}

} // namespace ns3::rdma
