// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "switch/shared-buffer.h"
#include "tests/support/test-scenario.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

/** Largest frame of path MTU 4120: 62 + 16 + 4120. RoCEv2 sizes are 2 above a multiple of 4. */
constexpr uint32_t LARGEST = 4198;

/** Response 394 x 64, cable 2 x 12 500, two largest frames, PAUSE 84: as the formula has it. */
constexpr uint64_t HEADROOM = 25'216 + 25'000 + 2 * LARGEST + 84;

/**
 * The worst case for a headroom, set up on purpose.
 *
 * h1 sends largest frames back to back (messages of one packet, so that each carries a RETH) to h2,
 * whose link is paused: all of it stays in the switch. A fixed threshold of ten frames triggers the
 * PAUSE to h1, and the frame that does is charged to the pool. h0 saturates the reverse direction:
 * its frame towards h1 has been on the wire for less than a twentieth of its time when the PAUSE is
 * to be sent, so the PAUSE waits a whole frame.
 *
 * After the trigger, in bytes of 80 ps: the PAUSE starts at about 4202, is received 72 bytes and
 * 12 500 of cable later, and h1 starts its last frame up to 25 216 after that. Frame k reaches the
 * switch at 4218 k and was started 12 500 + 4206 before: k is at most
 * (4202 + 72 + 12 500 + 25 216 + 12 500 + 4206) / 4218 = 13.9. So 13 frames, 54 574 bytes, must be
 * taken: they fit into 58 696, but not into one largest frame less, 54 498.
 */
Scenario
MakeWorstCase(uint64_t headroom)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.transport.Set("PathMtu", UintegerValue(4120));
    scenario.transport.Set("Ack", StringValue("last"));
    scenario.buffer.Set("Xoff", ByteCountValue(ByteCount{10 * LARGEST}));
    scenario.buffer.Set("Headroom", ByteCountValue(ByteCount{headroom}));
    scenario.flows = {MakeFlow(0, 1, 2'000'000, 10 * US)};
    for (int packet = 0; packet < 300; ++packet)
    {
        scenario.flows.push_back(MakeFlow(1, 2, 4120, 10 * US));
    }
    return scenario;
}

/** Runs the worst case while h2's link is paused. */
void
RunWorstCase(TestRun& run)
{
    run.GetFabric().GetInterfaces()[2]->GetPort().SendPfc(PriorityBit(3), 65535, {});
    run.RunUntil(100 * US);
    EXPECT_EQ(run.FindLink("s", "h2").port->GetCounters().frames, 0U) << "the link is paused";
    EXPECT_EQ(run.FindLink("s", "h1").port->GetCounters().pauseFramesSent, 1U);
    EXPECT_EQ(run.FindLink("s", "h0").port->GetCounters().pauseFramesSent, 0U);
}

TEST(Lossless, HeadroomOfTheFormulaHoldsTheWorstCase)
{
    TestRun run{MakeWorstCase(HEADROOM)};
    EXPECT_THAT(run.GetFabric().GetWarnings(), IsEmpty());
    RunWorstCase(run);
    EXPECT_EQ(run.CountDropped(), 0U);
    // Ten frames up to the threshold and thirteen behind the pause.
    EXPECT_EQ(run.FindLink("h1", "s").port->GetCounters().frames, 23U);
}

TEST(Lossless, ComputedHeadroomIsTheFormulas)
{
    TestRun run{MakeWorstCase(0)};
    EXPECT_THAT(run.GetFabric().GetWarnings(), IsEmpty());
    RunWorstCase(run);
    EXPECT_EQ(run.CountDropped(), 0U);
}

TEST(Lossless, OneLargestFrameLessDropsAndIsWarnedOf)
{
    TestRun run{MakeWorstCase(HEADROOM - LARGEST)};
    EXPECT_THAT(run.GetFabric().GetWarnings(),
                Contains(HasSubstr("headroom too small at s/1 to h1")));
    RunWorstCase(run);
    EXPECT_EQ(run.CountDropped(DropReason::HEADROOM_FULL), 1U);
}

