// SPDX-License-Identifier: GPL-2.0-only
#include "tests/scenario/run-fixture.h"
#include "tests/support/timeline-entry.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::Contains;
using testing::HasSubstr;

constexpr BitRate RATE = BitRate::Gbps(100);
constexpr SimTime CABLE = SimTime::Microseconds(1);

// h0 - s - h1 and a flow of packets of 1024 bytes. On the wire the first is 1122 bytes, 89.76 ns,
// and each other 1106 bytes, 88.48 ns: packet k > 0 starts at 89.76 ns + (k - 1) x 88.48 ns, and is
// at the switch 87.52 ns + 1 us later.
Scenario
MakePair(uint64_t packets)
{
    Scenario scenario = MakeRunScenario(MakeStar(2, RATE, CABLE));
    scenario.flows = {MakeFlow(0, 1, packets * 1024)};
    return scenario;
}

/** What the timeline says of an entry in a scenario that has none. */
Diagnostics
PrepareWrong(Scenario scenario, const std::vector<ObjectFactory>& timeline)
{
    const TestRun run{scenario};
    scenario.timeline = timeline;
    const auto made = Timeline::Make({scenario, run.GetFabric(), run.GetRunner()});
    return made ? Diagnostics{} : made.Errors();
}

// ------------------------------------------------------------------- flows

// The flow's own start, a second, is no more; its times count from the start that it got.
TEST(FlowStart, ReplacesTheStartOfAFlow)
{
    Scenario scenario = MakePair(10);
    scenario.flows[0].start = SimTime::Seconds(1);
    scenario.timeline = {MakeEntry("FlowStart", {{"At", "5us"}, {"Flows", "0"}})};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "start_ns"), "5000.000");
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "finished");
    EXPECT_EQ(run.Cell("flows.csv", 1, "fct_delivered_ns"),
              run.Cell("flows.csv", 1, "ideal_delivered_ns"));
}

// Nothing happens for five seconds, and the run waits: looks for a standstill come each second.
TEST(FlowStart, IsWaitedFor)
{
    Scenario scenario = MakePair(10);
    scenario.timeline = {MakeEntry("FlowStart", {{"At", "5s"}, {"Flows", "0"}})};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "finished");
}

TEST(FlowStart, OfOneFlowTwiceIsRefused)
{
    const Diagnostics errors =
        PrepareWrong(MakePair(1),
                     {MakeEntry("FlowStart", {{"Flows", "0"}}),
                      MakeEntry("FlowStart", {{"At", "1us"}, {"Flows", "0"}})});
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "timeline.1.flows");
}

TEST(FlowStart, UnknownFlowsAreAnsweredWithTheTags)
{
    Scenario scenario = MakePair(1);
    scenario.flows[0].tag = "background";
    const Diagnostics errors = PrepareWrong(scenario,
                                            {MakeEntry("FlowStart", {{"Flows", "backgrund"}}),
                                             MakeEntry("FlowStop", {{"Flows", "1"}}),
                                             MakeEntry("FlowStop", {}),
                                             MakeEntry("FlowStop", {{"Flows", "background"}})});
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0].key, "timeline.0.flows");
    EXPECT_EQ(errors[0].nearest, "background");
    EXPECT_EQ(errors[1].got, "1");
    EXPECT_EQ(errors[2].message, "no flow is named");
}

// Packets 0 .. 1130 start before 100 us: 89.76 + 1129 x 88.48 = 99983.68 ns, and the next would at
// 100072.16 ns. Nothing else is left, so the run is over; a stopped flow is no failure.
TEST(FlowStop, EndsAFlowWhereItIs)
{
    Scenario scenario = MakePair(100'000);
    scenario.timeline = {MakeEntry("FlowStop", {{"At", "100us"}, {"Flows", "0"}})};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "stopped");
    EXPECT_EQ(run.Cell("flows.csv", 1, "packets_sent"), "1131");
    EXPECT_EQ(run.Cell("flows.csv", 1, "fct_acked_ns"), "");
    EXPECT_EQ(run.Json("summary.json")["flows"]["stopped"], 1);
    EXPECT_EQ(run.Json("summary.json")["flows"]["failed"], 0);
}

