// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"
#include "tests/support/timeline-entry.h"
#include "workload/flow-checks.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr BitRate RATE = BitRate::Gbps(100);
constexpr SimTime CABLE = SimTime::Microseconds(1);

/** h0 .. h3 at leaf0 and h4 .. h7 at leaf1, spine0 and spine1 above; a short ACK timer (1.05 ms).
 */
Scenario
MakeLeafSpine()
{
    Scenario scenario = MakeTestScenario(GenerateTopology(
        "ns3::rdma::LeafSpineTopology", {{"Leaves", "2"}, {"Spines", "2"}, {"HostsPerLeaf", "4"}}));
    scenario.transport.Set("Timeout", StringValue("8"));
    scenario.routing.Set("Delay", StringValue("100us"));
    return scenario;
}

/** 16 flows from leaf1 to h0 of leaf0, in which ECMP uses both spines. */
void
AddIncast(Scenario& scenario, SimTime start)
{
    for (uint32_t flow = 0; flow < 16; ++flow)
    {
        scenario.flows.push_back(MakeFlow(4 + flow % 4, 0, 100'000, start));
    }
    SortFlows(scenario.flows);
}

uint64_t
FramesOf(const TestRun& run, const std::string& from, const std::string& to)
{
    return run.FindLink(from, to).port->GetCounters().frames;
}

uint64_t
CutFramesOf(const TestRun& run, const std::string& from, const std::string& to)
{
    return run.FindLink(from, to).port->GetCounters().cutFrames;
}

// 1.6 MB at 100 Gb/s take 138 us at least, so that the failure at 50 us is in the middle of it.
TEST(LinkFailure, FlowsMoveToTheOtherSpineAndFinish)
{
    Scenario scenario = MakeLeafSpine();
    AddIncast(scenario, {});
    scenario.timeline = {
        MakeEntry("LinkDown", {{"At", "50us"}, {"From", "leaf1"}, {"To", "spine0"}})};
    TestRun run{scenario};
    run.RunUntil(SimTime::Microseconds(50));
    EXPECT_GT(FramesOf(run, "leaf1", "spine0"), 0U);
    EXPECT_GT(FramesOf(run, "leaf1", "spine1"), 0U);
    const uint64_t sent = FramesOf(run, "leaf1", "spine0");
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 16U);
    run.ExpectInvariants();
    // From the failure on the switch sends nothing into the dead cable.
    EXPECT_EQ(FramesOf(run, "leaf1", "spine0"), sent);
    // The frames that the cable cost are those that its two ports counted.
    EXPECT_GT(run.CountDropped(DropReason::LINK_DOWN), 0U);
    EXPECT_EQ(run.CountDropped(DropReason::LINK_DOWN),
              CutFramesOf(run, "leaf1", "spine0") + CutFramesOf(run, "spine0", "leaf1"));
    // Until 150 us leaf0 still sends acknowledgements to spine0, which has no way to leaf1.
    EXPECT_GT(run.CountDropped(DropReason::NO_ROUTE), 0U);
}

// After the cable is back and the routes have settled, both spines carry the next flows.
TEST(LinkFailure, AfterTheReturnBothSpinesAreUsed)
{
    Scenario scenario = MakeLeafSpine();
    AddIncast(scenario, {});
    AddIncast(scenario, SimTime::Milliseconds(20));
    scenario.timeline = {MakeEntry(
        "LinkDown", {{"At", "50us"}, {"From", "spine0"}, {"To", "leaf1"}, {"For", "500us"}})};
    TestRun run{scenario};
    run.RunUntil(SimTime::Milliseconds(20));
    const uint64_t before = FramesOf(run, "leaf1", "spine0");
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 32U);
    EXPECT_GT(FramesOf(run, "leaf1", "spine0"), before);
    run.ExpectInvariants();
}

/** The events of a run's log, with their times in microseconds. */
std::vector<std::pair<std::string, uint64_t>>
EventsOf(const TestRun& run)
{
    std::vector<std::pair<std::string, uint64_t>> events;
    for (const RunEvent& event : run.GetFabric().GetRunEvents().Get())
    {
        events.emplace_back(event.event, event.time.ps / 1'000'000);
    }
    return events;
}

