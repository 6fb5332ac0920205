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

/** From the start of a full packet (8 + 1086 bytes of 80 ps) over two cables of 1 us. */
constexpr uint64_t PASS = 2 * (1094 * 80 + 1'000'000);

// A WRITE of 1 MiB at MTU 1024 over two cables of 100 Gb/s and 1 us. On the wire a packet has
// 20 bytes of preamble and gap besides its 1086 (first: 1102); a byte lasts 80 ps.
//   first packet at the switch:      (8 + 1102) x 80 ps + 1 us            =  1 088 800 ps
//   second cable, first packet:      1122 x 80 ps                         =     89 760 ps
//   1022 middle packets:             1022 x 1106 x 80 ps                  = 90 426 560 ps
//   last packet without its gap:     (8 + 1086) x 80 ps + 1 us            =  1 087 520 ps
TEST(Rnic, LoneWriteTakesItsIdealTime)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.flows = {MakeFlow(0, 1, 1 << 20)};
    TestRun run{scenario};
    run.RunToEnd();

    EXPECT_EQ(run.GetRecord(0).delivered.ps, 92'692'640U);
    const FlowIdeals ideals = run.GetRunner().GetIdeals(0);
    EXPECT_EQ(ideals.delivered, run.GetRecord(0).delivered);
    EXPECT_EQ(ideals.acked, run.GetRecord(0).acked);
}

// ------------------------------------------------------------------- scheduling

// Eight flows of 100 packets from one host to eight. The first packet of flow 0 goes while the
// others are being posted; then they take turns, 0 to 7. So flow 0 sends its last packet as number
// 1 + 98 x 8, flow i as number 1 + 99 x 8 + i - 1. Of the packets before it, eight are first ones
// with 16 bytes more; each is at the receiver PASS after its start.
TEST(Rnic, QueuePairsTakeTurns)
{
    Scenario scenario = MakeTestScenario(MakeStar(9, G100, US));
    for (uint32_t host = 1; host < 9; ++host)
    {
        scenario.flows.push_back(MakeFlow(0, host, 100 * 1024));
    }
    TestRun run{scenario};
    run.RunToEnd();
    for (uint64_t flow = 0; flow < 8; ++flow)
    {
        const uint64_t number = flow == 0 ? 1 + 98 * 8 : 1 + 99 * 8 + flow - 1;
        EXPECT_EQ(run.GetRecord(static_cast<uint32_t>(flow)).delivered.ps,
                  (number * 1106 + 8 * 16) * 80 + PASS)
            << flow;
    }
}

// A flow of a higher priority that starts in the middle has the link to itself; the lower one ends
// when both have passed.
TEST(Rnic, HigherPriorityGoesFirst)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.flows = {MakeFlow(0, 1, 1 << 20), MakeFlow(0, 1, 100 * 1024, 20 * US)};
    scenario.flows[1].priority = 5;
    TestRun run{scenario};
    run.RunToEnd();
    // It waits for the frame on the wire at most.
    const SimTime ideal = 20 * US + run.GetRunner().GetIdeals(1).delivered;
    EXPECT_GE(run.GetRecord(1).delivered, ideal);
    EXPECT_LE(run.GetRecord(1).delivered, ideal + SimTime{1106 * 80});
    // 100 packets and a RETH of the other lie between its own.
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 92'692'640U + (100 * 1106 + 16) * 80);
}

// --------------------------------------------------------------- pace and window

// Ten packets at 10 Gb/s, 800 ps a byte of the wire: the last starts after one of 1122 and eight of
// 1106 bytes at that pace.
TEST(Rnic, FlowOfAFixedRateIsPacedExactly)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.flows = {MakeFlow(0, 1, 10 * 1024)};
    scenario.flows[0].rate = BitRate::Gbps(10);
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, (1122U + 8 * 1106) * 800 + PASS);
}

TEST(Rnic, FixedRateControlPacesAllFlowsAlike)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::FixedRate");
    scenario.congestion.Set("Rate", StringValue("25Gbps"));
    scenario.flows = {MakeFlow(0, 1, 10 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, (1122U + 8 * 1106) * 320 + PASS);
}