// Two flows of a tag, of which one has ended and one has not begun; a third goes on, and with real
// payload the bytes of a stopped flow are nobody's damage.
TEST(FlowStop, TakesFlowsByTag)
{
    Scenario scenario = MakePair(10);
    scenario.flows[0].tag = "short";
    scenario.flows.push_back(MakeFlow(0, 1, 50'000'000, SimTime::Microseconds(1)));
    scenario.flows.push_back(MakeFlow(0, 1, 1024, SimTime::Milliseconds(3)));
    scenario.flows[2].tag = "short";
    scenario.flows.push_back(MakeFlow(1, 0, 1024, SimTime::Milliseconds(4)));
    scenario.transport.Set("Payload", StringValue("real"));
    scenario.timeline = {MakeEntry("FlowStop", {{"At", "1ms"}, {"Flows", "short, 1"}})};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "finished");
    EXPECT_EQ(run.Cell("flows.csv", 2, "status"), "stopped");
    EXPECT_EQ(run.Cell("flows.csv", 3, "status"), "stopped");
    EXPECT_EQ(run.Cell("flows.csv", 3, "packets_sent"), "0");
    EXPECT_EQ(run.Cell("flows.csv", 4, "status"), "finished");
}

// ------------------------------------------------------------------- faults

/** A fault that takes every frame away that leaves h0. */
ObjectFactory
MakeDrop(bool isActive)
{
    ObjectFactory factory{"ns3::rdma::DropFault"};
    factory.Set("From", StringValue("h0"));
    factory.Set("Active", BooleanValue(isActive));
    return factory;
}

