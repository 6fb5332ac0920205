// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-deadlock.h"
#include "tests/scenario/engines.h"
#include "tests/scenario/run-fixture.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/**
 * Three switches in a ring with a host each; each host sends to the one before it, the long way
 * round.
 */
Scenario
MakeClockwiseRing()
{
    Scenario scenario = MakeRunScenario(GenerateTopology("ns3::rdma::RingTopology", {}));
    scenario.buffer.Set("Size", StringValue("4MiB"));
    for (uint32_t host = 0; host < 3; ++host)
    {
        const auto name = [](const char* prefix, uint32_t number)
        { return StringValue(prefix + std::to_string(number % 3)); };
        ObjectFactory route{"ns3::rdma::RouteSettings"};
        route.Set("Node", name("s", host));
        route.Set("Destination", name("h", host + 2));
        route.Set("Next", name("s", host + 1));
        scenario.routes.push_back(route);
        scenario.flows.push_back(MakeFlow(host, (host + 2) % 3, 10'000'000));
    }
    return scenario;
}

/** The events of a run, a letter each: found, resolved, detected, restored. */
std::string
EventsOf(const RunInFolder& run)
{
    std::string letters;
    for (std::size_t row = 1; row < run.CountLines("events.csv"); ++row)
    {
        const std::string event = SplitLine(run.Lines("events.csv")[row])[1];
        letters += event == "deadlock_found" ? 'F' : event == "deadlock_resolved" ? 'R' : '.';
    }
    return letters;
}

} // namespace

TEST(RunDeadlock, IsFoundNamedAndFailsTheRun)
{
    const RunInFolder run{MakeClockwiseRing()};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(), HasSubstr("routes can deadlock lossless classes, a cycle of 3 links"));
    EXPECT_THAT(run.Err(),
                HasSubstr("error: deadlock: s0 port 1 -> s1 port 2 -> s2 port 2 -> s0 port 1, "
                          "priority 3"));
    EXPECT_EQ(EventsOf(run), "F");
    EXPECT_THAT(run.Lines("events.csv")[1], HasSubstr(",deadlock_found,s0,1,3,"));
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["events"]["deadlock_found"], 1);
    EXPECT_THAT(summary["deadlock"].get<std::string>(), HasSubstr("s1 port 2"));
    EXPECT_EQ(summary["flows"]["finished"], 0);
}

// Shortest paths, one link of the ring each: neither a warning nor a deadlock.
TEST(RunDeadlock, NothingIsSaidWithoutOne)
{
    Scenario scenario = MakeClockwiseRing();
    scenario.routes.clear();
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_THAT(run.Err(), Not(HasSubstr("deadlock")));
    EXPECT_EQ(EventsOf(run), "");
    EXPECT_EQ(run.Json("summary.json")["deadlock"], "");
}

// A lossy class drops instead of waiting.
TEST(RunDeadlock, ALossyClassHasNone)
{
    Scenario scenario = MakeClockwiseRing();
    scenario.pfc.Set("Enabled", StringValue("false"));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    const RunInFolder run{scenario};
    EXPECT_THAT(run.Err(), Not(HasSubstr("deadlock")));
    EXPECT_EQ(run.Json("summary.json")["flows"]["finished"], 3);
}

// The watchdog drops what waits, and the flows send it again until they are done.
TEST(RunDeadlock, AWatchdogResolvesIt)
{
    Scenario scenario = MakeClockwiseRing();
    scenario.watchdog.Set("Action", StringValue("drop"));
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["flows"]["finished"], 3);
    EXPECT_EQ(summary["deadlock"], "");
    EXPECT_GT(summary["events"]["deadlock_found"], 0);
    EXPECT_EQ(summary["events"]["deadlock_found"], summary["events"]["deadlock_resolved"]);
    EXPECT_EQ(summary["events"]["watchdog_detected"], summary["events"]["watchdog_restored"]);
    EXPECT_GT(summary["network"]["dropped"]["pfc_watchdog"]["frames"], 0);
    EXPECT_THAT(summary["broken_invariants"], IsEmpty());
    EXPECT_THAT(run.Out() + run.Err(), HasSubstr("of pauses, the first at"));
}

// A run without a duration does not end before a slow watchdog has acted: it looks at 2 s, 4 s and
// 6 s.
TEST(RunDeadlock, ARunWaitsForASlowWatchdog)
{
    Scenario scenario = MakeClockwiseRing();
    scenario.watchdog.Set("Action", StringValue("drop"));
    scenario.watchdog.Set("DetectionTime", StringValue("4s"));
    scenario.watchdog.Set("PollInterval", StringValue("2s"));
    scenario.watchdog.Set("RestorationTime", StringValue("2s"));
    const RunInFolder run{scenario};
    EXPECT_GT(run.Json("summary.json")["events"]["watchdog_detected"], 0) << run.Err();
}

/** Equal bytes however a run is computed, with deadlocks and a watchdog. */
class RunDeadlockEquality : public testing::TestWithParam<EngineChoice>
{
};

TEST_P(RunDeadlockEquality, EveryEngineWritesTheSameBytes)
{
    Scenario scenario = MakeClockwiseRing();
    scenario.watchdog.Set("Action", StringValue("drop"));
    const RunInFolder first{scenario};
    scenario.engine = GetParam();
    const RunInFolder second{scenario};
    for (const char* file : {"events.csv", "flows.csv", "links.csv", "pfc.csv", "summary.json"})
    {
        EXPECT_EQ(second.Read(file), first.Read(file)) << file;
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, RunDeadlockEquality, EveryEngine(), NameEngine);

} // namespace ns3::rdma
