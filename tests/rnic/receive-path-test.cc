// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/receive-path.h"
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

// ----------------------------------------------------------------------- limits

constexpr ReceivePlan PLAN{.rate = BitRate::Gbps(50),
                           .buffer = 262'016,
                           .headroom = 52'504,
                           .lossless = 1,
                           .maxFrameBytes = 1102};

// Two parts of 131 008: one lossless, one lossy. 131 008 - 52 504 = 78 504; less 2 x 1102: 76 300.
TEST(ReceiveLimits, WhatThePlanLeavesOpen)
{
    const auto limits = MakeReceiveLimits(PLAN);
    ASSERT_TRUE(limits);
    EXPECT_EQ(limits->part, 131'008U);
    EXPECT_EQ(limits->xoff, 78'504U);
    EXPECT_EQ(limits->xon, 76'300U);
    EXPECT_EQ(limits->warning, "");
}

TEST(ReceiveLimits, WithoutLosslessPrioritiesTheBufferIsOnePart)
{
    ReceivePlan plan = PLAN;
    plan.lossless = 0;
    EXPECT_EQ(MakeReceiveLimits(plan)->part, 262'016U);
    plan.lossless = 8; // and without lossy ones there are eight
    EXPECT_EQ(MakeReceiveLimits(plan)->part, 32'752U);
}

TEST(ReceiveLimits, WarnsOfALittleHeadroom)
{
    ReceivePlan plan = PLAN;
    plan.buffer = 60'000;
    const auto limits = MakeReceiveLimits(plan);
    ASSERT_TRUE(limits);
    EXPECT_EQ(limits->xoff, 15'000U);
    EXPECT_THAT(limits->warning, testing::HasSubstr("may still arrive after a pause"));
    plan = PLAN;
    plan.xoff = 131'008 - 52'504;
    EXPECT_EQ(MakeReceiveLimits(plan)->warning, "");
    plan.xoff += 1;
    EXPECT_NE(MakeReceiveLimits(plan)->warning, "");
}

TEST(ReceiveLimits, RefusesWhatDoesNotFit)
{
    const auto keyOf = [](const ReceivePlan& plan)
    {
        const auto limits = MakeReceiveLimits(plan);
        return limits ? std::string{} : limits.Errors().front().key;
    };
    ReceivePlan plan = PLAN;
    plan.buffer = 2203;
    EXPECT_EQ(keyOf(plan), "nic.receive_buffer");
    plan = PLAN;
    plan.xoff = 131'009;
    EXPECT_EQ(keyOf(plan), "nic.receive_xoff");
    plan = PLAN;
    plan.xoff = 10'000;
    plan.xon = 10'000;
    EXPECT_EQ(keyOf(plan), "nic.receive_xon");
}

// ----------------------------------------------------- a host half as fast as its link

/** h0 sends 10 MB to h1, whose host takes 50 Gb/s of the 100. */
Scenario
MakeSlowReceiver()
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.nic.Set("ReceiveRate", StringValue("50Gbps"));
    scenario.flows = {MakeFlow(0, 1, 10'000'000)};
    return scenario;
}

// The first packet of 1110 bytes has arrived after two cables; from then on the host is never idle
// and takes a byte in 160 ps: the goodput is the host's rate to the picosecond. The interface
// paused its peer, and nothing was dropped.
constexpr SimTime FIRST_ARRIVAL = 2 * (SimTime{1110 * 80} + US);
constexpr SimTime DRAINED = FIRST_ARRIVAL + SimTime{10'000'000 * 160ULL};

TEST(ReceivePath, SlowHostPausesItsPeerAndIsNeverIdle)
{
    TestRun run{MakeSlowReceiver()};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered, DRAINED);
    EXPECT_GT(run.FindLink("h1", "s").port->GetCounters().pauseFramesSent, 10U);
    EXPECT_EQ(run.CountDropped(), 0U);
    run.ExpectInvariants();
}

TEST(ReceivePath, SlowHostPausesTheLink)
{
    Scenario scenario = MakeSlowReceiver();
    scenario.pfc.Set("Mode", StringValue("link-pause"));
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered, DRAINED);
    EXPECT_GT(run.FindLink("h1", "s").port->GetCounters().pauseFramesSent, 10U);
    EXPECT_EQ(run.CountDropped(), 0U);
}

// Without flow control the buffer runs over: what is lost has its reason, at the interface.
TEST(ReceivePath, LossyFramesRunOver)
{
    Scenario scenario = MakeSlowReceiver();
    scenario.pfc.Set("Mode", StringValue("none"));
    scenario.flows = {MakeFlow(0, 1, 1'000'000)};
    TestRun run{scenario};
    run.RunToEnd();
    const uint64_t lost = run.CountDropped(DropReason::RX_OVERFLOW);
    EXPECT_GT(lost, 0U);
    const auto reason = static_cast<std::size_t>(DropReason::RX_OVERFLOW);
    EXPECT_EQ(run.GetFabric().GetInterfaces()[1]->GetCounters().drops[reason], lost);
    EXPECT_EQ(run.CountFinished(), 1U);
    run.ExpectInvariants();
}

// 200 packets of 1086 at 100 Gb/s come in 17.7 us, of which the host takes 108 by then: a buffer of
// as many more is never full. The frames that wait at a stop are in the books.
TEST(ReceivePath, FramesThatWaitAreCounted)
{
    Scenario scenario = MakeSlowReceiver();
    scenario.flows = {MakeFlow(0, 1, 200 * 1024)};
    TestRun run{scenario};
    run.RunUntil(SimTime::Microseconds(20));
    EXPECT_GT(run.GetFabric().GetInterfaces()[1]->CountHeld().all.frames, 80U);
    run.RunToEnd();
    EXPECT_EQ(run.GetFabric().GetInterfaces()[1]->CountHeld().all.frames, 0U);
    EXPECT_EQ(run.GetRecord(0).delivered, FIRST_ARRIVAL + SimTime{200 * 1024 * 160});
}

// A host as fast as the link changes the arrival by the payload's time in it, and pauses nobody.
TEST(ReceivePath, FastHostPausesNobody)
{
    Scenario scenario = MakeSlowReceiver();
    scenario.nic.Set("ReceiveRate", StringValue("100Gbps"));
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountPauses(), 0U);
    EXPECT_EQ(run.CountDropped(), 0U);
}

} // namespace
} // namespace ns3::rdma
