// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/application-runner.h"
#include "tests/scenario/run-fixture.h"
#include "wire/framing.h"

#include "ns3/string.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iomanip>
#include <map>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

constexpr SimTime CABLE = SimTime::Microseconds(1);

/** Two hosts on one cable of 100 Gb/s. */
Scenario
MakePair()
{
    return MakeRunScenario(MakePath({{BitRate::Gbps(100), CABLE}}));
}

/** Adds a perftest with attributes as text. */
void
AddPerftest(Scenario& scenario, const std::map<std::string, std::string>& attributes)
{
    ObjectFactory factory{"ns3::rdma::PerftestWorkload"};
    for (const auto& [name, text] : attributes)
    {
        factory.Set(name, StringValue{text});
    }
    scenario.applications.push_back(
        {"workload." + std::to_string(scenario.applications.size()), factory, nullptr});
}

/** Picoseconds from the first bit of a frame to its last at the other end of the cable. */
uint64_t
FramePs(uint32_t extendedHeaders, uint32_t payload)
{
    return (PREAMBLE_BYTES + RoceFrameBytes(extendedHeaders, payload)) * 80 + CABLE.ps;
}

/** The time during which an acknowledgement keeps the wire busy. */
uint64_t
AckSlotPs()
{
    return (PREAMBLE_BYTES + RoceFrameBytes(AETH_BYTES, 0) + GAP_BYTES) * 80;
}

std::string
ToUs(double ps)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(6) << ps / 1e6;
    return text.str();
}

// The answer of a ping-pong waits behind the acknowledgement of what it answers.
TEST(ApplicationRunner, WriteLatencyOfAnIdealPairIsItsFraming)
{
    Scenario scenario = MakePair();
    AddPerftest(scenario, {{"Verb", "write"}, {"Sizes", "2B"}, {"Iterations", "10"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("perftest.csv", 1, "t_typical_us"),
              ToUs(static_cast<double>(AckSlotPs() + FramePs(RETH_BYTES, 2))));
}

TEST(ApplicationRunner, SendLatencyOfAnIdealPairIsItsFraming)
{
    Scenario scenario = MakePair();
    AddPerftest(scenario, {{"Verb", "send"}, {"Sizes", "2B"}, {"Iterations", "10"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("perftest.csv", 1, "t_typical_us"),
              ToUs(static_cast<double>(AckSlotPs() + FramePs(0, 2))));
}

TEST(ApplicationRunner, ReadLatencyOfAnIdealPairIsRequestAndResponse)
{
    Scenario scenario = MakePair();
    AddPerftest(scenario, {{"Verb", "read"}, {"Sizes", "2B"}, {"Iterations", "10"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("perftest.csv", 1, "t_typical_us"),
              ToUs(static_cast<double>(FramePs(RETH_BYTES, 0) + FramePs(AETH_BYTES, 2))));
}

TEST(ApplicationRunner, AtomicLatencyOfAnIdealPairIsRequestAndResponse)
{
    Scenario scenario = MakePair();
    AddPerftest(scenario, {{"Verb", "fetch-add"}, {"Iterations", "10"}});
    AddPerftest(scenario, {{"Verb", "compare-swap"}, {"Iterations", "10"}, {"Start", "1ms"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    // AtomicETH 28 B; AETH 4 B and AtomicAckETH 8 B (IBTA Vol 1 Rel 1.7 section 9.3).
    const double expected = static_cast<double>(FramePs(28, 0) + FramePs(AETH_BYTES + 8, 0));
    EXPECT_EQ(run.Cell("perftest.csv", 1, "t_typical_us"), ToUs(expected));
    EXPECT_EQ(run.Cell("perftest.csv", 2, "t_typical_us"), ToUs(expected));
}

// 64 KiB are 64 packets of 1024 B: 63 of 1106 B on the wire and the first, with RETH, of 1122 B.
TEST(ApplicationRunner, WriteBandwidthOfAnIdealPairIsTheFramingLimit)
{
    Scenario scenario = MakePair();
    AddPerftest(scenario, {{"Verb", "write"}, {"Test", "bw"}, {"Iterations", "1000"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    constexpr double LIMIT = 100.0 * 65536 / (64 * 1106 + 16);
    // The last message's way there and its acknowledgement's back are in the window: 2 us in 5 ms.
    EXPECT_NEAR(std::stod(run.Cell("perftest.csv", 1, "bw_average_Gbps")), LIMIT, LIMIT * 0.0005);
}

TEST(ApplicationRunner, FlowsAndApplicationsRunSideBySide)
{
    Scenario scenario = MakePair();
    scenario.flows.push_back(MakeFlow(0, 1, 100'000));
    AddPerftest(scenario, {{"Iterations", "10"}, {"Tag", "mine"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("perftest.csv", 1, "tag"), "mine");
    EXPECT_THAT(run.Out(), HasSubstr("1 of 1 finished"));
    EXPECT_THAT(run.Out(), HasSubstr("1 of 1 applications done"));
    EXPECT_EQ(run.Lines("flows.csv").size(), 2U);
}

TEST(ApplicationRunner, CostsDelayEveryVerb)
{
    std::map<std::string, double> typical;
    for (const std::string profile : {"ideal", "generic-100g"})
    {
        for (const std::string verb : {"write", "send", "read", "fetch-add"})
        {
            Scenario scenario = MakePair();
            scenario.nic.Set("Profile", StringValue{profile});
            AddPerftest(scenario, {{"Verb", verb}, {"Iterations", "10"}});
            const RunInFolder run{scenario};
            EXPECT_EQ(run.ExitCode(), 0) << run.Err();
            typical[profile + verb] = std::stod(run.Cell("perftest.csv", 1, "t_typical_us"));
        }
    }
    // Posting, doorbell, both passes, the write to memory and the poll are 0.69 us one way.
    EXPECT_GT(typical["generic-100gwrite"], typical["idealwrite"] + 0.6);
    EXPECT_GT(typical["generic-100gsend"], typical["generic-100gwrite"]);
    EXPECT_GT(typical["generic-100gread"], typical["idealread"] + 1.2);
    EXPECT_GT(typical["generic-100gfetch-add"], typical["idealfetch-add"] + 1.2);
}

TEST(ApplicationRunner, AFailureIsNamedAndFailsTheRun)
{
    Scenario scenario = MakePair();
    scenario.topology.links[0].lossRate = 1.0;
    AddPerftest(scenario, {{"Verb", "send"}, {"Test", "bw"}, {"Sizes", "2B"}});
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(),
                HasSubstr("error: application perftest (workload.0): 2B messages: "
                          "RETRY_EXC_ERR"));
}

} // namespace

} // namespace ns3::rdma