// The routes follow each change by the delay; a flap that is shorter than it is told to nobody, but
// the ends leave the port out until it has been up for the delay.
TEST(LinkFailure, RoutesFollowByTheDelay)
{
    Scenario scenario = MakeLeafSpine();
    AddIncast(scenario, SimTime::Milliseconds(1));
    scenario.timeline = {MakeEntry("LinkDown", {{"At", "100us"}, {"Link", "8"}, {"For", "200us"}}),
                         MakeEntry("LinkDown", {{"At", "500us"}, {"Link", "8"}, {"For", "10us"}})};
    TestRun run{scenario};
    run.RunToEnd();
    using Event = std::pair<std::string, uint64_t>;
    EXPECT_THAT(EventsOf(run),
                testing::ElementsAre(Event{"link_down", 100},
                                     Event{"reroute", 200},
                                     Event{"link_down_undone", 300},
                                     Event{"reroute", 400},
                                     Event{"link_down", 500},
                                     Event{"link_down_undone", 510},
                                     Event{"reroute", 610}));
    EXPECT_EQ(run.CountFinished(), 16U);
}

// Without local repair the leaf sends into the dead cable until the routes change: more is lost. At
// 10 us the hosts are still sending: each has 400 KB, which take 32 us.
TEST(LinkFailure, WithoutLocalRepairFramesGoIntoTheDeadCable)
{
    std::array<uint64_t, 2> lost{};
    for (const bool isRepairing : {false, true})
    {
        Scenario scenario = MakeLeafSpine();
        AddIncast(scenario, {});
        scenario.routing.Set("LocalRepair", BooleanValue(isRepairing));
        scenario.timeline = {
            MakeEntry("LinkDown", {{"At", "10us"}, {"From", "leaf1"}, {"To", "spine0"}})};
        TestRun run{scenario};
        run.RunToEnd();
        EXPECT_EQ(run.CountFinished(), 16U);
        run.ExpectInvariants();
        lost[isRepairing ? 1 : 0] = CutFramesOf(run, "leaf1", "spine0");
    }
    EXPECT_GT(lost[0], lost[1]);
}

// With routes that never change, the way back through spine0 stays dead, and so do the flows that
// need it.
TEST(LinkFailure, WithoutReconvergenceTheOtherSideNeverLearns)
{
    Scenario scenario = MakeLeafSpine();
    AddIncast(scenario, {});
    scenario.routing.Set("Reconverge", BooleanValue(false));
    scenario.timeline = {
        MakeEntry("LinkDown", {{"At", "50us"}, {"From", "leaf1"}, {"To", "spine0"}})};
    TestRun run{scenario};
    run.RunToEnd();
    uint64_t failed = 0;
    for (uint32_t flow = 0; flow < 16; ++flow)
    {
        failed += run.GetRecord(flow).status == CompletionStatus::RETRY_EXC_ERR ? 1 : 0;
    }
    EXPECT_GT(failed, 0U);
    EXPECT_EQ(failed + run.CountFinished(), 16U);
    EXPECT_EQ(EventsOf(run).size(), 1U);
}

// A host without another cable: its own packets go nowhere, and those to it have no route. Both
// senders give up after the first transmission and seven retries.
TEST(LinkFailure, AHostWithoutItsCableFailsByItsRetries)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, RATE, CABLE));
    scenario.transport.Set("Timeout", StringValue("8"));
    scenario.flows = {MakeFlow(0, 1, 1'000'000), MakeFlow(2, 0, 1'000'000)};
    scenario.timeline = {MakeEntry("LinkDown", {{"At", "10us"}, {"From", "h0"}})};
    TestRun run{scenario};
    run.RunToEnd();
    for (uint32_t flow = 0; flow < 2; ++flow)
    {
        EXPECT_EQ(run.GetRecord(flow).status, CompletionStatus::RETRY_EXC_ERR) << flow;
        EXPECT_EQ(run.GetRunner().GetStatistics(flow).timeouts, 8U) << flow;
    }
    EXPECT_GT(run.CountDropped(DropReason::LINK_DOWN), 0U);
    EXPECT_GT(run.CountDropped(DropReason::NO_ROUTE), 0U);
    run.ExpectInvariants();
}

