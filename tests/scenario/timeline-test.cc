// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-loader.h"
#include "scenario/timeline.h"
#include "tests/scenario/run-fixture.h"
#include "tests/scenario/sample-file.h"
#include "tests/support/timeline-entry.h"

#include "ns3/boolean.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr BitRate RATE = BitRate::Gbps(100);
constexpr SimTime CABLE = SimTime::Microseconds(1);

/** Two hosts at a switch and a message of so many packets of 1024 bytes from h0 to h1. */
Scenario
MakePair(uint64_t packets)
{
    Scenario scenario = MakeRunScenario(MakeStar(2, RATE, CABLE));
    scenario.flows = {MakeFlow(0, 1, packets * 1024)};
    return scenario;
}

/** What the timeline says of entries that are wrong. */
Diagnostics
PrepareWrong(const std::vector<ObjectFactory>& timeline)
{
    Scenario scenario = MakePair(1);
    const TestRun run{scenario};
    scenario.timeline = timeline;
    const auto made = Timeline::Make({scenario, run.GetFabric(), run.GetRunner()});
    return made ? Diagnostics{} : made.Errors();
}

// Entries are done by time, then in the order in which they stand; what has a duration is undone.
TEST(Timeline, TellsOfItsEntriesInOrder)
{
    Scenario scenario = MakePair(10'000);
    scenario.routing.Set("Reconverge", BooleanValue(false)); // or routes would have a row, too
    scenario.timeline = {
        MakeEntry("LinkUp", {{"At", "3us"}, {"From", "h1"}}),
        MakeEntry("LinkDown", {{"At", "1us"}, {"Link", "1"}, {"For", "4us"}}),
        MakeEntry("RateChange", {{"At", "3us"}, {"To", "h0"}, {"Rate", "50Gbps"}})};
    const RunInFolder run{scenario};
    EXPECT_THAT(run.Lines("events.csv"),
                ElementsAre("time_ns,event,node,port,priority,detail",
                            "1000.000,link_down,h1,0,,link 1 to s port 1",
                            "3000.000,link_up,h1,0,,link 1 to s port 1",
                            "3000.000,rate_change,h0,0,,\"link 0 to s port 0, 50Gbps\"",
                            "5000.000,link_down_undone,h1,0,,link 1 to s port 1"));
    EXPECT_EQ(run.Json("summary.json")["events"]["link_down"], 1);
}

TEST(Timeline, UnknownNamesAreAnsweredWithTheNearest)
{
    const Diagnostics errors =
        PrepareWrong({MakeEntry("LinkDown", {{"From", "h0"}, {"To", "s"}}),
                      MakeEntry("LinkUp", {{"From", "h11"}, {"To", "t"}}),
                      MakeEntry("LinkUp", {{"Link", "2"}}),
                      MakeEntry("LinkDown", {}),
                      MakeEntry("LinkDown", {{"From", "h0"}, {"To", "h1"}})});
    ASSERT_EQ(errors.size(), 5U);
    EXPECT_EQ(errors[0].key, "timeline.1.from");
    EXPECT_EQ(errors[0].got, "h11");
    EXPECT_EQ(errors[0].nearest, "h1");
    EXPECT_EQ(errors[1].key, "timeline.1.to");
    EXPECT_THAT(errors[1].knownNames, ElementsAre("h0", "h1", "s"));
    EXPECT_EQ(errors[2].key, "timeline.2.link");
    EXPECT_EQ(errors[2].expected, "a number, 0 .. 1, as in links.csv");
    EXPECT_EQ(errors[3].key, "timeline.3.from");
    EXPECT_EQ(errors[3].expected, "from, to or link");
    EXPECT_EQ(errors[4].key, "timeline.4.from");
    EXPECT_EQ(errors[4].got, "h0 - h1");
}

TEST(Timeline, RateMustBeOneThatLinksHave)
{
    for (const auto& [rate, message] :
         {std::pair{"0bps", "the key is missing"}, std::pair{"9Mbps", "out of range"}})
    {
        const auto action = MakeEntry("RateChange", {{"Rate", rate}}).Create<TimelineAction>();
        const Diagnostics errors = action->CheckSettings();
        ASSERT_EQ(errors.size(), 1U);
        EXPECT_EQ(errors[0].key, "rate");
        EXPECT_EQ(errors[0].message, message);
    }
}

// The run ends with its flows, and what was to come does not.
TEST(Timeline, KeepsNoRunFromItsEnd)
{
    Scenario scenario = MakePair(10);
    scenario.timeline = {MakeEntry("LinkDown", {{"At", "1s"}, {"From", "h0"}})};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.CountLines("events.csv"), 1U);
}

// The frames that a link-down at the same instant as the flow's start meets are lost: the change
// comes first. The flow is repeated when its timer ends, and finishes.
TEST(Timeline, ComesBeforeFlowsOfItsInstant)
{
    Scenario scenario = MakePair(10);
    scenario.flows[0].start = SimTime::Microseconds(10);
    scenario.timeline = {MakeEntry("LinkDown", {{"At", "10us"}, {"From", "h0"}, {"For", "1us"}})};
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    // All ten are lost: 10 x 88.48 ns end before the cable is back.
    EXPECT_EQ(run.Cell("links.csv", 1, "dropped_frames"), "10");
    EXPECT_EQ(run.Cell("flows.csv", 1, "timeouts"), "1");
    EXPECT_EQ(run.Json("summary.json")["network"]["dropped"]["link_down"]["frames"], 10);
}

// A scenario file's entries reach the timeline, and a bad one is reported with its line.
TEST(Timeline, IsAListInAScenario)
{
    const std::string head = "topology: {family: star, hosts: 3}\n"
                             "workload: [{pattern: incast, bytes: 1KB}]\n"
                             "timeline:\n";
    const SampleFile good{"good.yaml",
                          head + "  - {at: 1ms, action: link-down, from: h0, for: 2ms}\n"
                                 "  - {at: 2ms, action: rate-change, link: 1, rate: 25Gbps}\n"};
    const auto scenario = LoadScenario({.file = good.GetPath()});
    ASSERT_TRUE(scenario) << ToString(scenario.Errors());
    ASSERT_EQ(scenario->timeline.size(), 2U);
    const auto action = scenario->timeline[0].Create<TimelineAction>();
    EXPECT_EQ(action->GetAt(), SimTime::Milliseconds(1));
    EXPECT_EQ(action->GetDuration(), SimTime::Milliseconds(2));

    good.AddNeighbour("bad.yaml", head + "  - {at: 1ms, action: link_down, from: h0}\n");
    const auto path = std::filesystem::path{good.GetPath()}.parent_path() / "bad.yaml";
    const auto bad = LoadScenario({.file = path});
    ASSERT_FALSE(bad);
    EXPECT_THAT(ToString(bad.Errors()), HasSubstr("bad.yaml:4: timeline.0.action: unknown name"));
    EXPECT_THAT(ToString(bad.Errors()), HasSubstr("did you mean 'link-down'?"));
}

} // namespace
} // namespace ns3::rdma