// Packet k > 0 is at the switch at 1177.28 ns + (k - 1) x 88.48 ns: from 2 us to 3 us those with
// k - 1 = 10 .. 20, which are 11. What is sent again comes a round trip of 4 us later.
TEST(FaultOn, StrikesForItsTime)
{
    Scenario scenario = MakePair(100);
    scenario.faults = {MakeDrop(false)};
    scenario.timeline = {MakeEntry("FaultOn", {{"At", "2us"}, {"For", "1us"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountDropped(DropReason::INJECTED_FAULT), 11U);
    EXPECT_EQ(run.CountFinished(), 1U);
    run.ExpectInvariants();
}

// Packets that are there before 2 us: the first at 1088.8 ns, and k - 1 = 0 .. 9.
TEST(FaultOff, EndsWhatStruckFromTheStart)
{
    Scenario scenario = MakePair(100);
    scenario.faults = {MakeDrop(true)};
    scenario.timeline = {MakeEntry("FaultOff", {{"At", "2us"}, {"Fault", "0"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountDropped(DropReason::INJECTED_FAULT), 11U);
    EXPECT_EQ(run.CountFinished(), 1U);
}

TEST(FaultOn, OfNoEntryIsRefused)
{
    Scenario scenario = MakePair(1);
    EXPECT_EQ(PrepareWrong(scenario, {MakeEntry("FaultOn", {})})[0].key, "timeline.0.fault");
    scenario.faults = {MakeDrop(false)};
    EXPECT_EQ(PrepareWrong(scenario, {MakeEntry("FaultOff", {{"Fault", "1"}})})[0].expected,
              "0 .. 0");
    EXPECT_TRUE(PrepareWrong(scenario, {MakeEntry("FaultOff", {})}).empty());
}

// ------------------------------------------------------------------- parameters

// Paced at 10 Gb/s, packet k > 0 starts at 897.6 ns + (k - 1) x 884.8 ns. From 10 us on the pace is
// 50 Gb/s, 176.96 ns each; the gap that runs was fixed before. So packet 12 starts at 897.6 + 11 x
// 884.8 = 10630.4 ns and packet 99 at 10630.4 + 87 x 176.96 = 26025.92 ns; it takes 87.52 ns + 1 us
// twice: 28200.96 ns.
TEST(Set, ChangesThePaceOfARunningConnection)
{
    Scenario scenario = MakePair(100);
    scenario.congestion.SetTypeId("ns3::rdma::FixedRate");
    scenario.congestion.Set("Rate", StringValue("10Gbps"));
    scenario.timeline = {
        MakeEntry("Set", {{"At", "10us"}, {"Key", "congestion.rate"}, {"Value", "50Gbps"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 28'200'960U);
}

// The same for 10 us. Packet k >= 12 starts at 10630.4 ns + (k - 12) x 176.96 ns; the last before
// 20 us is packet 64 (19832.32 ns). Packet 65, whose gap was fixed before, starts at 20009.28 ns,
// and packet 99 34 gaps of 884.8 ns later, at 50092.48 ns; it is there at 52267.52 ns.
TEST(Set, IsUndone)
{
    Scenario scenario = MakePair(100);
    scenario.congestion.SetTypeId("ns3::rdma::FixedRate");
    scenario.congestion.Set("Rate", StringValue("10Gbps"));
    scenario.timeline = {MakeEntry(
        "Set", {{"At", "10us"}, {"Key", "congestion.rate"}, {"Value", "50Gbps"}, {"For", "10us"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 52'267'520U);
}

/** Eight hosts write 500 KB each to a ninth; nothing is marked and nobody is paused. */
Scenario
MakeIncast()
{
    Scenario scenario = MakeRunScenario(MakeStar(9, RATE, CABLE));
    for (uint32_t host = 0; host < 8; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 8, 500'000));
    }
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("Kmin", StringValue("100MB"));
    scenario.marker.Set("Kmax", StringValue("100MB"));
    scenario.buffer.Set("Xoff", StringValue("30MB"));
    return scenario;
}

TEST(Set, ChangesThresholdsOfSwitches)
{
    {
        TestRun run{MakeIncast()};
        run.RunToEnd();
        EXPECT_EQ(run.CountMarked(), 0U);
        EXPECT_EQ(run.CountPauses(), 0U);
    }
    Scenario scenario = MakeIncast();
    scenario.timeline = {
        MakeEntry("Set", {{"At", "20us"}, {"Key", "switch.marking.kmin"}, {"Value", "1KB"}}),
        MakeEntry("Set", {{"At", "20us"}, {"Key", "switch.marking.kmax"}, {"Value", "2KB"}}),
        MakeEntry("Set", {{"At", "60us"}, {"Key", "switch.buffer.xoff"}, {"Value", "50KB"}})};
    TestRun run{scenario};
    run.RunUntil(SimTime::Microseconds(20));
    EXPECT_EQ(run.CountMarked(), 0U);
    run.RunUntil(SimTime::Microseconds(60));
    EXPECT_GT(run.CountMarked(), 0U);
    EXPECT_EQ(run.CountPauses(), 0U);
    run.RunToEnd();
    EXPECT_GT(run.CountPauses(), 0U);
    EXPECT_EQ(run.CountFinished(), 8U);
    run.ExpectInvariants();
}

TEST(Set, WhatCannotChangeIsAnsweredWithWhatCan)
{
    const Diagnostics errors = PrepareWrong(
        MakeIncast(),
        {MakeEntry("Set", {{"Key", "switch.buffer.size"}, {"Value", "1MB"}}),
         MakeEntry("Set", {{"Key", "congestion.additive_increse"}, {"Value", "1Mbps"}}),
         MakeEntry("Set", {{"Key", "switch.buffer.alpha"}, {"Value", "200"}}),
         MakeEntry("Set", {{"Key", "switch.marking.pmax"}, {"Value", "50%"}})});
    ASSERT_EQ(errors.size(), 3U);
    EXPECT_EQ(errors[0].key, "timeline.0.key");
    EXPECT_THAT(errors[0].knownNames, Contains("switch.buffer.alpha"));
    EXPECT_THAT(errors[0].knownNames, Contains("switch.marking.kmax"));
    EXPECT_EQ(errors[1].nearest, "congestion.additive_increase");
    EXPECT_EQ(errors[2].key, "timeline.2.value");
    EXPECT_THAT(errors[2].message, HasSubstr("out of range"));
}

} // namespace
} // namespace ns3::rdma