// Two paced flows of 40 Gb/s fit beside each other: neither is late by more than a frame.
TEST(Rnic, PacedFlowsDoNotHinderEachOther)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.flows = {MakeFlow(0, 1, 100 * 1024), MakeFlow(0, 2, 100 * 1024)};
    for (Flow& flow : scenario.flows)
    {
        flow.rate = BitRate::Gbps(40);
    }
    TestRun run{scenario};
    run.RunToEnd();
    const uint64_t alone = (1122U + 98 * 1106) * 200 + PASS;
    for (uint32_t flow = 0; flow < 2; ++flow)
    {
        EXPECT_GE(run.GetRecord(flow).delivered.ps, alone);
        // @choice of the model: a pace is kept from the last start, so each delay adds up.
        EXPECT_LE(run.GetRecord(flow).delivered.ps, alone + 1122 * 80 * 2);
    }
}

TEST(Rnic, RateAboveTheLineIsTheLine)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.flows = {MakeFlow(0, 1, 1 << 20)};
    scenario.flows[0].rate = BitRate::Gbps(400);
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 92'692'640U);
}

// A window of ten packets is less than what the round trip holds: in each round trip ten packets
// go. Round trip: data 2 x (1094 x 80 + 1 us), acknowledgement of 66 bytes 2 x (74 x 80 + 1 us).
// 1000 packets need 99 round trips until the last ten start, and those take 9 x 1106 x 80 + PASS.
TEST(Rnic, WindowLimitsThroughputToWindowPerRoundTrip)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.transport.Set("Window", StringValue("10240B"));
    scenario.flows = {MakeFlow(0, 1, 1000 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    constexpr uint64_t ROUND_TRIP = PASS + 2 * (74 * 80 + 1'000'000);
    const uint64_t expected = 99 * ROUND_TRIP + 9 * 1106 * 80 + PASS;
    // The 16 bytes of the first packet delay by at most their time on three transmitters.
    EXPECT_GE(run.GetRecord(0).delivered.ps, expected);
    EXPECT_LE(run.GetRecord(0).delivered.ps, expected + 3 * 16 * 80);
}

// A window smaller than a packet lets one packet go at a time, with whatever acknowledgement
// policy.
TEST(Rnic, WindowSmallerThanAPacketStillSends)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.transport.Set("Window", StringValue("1B"));
    scenario.transport.Set("Ack", StringValue("last"));
    scenario.flows = {MakeFlow(0, 1, 20 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_TRUE(run.GetRecord(0).IsFinished());
    EXPECT_EQ(run.GetRunner().GetStatistics(0).timeouts, 0U);
    EXPECT_GE(run.GetRecord(0).delivered.ps, 19 * (PASS + 2 * (74 * 80 + 1'000'000)));
}

// ------------------------------------------------------------------------- losses

// Loss of one frame in a thousand on each cable: go-back-N repairs it, and each byte is delivered
// once. Of 2 x 4096 packets over two cables about 16 are lost, and some acknowledgements.
TEST(Rnic, GoBackNRepairsALossyLink)
{
    Topology topology = MakeStar(3, G100, US);
    for (TopologyLink& link : topology.links)
    {
        link.lossRate = 1e-3;
    }
    Scenario scenario = MakeTestScenario(topology);
    scenario.flows = {MakeFlow(0, 2, 4 << 20), MakeFlow(1, 2, 4 << 20)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 2U);
    EXPECT_GT(run.CountDropped(DropReason::LINK_ERROR), 4U);
    EXPECT_GT(run.CountDropped(DropReason::OUT_OF_SEQUENCE), 0U);
    for (uint32_t flow = 0; flow < 2; ++flow)
    {
        const QueuePairStatistics counters = run.GetRunner().GetStatistics(flow);
        EXPECT_EQ(run.GetRecord(flow).deliveredBytes, uint64_t{4} << 20);
        EXPECT_GT(counters.packetsRetransmitted, 0U);
        EXPECT_EQ(counters.packetsSent, 4096 + counters.packetsRetransmitted);
        EXPECT_GT(counters.naksReceived, 0U);
    }
    run.ExpectInvariants();
}

// A cable that loses everything: the first packet is sent 8 times (once and 7 retries), 67.1 ms
// apart, and the request fails 8 x 4.096 us x 2^14 after the start. A flow beside it notices
// nothing.
TEST(Rnic, RetriesAreExceededAfterEightTransmissions)
{
    Topology topology = MakeStar(4, G100, US);
    topology.links[1].lossRate = 1.0;
    Scenario scenario = MakeTestScenario(topology);
    scenario.flows = {MakeFlow(0, 1, 1000), MakeFlow(2, 3, 1 << 20)};
    TestRun run{scenario};
    run.RunToEnd();
    const FlowRecord& failed = run.GetRecord(0);
    EXPECT_EQ(failed.status, CompletionStatus::RETRY_EXC_ERR);
    EXPECT_FALSE(failed.IsFinished());
    EXPECT_EQ(failed.deliveredBytes, 0U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsSent, 8U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).timeouts, 8U);
    EXPECT_EQ(run.GetFabric().GetEvents().Now().ps, 8 * (uint64_t{4'096'000} << 14));
    EXPECT_EQ(run.CountDropped(DropReason::LINK_ERROR), 8U);
    EXPECT_EQ(run.GetRecord(1).delivered.ps, 92'692'640U);
    EXPECT_EQ(run.GetRunner().GetStatistics(1).packetsRetransmitted, 0U);
}

// Of a longer message all packets go each time, until the window of sending stops: the first of
// them 8 times.
TEST(Rnic, RetriesOfALongMessageRepeatAllOfIt)
{
    Topology topology = MakeStar(2, G100, US);
    topology.links[1].lossRate = 1.0;
    Scenario scenario = MakeTestScenario(topology);
    scenario.transport.Set("RetryCount", UintegerValue(2));
    scenario.flows = {MakeFlow(0, 1, 10 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).status, CompletionStatus::RETRY_EXC_ERR);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsSent, 30U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsRetransmitted, 20U);
}

