// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"
#include "trace/ideal-time.h"

#include "ns3/string.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G25 = BitRate::Gbps(25);
constexpr BitRate G100 = BitRate::Gbps(100);

std::vector<PathHop>
Hops(std::initializer_list<BitRate> rates)
{
    std::vector<PathHop> hops;
    for (const BitRate rate : rates)
    {
        hops.push_back({rate, US});
    }
    return hops;
}

// ------------------------------------------------------------- the formula alone

// One packet of 1 byte: 62 of RoCEv2 + 16 of RETH + 1 + 3 of pad = 82 bytes, 90 with preamble, on
// two cables of 100 Gb/s and 1 us: 2 x (90 x 80 ps + 1 us).
TEST(IdealTime, OneByteOverOneSwitch)
{
    EXPECT_EQ(IdealDeliveredTime({.bytes = 1}, Hops({G100, G100})).ps, 2'014'400U);
}

// A 1 MiB WRITE at MTU 1024 over one switch; see the RNIC's test of the same number.
TEST(IdealTime, MebibyteOverOneSwitch)
{
    EXPECT_EQ(IdealDeliveredTime({.bytes = 1 << 20}, Hops({G100, G100})).ps, 92'692'640U);
}

// Two packets, 1024 + 1 bytes, over 100 and 25 Gb/s (80 and 320 ps a byte): the second waits for
// the first with its gap on the slow cable.
//   first at the switch  (8 + 1102) x 80 + 1 us = 1 088 800
//   first off the cable  + 1122 x 320           = 1 447 840
//   second: 62 + 1 + 3 = 66 bytes; (8 + 66) x 320 + 1 us later
TEST(IdealTime, SlowSecondCableDecides)
{
    EXPECT_EQ(IdealDeliveredTime({.bytes = 1025}, Hops({G100, G25})).ps,
              1'447'840U + 23'680 + 1'000'000);
}

// The same over 25 and 100 Gb/s. The second leaves the host 1122 x 320 = 359 040 later and is at
// the switch (74 x 320 + 1 us) = 1 023 680 after that, at 1 382 720. The first came there at
// (1110 x 320 + 1 us) = 1 355 200 and holds the fast cable for 1122 x 80, until 1 444 960. Then
// 74 x 80 + 1 us.
TEST(IdealTime, SlowFirstCableDecides)
{
    EXPECT_EQ(IdealDeliveredTime({.bytes = 1025}, Hops({G25, G100})).ps, 1'444'960U + 1'005'920);
}

// Each further hop of equal rate adds the cable and the store-and-forward time of the first, larger
// packet, (8 + 1102) x 80 ps: all others follow it without a gap.
TEST(IdealTime, EachHopAddsCableAndFirstPacket)
{
    std::vector<PathHop> hops{{G100, US}};
    SimTime before = IdealDeliveredTime({.bytes = 1 << 20}, hops);
    for (int hop = 0; hop < 5; ++hop)
    {
        hops.push_back({G100, US});
        const SimTime after = IdealDeliveredTime({.bytes = 1 << 20}, hops);
        EXPECT_EQ((after - before).ps, 1'088'800U);
        before = after;
    }
}

// Two messages of 2048 bytes: a second first packet with its RETH. On one cable of 100 Gb/s:
// (1122 + 1106 + 1122) x 80 + 1094 x 80 + 1 us.
TEST(IdealTime, EachMessageHasAFirstPacket)
{
    EXPECT_EQ(IdealDeliveredTime({.bytes = 4096, .maxMessageBytes = 2048}, Hops({G100})).ps,
              3350U * 80 + 1094 * 80 + 1'000'000);
    EXPECT_EQ(FrameTime(66, Hops({G100, G25})).ps, 74U * 80 + 74 * 320 + 2'000'000);
}

// ------------------------------------------------------- a lone flow takes its ideal

struct PathRow
{
    const char* name;
    std::vector<PathHop> hops;
};

class IdealTimeOfPath : public testing::TestWithParam<PathRow>
{
};

// With acknowledgements of the last packet only; those of earlier ones could be in its way.
TEST_P(IdealTimeOfPath, LoneFlowTakesIt)
{
    for (const uint64_t bytes : {1, 1023, 1024, 1025, 1 << 20})
    {
        SCOPED_TRACE(std::to_string(bytes) + " bytes");
        Scenario scenario = MakeTestScenario(MakePath(GetParam().hops));
        scenario.transport.Set("Ack", StringValue("last"));
        scenario.flows = {MakeFlow(0, 1, bytes)};
        TestRun run{scenario};
        run.RunToEnd();
        const FlowIdeals ideals = run.GetRunner().GetIdeals(0);
        EXPECT_EQ(run.GetRecord(0).delivered.ps, ideals.delivered.ps);
        EXPECT_EQ(run.GetRecord(0).acked.ps, ideals.acked.ps);
        EXPECT_EQ(run.CountDropped(), 0U);
        run.ExpectInvariants();
    }
}

// An acknowledgement for every packet delays nothing in the direction of the data, and on cables of
// one rate none waits for another: it is shorter than the packet it answers.
TEST_P(IdealTimeOfPath, AcknowledgementsDoNotDelayData)
{
    for (const uint64_t bytes : {1, 1023, 1024, 1025, 1 << 20})
    {
        SCOPED_TRACE(std::to_string(bytes) + " bytes");
        Scenario scenario = MakeTestScenario(MakePath(GetParam().hops));
        scenario.flows = {MakeFlow(0, 1, bytes)};
        TestRun run{scenario};
        run.RunToEnd();
        const FlowIdeals ideals = run.GetRunner().GetIdeals(0);
        EXPECT_EQ(run.GetRecord(0).delivered.ps, ideals.delivered.ps);
        EXPECT_GE(run.GetRecord(0).acked.ps, ideals.acked.ps);
        // Where the last packet is of 1 byte and comes over 100 Gb/s, its acknowledgement follows
        // that of the first after 86 x 80 ps, and waits 86 x 320 ps for it on 25 Gb/s.
        EXPECT_LE(run.GetRecord(0).acked.ps, ideals.acked.ps + 86 * (320 - 80));
        run.ExpectInvariants();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Paths,
    IdealTimeOfPath,
    testing::Values(PathRow{"BackToBack", Hops({G100})},
                    PathRow{"OneSwitch", Hops({G100, G100})},
                    PathRow{"ThreeSwitches", Hops({G100, G100, G100, G100})},
                    PathRow{"FiveSwitches", Hops({G100, G100, G100, G100, G100, G100})},
                    PathRow{"From100To25", Hops({G100, G25})},
                    PathRow{"From25To100", Hops({G25, G100})},
                    PathRow{"Through25", Hops({G100, G25, G100})},
                    PathRow{"Through100", Hops({G25, G100, G25})},
                    PathRow{"UnequalCables",
                            {{G100, SimTime{}}, {BitRate::Gbps(400), 10 * US}, {G100, US}}}),
    [](const auto& info) { return info.param.name; });

// 1 MiB over one switch and over three differ by exactly two cables and two store-and-forward times
// of the first packet: 2 x (1 us + (8 + 1102) x 80 ps).
TEST(IdealTime, TwoMoreSwitchesCostTwoHops)
{
    SimTime delivered[2];
    for (std::size_t i = 0; i < 2; ++i)
    {
        Scenario scenario = MakeTestScenario(MakePath(std::vector<PathHop>(2 + 2 * i, {G100, US})));
        scenario.flows = {MakeFlow(0, 1, 1 << 20)};
        TestRun run{scenario};
        run.RunToEnd();
        delivered[i] = run.GetRecord(0).delivered;
    }
    EXPECT_EQ((delivered[1] - delivered[0]).ps, 2U * 1'088'800);
}

// ----------------------------------------------------------------- under load

// 16 senders into one, and a permutation with them: no flow beats its ideal, which
// ExpectInvariants checks for each; here also that the load was one.
TEST(IdealTime, NobodyBeatsItUnderLoad)
{
    Scenario scenario = MakeTestScenario(MakeTwoSwitches(
        {.leftHosts = 8, .rightHosts = 9, .trunkRate = BitRate::Gbps(400), .trunks = 2}));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    for (uint32_t host = 0; host < 16; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 16, 100'000 + 1000 * host));
        scenario.flows.push_back(MakeFlow(host, (host + 5) % 16, 1 + 3000 * host));
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 32U);
    run.ExpectInvariants();
    uint64_t slowed = 0;
    for (uint32_t flow = 0; flow < 32; ++flow)
    {
        slowed += run.GetRecord(flow).delivered > run.GetRunner().GetIdeals(flow).delivered;
    }
    EXPECT_GT(slowed, 20U);
}

} // namespace
} // namespace ns3::rdma
