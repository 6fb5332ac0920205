// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

class ThroughputByRate : public testing::TestWithParam<uint64_t>
{
};

// 40 MB from host to host: more than 97 % of (1024 / 1106) x rate, the payload's share of a full
// packet on the wire, however fast the link is. At 1.6 Tb/s they take 216 us; the two cables of
// 100 ns and a packet stored add 0.2 us.
TEST_P(ThroughputByRate, SingleFlowFillsTheLink)
{
    const BitRate rate = BitRate::Gbps(GetParam());
    Scenario scenario = MakeTestScenario(MakeStar(2, rate, SimTime::Nanoseconds(100)));
    scenario.flows = {MakeFlow(0, 1, 40'000'000)};
    TestRun run{scenario};
    run.RunToEnd();
    const double bound = static_cast<double>(rate.bps) * 1024.0 / 1106.0;
    const double measured = 40e6 * 8 / run.GetRecord(0).delivered.ToSeconds();
    EXPECT_GT(measured, 0.97 * bound);
    EXPECT_LE(measured, bound);
}

INSTANTIATE_TEST_SUITE_P(Rates,
                         ThroughputByRate,
                         testing::Values(100, 400, 800, 1600),
                         [](const auto& info) { return std::to_string(info.param) + "G"; });

// Two flows of 10 MB from two hosts share the one cable between the switches: each gets half, so
// each takes twice its time alone, to 1 %.
TEST(Throughput, TwoFlowsOnOneLinkTakeTwiceAsLong)
{
    Scenario scenario = MakeTestScenario(MakeTwoSwitches({.leftHosts = 2, .rightHosts = 2}));
    scenario.flows = {MakeFlow(0, 2, 10'000'000), MakeFlow(1, 3, 10'000'000)};
    TestRun run{scenario};
    run.RunToEnd();
    for (uint32_t flow = 0; flow < 2; ++flow)
    {
        const double alone = run.GetRunner().GetIdeals(flow).delivered.ToSeconds();
        EXPECT_NEAR(run.GetRecord(flow).delivered.ToSeconds() / alone, 2.0, 0.02) << flow;
    }
    EXPECT_EQ(run.CountDropped(), 0U);
}

// A host with two cables to the switch sends two flows as fast as one: each takes its own.
TEST(Throughput, TwoInterfacesSendTwiceAsMuch)
{
    Topology topology = MakeStar(3, G100, US);
    topology.links.push_back(topology.links.front());
    Scenario scenario = MakeTestScenario(topology);
    scenario.flows = {MakeFlow(0, 1, 1 << 20), MakeFlow(0, 2, 1 << 20)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetFabric().GetInterfaces().size(), 4U);
    EXPECT_NE(run.GetRecord(0).interfaces.source, run.GetRecord(1).interfaces.source);
    // The lone flow's time; see the RNIC's test.
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 92'692'640U);
    EXPECT_EQ(run.GetRecord(1).delivered.ps, 92'692'640U);
}

// 10 Mb/s, 800 000 ps a byte, two cables without length. 100 000 bytes are 97 packets of 1024 and
// one of 672: first packet 1122, 96 middle ones 1106, the last 8 + 62 + 672 = 742, and the first
// stored once more, 1110 bytes: (1110 + 1122 + 96 x 1106 + 742) x 800 ns.
TEST(Throughput, TenMegabitLink)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, BitRate::Mbps(10), {}));
    scenario.flows = {MakeFlow(0, 1, 100'000)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, (uint64_t{1110} + 1122 + 96 * 1106 + 742) * 800'000);
    EXPECT_EQ(run.GetRecord(0).acked.ps, run.GetRunner().GetIdeals(0).acked.ps);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsRetransmitted, 0U);
}

// Two cables of 100 ms. With a timer that is longer than the round trip of 400 ms (code 18: 1.07 s)
// a lone flow takes its ideal time.
TEST(Throughput, HundredMillisecondCable)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, SimTime::Milliseconds(100)));
    scenario.transport.Set("Timeout", UintegerValue(18));
    scenario.flows = {MakeFlow(0, 1, 1 << 20)};
    TestRun run{scenario};
    run.RunToEnd();
    // 92 692 640 ps over two cables of 1 us, and 2 x (100 ms - 1 us) more.
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 92'692'640U + 2 * 99'999'000'000);
    EXPECT_EQ(run.GetRecord(0).acked.ps, run.GetRunner().GetIdeals(0).acked.ps);
}

// With the default timer of 67.1 ms the sender repeats what is still on its way: five periods pass
// in the round trip of 400 ms. The receiver takes each packet once, and the flow ends well.
TEST(Throughput, TimerShorterThanTheCableOnlyRepeats)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, SimTime::Milliseconds(100)));
    scenario.flows = {MakeFlow(0, 1, 100'000)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_TRUE(run.GetRecord(0).IsFinished());
    EXPECT_EQ(run.GetRecord(0).deliveredBytes, 100'000U);
    EXPECT_EQ(run.GetRecord(0).delivered.ps, run.GetRunner().GetIdeals(0).delivered.ps);
    EXPECT_EQ(run.GetRecord(0).acked.ps, run.GetRunner().GetIdeals(0).acked.ps);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).timeouts, 5U);
    // 98 packets, sent once and then once after each timeout.
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsSent, 6U * 98);
}

// 5 GiB, 5 368 709 120 bytes, become messages of 2, 2 and 1 GiB; all bytes are counted. Back to
// back at 1.6 Tb/s (5 ps a byte) with MTU 4096: 1 310 720 packets of 4096 + 62 + 20 = 4178 wire
// bytes and three RETHs of 16; the last gap of 12 bytes does not count.
TEST(Throughput, FlowOf5GibibytesIsCountedInFull)
{
    Scenario scenario = MakeTestScenario(MakePath({{BitRate::Gbps(1600), {}}}));
    scenario.transport.Set("PathMtu", UintegerValue(4096));
    scenario.transport.Set("Ack", StringValue("every-64-packets"));
    scenario.flows = {MakeFlow(0, 1, uint64_t{5} << 30)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).deliveredBytes, 5'368'709'120U);
    EXPECT_EQ(run.GetRecord(0).ackedBytes, 5'368'709'120U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsSent, 1'310'720U);
    EXPECT_EQ(run.GetRecord(0).delivered.ps, (uint64_t{1'310'720} * 4178 + 3 * 16 - 12) * 5);
}

// Peers count queue pairs in 16 bits. One packet each, one flow after another, 50 ns apart; each
// takes 62 + 16 + 100 = 178 bytes, 186 with preamble, at 80 ps.
TEST(Throughput, ManyFlowsBetweenOnePairAllFinish)
{
    constexpr uint32_t FLOWS = 65'600;
    Scenario scenario = MakeTestScenario(MakePath({{G100, {}}}));
    for (uint32_t flow = 0; flow < FLOWS; ++flow)
    {
        scenario.flows.push_back(MakeFlow(0, 1, 100, SimTime::Nanoseconds(50) * flow));
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), FLOWS);
    EXPECT_EQ(run.GetRecord(FLOWS - 1).delivered.ps, uint64_t{50'000} * (FLOWS - 1) + 186 * 80);
}

} // namespace
} // namespace ns3::rdma