// As worded in sonic-net/sonic-mgmt issue 6223: 25 216 + 25 000 + 2 x 4200 + 84 = 58 700 bytes hold
// the worst case, and one largest frame of 4200 less does not: 54 574 bytes arrive.
TEST(Lossless, HeadroomAsWordedHoldsTheWorstCase)
{
    {
        TestRun run{MakeWorstCase(58'700)};
        EXPECT_THAT(run.GetFabric().GetWarnings(), IsEmpty());
        RunWorstCase(run);
        EXPECT_EQ(run.CountDropped(), 0U);
    }
    TestRun less{MakeWorstCase(58'700 - 4200)};
    RunWorstCase(less);
    EXPECT_GE(less.CountDropped(DropReason::HEADROOM_FULL), 1U);
}

/** A speed and how long its ports may take to stop. */
struct ResponseRow
{
    uint64_t gbps;
    uint32_t quanta;
};

class LosslessAtRate : public testing::TestWithParam<ResponseRow>
{
};

// The same at each speed of the table (sonic-net/sonic-mgmt issue 6223): the computed headroom is
// response + cable + two largest frames + PAUSE, and nothing is dropped behind the PAUSE.
TEST_P(LosslessAtRate, ComputedHeadroomHoldsTheWorstCase)
{
    const auto [gbps, quanta] = GetParam();
    Scenario scenario = MakeWorstCase(0);
    for (TopologyLink& link : scenario.topology.links)
    {
        link.rate = BitRate::Gbps(gbps);
    }
    TestRun run{scenario};
    const auto* buffer =
        dynamic_cast<const SharedBuffer*>(&run.GetFabric().GetSwitches()[0]->GetBuffer());
    // 1 us of 1 Gb/s are 125 bytes.
    EXPECT_EQ(buffer->GetHeadroom(1).value, quanta * 64 + 2 * 125 * gbps + 2 * LARGEST + 84);
    EXPECT_THAT(run.GetFabric().GetWarnings(), IsEmpty());
    run.GetFabric().GetInterfaces()[2]->GetPort().SendPfc(PriorityBit(3), 65535, {});
    run.RunUntil(80 * US);
    EXPECT_GE(run.FindLink("s", "h1").port->GetCounters().pauseFramesSent, 1U);
    EXPECT_EQ(run.CountDropped(), 0U);
}

INSTANTIATE_TEST_SUITE_P(ResponseTable,
                         LosslessAtRate,
                         testing::Values(ResponseRow{10, 67},
                                         ResponseRow{25, 80},
                                         ResponseRow{40, 118},
                                         ResponseRow{50, 147},
                                         ResponseRow{100, 394},
                                         ResponseRow{200, 453},
                                         ResponseRow{400, 905}),
                         [](const auto& info) { return std::to_string(info.param.gbps) + "G"; });

// Small packets in cells of 208 bytes: messages of 4 bytes make frames of 82 bytes, 102 on the
// wire, a cell each. Behind the PAUSE, which waits a largest frame, arrive up to (4218 + 84 + 25
// 000
// + 25 216) / 102 = 534 of them: 111 072 bytes of cells. Counted in bytes the headroom is 58 696,
// which is too little; computed for cells it is enough.
TEST(Lossless, SmallPacketsNeedTheHeadroomOfCells)
{
    for (const bool isComputed : {true, false})
    {
        Scenario scenario = MakeWorstCase(isComputed ? 0 : HEADROOM);
        scenario.buffer.Set("Cell", StringValue("208B"));
        scenario.flows = {scenario.flows.front()};
        for (int packet = 0; packet < 3000; ++packet)
        {
            scenario.flows.push_back(MakeFlow(1, 2, 4, 10 * US));
        }
        TestRun run{scenario};
        EXPECT_EQ(run.GetFabric().GetWarnings().empty(), isComputed);
        run.GetFabric().GetInterfaces()[2]->GetPort().SendPfc(PriorityBit(3), 65535, {});
        run.RunUntil(100 * US);
        EXPECT_EQ(run.CountDropped(DropReason::HEADROOM_FULL) == 0, isComputed);
    }
}

// ------------------------------------------------------------------ big incasts

/** 1000 flows of 50 000 bytes (100 Gb/s x 4 us) into h0 from all other hosts; buffers of 8 MB. */
void
AddIncast(Scenario& scenario, uint32_t hosts)
{
    for (uint32_t flow = 0; flow < 1000; ++flow)
    {
        scenario.flows.push_back(MakeFlow(1 + flow % (hosts - 1), 0, 50'000));
    }
    scenario.buffer.Set("Size", ByteCountValue(ByteCount{8'000'000}));
}

// 144 hosts at nine leaves: 16 ports to hosts and 4 to spines need 20 x 52 504 bytes of headroom
// (25 216 + 25 000 + 2 x 1102 + 84), which 8 MB have. Nothing may be dropped.
TEST(Lossless, IncastOf144HostsDropsNothing)
{
    Scenario scenario = MakeTestScenario(
        GenerateTopology("ns3::rdma::LeafSpineTopology",
                         {{"Leaves", "9"}, {"Spines", "4"}, {"HostsPerLeaf", "16"}}));
    AddIncast(scenario, 144);
    TestRun run{scenario};
    EXPECT_THAT(run.GetFabric().GetWarnings(), IsEmpty());
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 1000U);
    EXPECT_EQ(run.CountDropped(DropReason::HEADROOM_FULL), 0U);
    EXPECT_EQ(run.CountDropped(DropReason::OUT_OF_SEQUENCE), 0U);
    EXPECT_EQ(run.CountDropped(DropReason::DUPLICATE), 0U);
    EXPECT_EQ(run.CountDropped(DropReason::BUFFER_FULL), 0U);
    EXPECT_EQ(run.CountDropped(), 0U);
    EXPECT_GT(run.CountPauses(), 0U);
    run.ExpectInvariants();
}

// At one switch 144 x 52 504 bytes are 7.6 MB: more than half of 8 MB. The run says so before it
// starts, whether it then drops or not.
TEST(Lossless, SwitchWithoutRoomForHeadroomSaysSo)
{
    Scenario scenario = MakeTestScenario(MakeStar(144, G100, US));
    AddIncast(scenario, 144);
    TestRun run{scenario};
    EXPECT_THAT(run.GetFabric().GetWarnings(),
                Contains(AllOf(HasSubstr("headroom pool too small"), HasSubstr("s/0"))));
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 1000U);
    run.ExpectInvariants();
}

// 255 flows of 64 KiB into one host, each 64 packets of 1106 wire bytes and a RETH of 16. The
// receiver's link is never idle once it has begun: first packet at the switch after
// (8 + 1102) x 80 ps + 1 us, then all of it less the last gap, then the cable.
TEST(Lossless, Incast255To1)
{
    Scenario scenario = MakeTestScenario(MakeStar(256, G100, US));
    for (uint32_t host = 1; host < 256; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 0, 64 * 1024));
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 255U);
    EXPECT_EQ(run.CountDropped(), 0U);
    run.ExpectInvariants();
    SimTime last{};
    for (uint32_t flow = 0; flow < 255; ++flow)
    {
        last = std::max(last, run.GetRecord(flow).delivered);
    }
    const uint64_t wire = 255 * (64 * 1106 + 16);
    EXPECT_EQ(last.ps, 1'088'800 + (wire - 12) * 80 + 1'000'000);
}

// ------------------------------------------------------------------------- PFC

// Two senders, one receiver, a threshold of 20 KB: that is all it takes to see PFC.
TEST(Lossless, TinyScenarioProvokesPfc)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.buffer.Set("Xoff", StringValue("20KB"));
    scenario.flows = {MakeFlow(0, 2, 1'000'000), MakeFlow(1, 2, 1'000'000)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountDropped(), 0U);
    const SimTime now = run.GetFabric().GetEvents().Now();
    for (const std::string host : {"h0", "h1"})
    {
        const EthernetPort& port = *run.FindLink(host, "s").port;
        EXPECT_GT(port.GetCounters().pauseFramesReceived, 0U) << host;
        EXPECT_GT(port.GetPausedTime(3, now), SimTime{}) << host;
        EXPECT_EQ(port.GetPausedTime(4, now), SimTime{}) << host;
    }
    EXPECT_EQ(run.FindLink("h2", "s").port->GetCounters().pauseFramesReceived, 0U);
}

// On a priority that is not lossless: never a pause, but drops, which go-back-N repairs.
TEST(Lossless, LossyClassNeverPauses)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.buffer.Set("Size", ByteCountValue(ByteCount{300'000}));
    scenario.flows = {MakeFlow(0, 2, 1'000'000), MakeFlow(1, 2, 1'000'000)};
    for (Flow& flow : scenario.flows)
    {
        flow.priority = 1;
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountPauses(), 0U);
    EXPECT_GT(run.CountDropped(DropReason::EGRESS_THRESHOLD) +
                  run.CountDropped(DropReason::BUFFER_FULL),
              0U);
    EXPECT_EQ(run.CountFinished(), 2U);
    run.ExpectInvariants();
}

// A PAUSE of 1000 quanta lasts 5.12 us and must be repeated while the queue stays: h2's link is
// paused for 335 us, and once h0 has stopped it must not send again. A repetition each 2.56 us
// makes 78 in 200 us.
TEST(Lossless, PauseIsRepeatedBeforeItEnds)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.buffer.Set("Xoff", StringValue("20KB"));
    scenario.pfc.Set("PauseQuanta", UintegerValue(1000));
    scenario.flows = {MakeFlow(0, 2, 1'000'000, 10 * US)};
    TestRun run{scenario};
    run.GetFabric().GetInterfaces()[2]->GetPort().SendPfc(PriorityBit(3), 65535, {});
    run.RunUntil(100 * US);
    const uint64_t sent = run.FindLink("h0", "s").port->GetCounters().frames;
    const uint64_t pauses = run.FindLink("s", "h0").port->GetCounters().pauseFramesSent;
    run.RunUntil(300 * US);
    EXPECT_EQ(run.FindLink("h0", "s").port->GetCounters().frames, sent);
    EXPECT_NEAR(
        static_cast<double>(run.FindLink("s", "h0").port->GetCounters().pauseFramesSent - pauses),
        200.0 / 2.56,
        1.0);
    EXPECT_EQ(run.CountDropped(), 0U);
}

} // namespace
} // namespace ns3::rdma