// ------------------------------------------------------------------------- pauses

class RnicPause : public testing::TestWithParam<uint32_t>
{
};

// A pause of each priority, and its end, with 0, 1 and 2 queue pairs of it: those wait, and all
// others send on.
TEST_P(RnicPause, OfEachPriority)
{
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        SCOPED_TRACE(int{priority});
        Scenario scenario = MakeTestScenario(MakePath({{G100, US}}));
        scenario.pfc.Set("LosslessPriorities", StringValue("0 1 2 3 4 5 6 7"));
        scenario.flows.assign(GetParam() + 1, MakeFlow(0, 1, 10'000, 10 * US));
        for (uint32_t flow = 0; flow < GetParam(); ++flow)
        {
            scenario.flows[flow].priority = priority;
        }
        scenario.flows.back().priority = (priority + 1) % PRIORITY_COUNT;
        TestRun run{scenario};
        EthernetPort& peer = run.GetFabric().GetInterfaces()[1]->GetPort();
        peer.SendPfc(PriorityBit(priority), 65535, {});
        run.RunUntil(50 * US);
        for (uint32_t flow = 0; flow < GetParam(); ++flow)
        {
            EXPECT_EQ(run.GetRunner().GetStatistics(flow).packetsSent, 0U);
        }
        EXPECT_TRUE(run.GetRecord(GetParam()).IsFinished()) << "another priority";
        peer.SendPfc(PriorityBit(priority), 0, 50 * US);
        run.RunUntil(60 * US);
        EXPECT_EQ(run.CountFinished(), GetParam() + 1);
    }
}

INSTANTIATE_TEST_SUITE_P(QueuePairs, RnicPause, testing::Values(0, 1, 2));

} // namespace
} // namespace ns3::rdma
