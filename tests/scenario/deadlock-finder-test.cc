// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/deadlock-finder.h"
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::IsEmpty;
using testing::SizeIs;

constexpr SimTime MS = SimTime::Milliseconds(1);

/** A ring of switches s0, s1, ... with a host at each, and a flow from each host to another. */
Scenario
MakeRing(uint32_t switches, uint32_t shift)
{
    Scenario scenario = MakeTestScenario(
        GenerateTopology("ns3::rdma::RingTopology", {{"Switches", std::to_string(switches)}}));
    scenario.buffer.Set("Size", StringValue("4MiB"));
    scenario.transport.Set("Timeout", StringValue("0"));
    for (uint32_t host = 0; host < switches; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, (host + shift) % switches, 50'000'000));
    }
    return scenario;
}

/** Sends what switch number "from" has for a host two switches on to the next one, clockwise. */
ObjectFactory
MakeClockwise(uint32_t from)
{
    ObjectFactory route{"ns3::rdma::RouteSettings"};
    route.Set("Node", StringValue("s" + std::to_string(from)));
    route.Set("Destination", StringValue("h" + std::to_string((from + 2) % 3)));
    route.Set("Next", StringValue("s" + std::to_string((from + 1) % 3)));
    return route;
}

} // namespace

// Three flows of two hops around a ring of three: each link of the ring has 200 Gb/s to carry. In
// the end each switch's queue is full of frames that wait for the next one's.
TEST(DeadlockFinder, ThreeFlowsAroundARingStopForEver)
{
    Scenario scenario = MakeRing(3, 2);
    scenario.routes = {MakeClockwise(0), MakeClockwise(1), MakeClockwise(2)};
    TestRun run{scenario};
    DeadlockFinder finder{run.GetFabric()};
    EXPECT_THAT(finder.Find({}).cycle, IsEmpty());
    run.RunUntil(20 * MS);
    const uint64_t consumed = run.GetFabric().GetLedger().GetConsumed().bytes;
    const Deadlock deadlock = finder.Find(20 * MS, MS);
    EXPECT_THAT(deadlock.cycle, SizeIs(3));
    EXPECT_EQ(deadlock.blocked, 3U);
    EXPECT_EQ(finder.Describe(deadlock),
              "s0 port 1 -> s1 port 2 -> s2 port 2 -> s0 port 1, priority 3");
    EXPECT_EQ(run.CountFinished(), 0U);
    EXPECT_EQ(run.CountDropped(), 0U);
    run.ExpectInvariants();
    EXPECT_GT(consumed, 0U);
}

// With two of the three long routes there is no circle, and with shortest paths no long route.
TEST(DeadlockFinder, TwoOfThemDoNot)
{
    for (const uint32_t routes : {0U, 1U, 2U})
    {
        Scenario scenario = MakeRing(3, 2);
        for (uint32_t from = 0; from < routes; ++from)
        {
            scenario.routes.push_back(MakeClockwise(from));
        }
        TestRun run{scenario};
        DeadlockFinder finder{run.GetFabric()};
        run.RunUntil(5 * MS);
        EXPECT_THAT(finder.Find(5 * MS).cycle, IsEmpty()) << routes;
        run.RunUntil(100 * MS);
        EXPECT_EQ(run.CountFinished(), 3U) << routes;
    }
}

// A switch that waits for a host waits for something that may end: 2:1 into one host, with pauses
// through two switches.
TEST(DeadlockFinder, CongestionIsNone)
{
    Scenario scenario = MakeTestScenario(MakeTwoSwitches({.leftHosts = 8}));
    scenario.buffer.Set("Size", StringValue("2MiB"));
    for (uint32_t host = 0; host < 8; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 8, 5'000'000));
    }
    TestRun run{scenario};
    DeadlockFinder finder{run.GetFabric()};
    for (uint64_t ms = 1; ms < 3; ++ms)
    {
        run.RunUntil(ms * MS);
        EXPECT_THAT(finder.Find(ms * MS).cycle, IsEmpty());
    }
    EXPECT_GT(run.CountPauses(), 0U);
}

} // namespace ns3::rdma