// 100 packets of 1024 bytes over h0 - s - h1, 100 Gb/s and 1 us each. A frame is 1106 bytes on the
// wire, 88.48 ns; the first, with a RETH, is 1122, 89.76 ns. Frame k > 0 starts at 89.76 ns + (k -
// 1) x 88.48 ns: before 2 us that are 23 frames, which are through at 89.76 + 22 x 88.48 = 2036.32
// ns. From 2 us on the first cable has 10 Gb/s: 77 frames of 884.8 ns. The last gap (9.6 ns) does
// not count, and the switch sends the last frame, 1094 bytes with its preamble, in 87.52 ns:
// 2036.32 + 77 x 884.8 - 9.6 + 1000 + 87.52 + 1000 = 72243.84 ns.
TEST(RateChange, CompletionTimeIsThatOfTheTwoRates)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, RATE, CABLE));
    scenario.flows = {MakeFlow(0, 1, 100 * 1024)};
    scenario.timeline = {
        MakeEntry("RateChange", {{"At", "2us"}, {"Link", "0"}, {"Rate", "10Gbps"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 72'243'840U);
    run.ExpectInvariants();
}

// The same for a while: at 20 us frame 43 is under way (2036.32 + 20 x 884.8 = 19732.32 ns, the
// next start is at 20617.12 ns). So 21 frames go at 10 Gb/s and the 56 behind them at 100 Gb/s
// again: 2036.32 + 21 x 884.8 + 56 x 88.48 - 0.96 + 1000 + 87.52 + 1000 = 27658.56 ns.
TEST(RateChange, AnUndoneChangeGivesTheRateBack)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, RATE, CABLE));
    scenario.flows = {MakeFlow(0, 1, 100 * 1024)};
    scenario.timeline = {MakeEntry(
        "RateChange", {{"At", "2us"}, {"Link", "0"}, {"Rate", "10Gbps"}, {"For", "18us"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRecord(0).delivered.ps, 27'658'560U);
}

// ------------------------------------------------------------------- determinism

/** Everything at once, on round times: pauses, marks, drops, flaps, rates, and flows that begin. */
Scenario
MakeTies()
{
    Scenario scenario = MakeLeafSpine();
    scenario.buffer.Set("Size", StringValue("1500KB"));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("Kmin", StringValue("5KB"));
    scenario.marker.Set("Kmax", StringValue("200KB"));
    for (uint32_t host = 0; host < 8; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, (host + 4) % 8, 200'000));
        scenario.flows.push_back(MakeFlow(host, (host + 1) % 8, 200'000));
        scenario.flows.push_back(MakeFlow(host, host == 0 ? 1 : 0, 100'000, {20'000'000}));
    }
    SortFlows(scenario.flows);
    scenario.timeline = {
        MakeEntry("LinkDown",
                  {{"At", "20us"}, {"From", "leaf1"}, {"To", "spine0"}, {"For", "80us"}}),
        MakeEntry("RateChange",
                  {{"At", "20us"}, {"From", "h0"}, {"Rate", "40Gbps"}, {"For", "1ms"}}),
        MakeEntry("LinkDown", {{"At", "50us"}, {"From", "h5"}, {"For", "50us"}}),
        MakeEntry("LinkDown", {{"At", "100us"}, {"From", "spine1"}, {"For", "500us"}}),
        MakeEntry("LinkUp", {{"At", "200us"}, {"From", "spine1"}, {"To", "leaf0"}}),
        MakeEntry("LinkUp", {{"At", "200us"}, {"From", "leaf1"}}),
        MakeEntry("FlowStart", {{"At", "20us"}, {"Flows", "3 4 20"}}),
        MakeEntry("Set", {{"At", "100us"}, {"Key", "switch.buffer.alpha"}, {"Value", "1/16"}}),
        MakeEntry("Set", {{"At", "100us"}, {"Key", "switch.marking.kmax"}, {"Value", "50KB"}}),
        MakeEntry("Set", {{"At", "100us"}, {"Key", "congestion.min_rate"}, {"Value", "1Gbps"}})};
    return scenario;
}

std::vector<std::string>
RunOn(Scenario scenario, const std::string& engine, bool isEager)
{
    scenario.engine.simulator = engine;
    scenario.engine.eagerPorts = isEager;
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), scenario.flows.size());
    EXPECT_GT(run.CountPauses(), 0U);
    EXPECT_GT(run.CountDropped(DropReason::LINK_DOWN), 0U);
    run.ExpectInvariants();
    std::vector<std::string> lines = run.DescribeResults();
    for (const auto& [event, microseconds] : EventsOf(run))
    {
        lines.push_back(event + " " + std::to_string(microseconds));
    }
    return lines;
}

TEST(LinkFailure, ResultsAreEqualOnAllEnginesWithLazyAndEagerPorts)
{
    const Scenario scenario = MakeTies();
    const auto expected = RunOn(scenario, "fabric", false);
    EXPECT_EQ(RunOn(scenario, "fabric", true), expected);
    for (const std::string engine : {"map", "calendar"})
    {
        EXPECT_EQ(RunOn(scenario, engine, false), expected) << engine;
        EXPECT_EQ(RunOn(scenario, engine, true), expected) << engine << ", eager";
    }
}

} // namespace
} // namespace ns3::rdma
