// SPDX-License-Identifier: GPL-2.0-only
#include "engine/simulator-choice.h"
#include "tests/support/test-scenario.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;
using testing::IsEmpty;

ObjectFactory
MakeRoute(const std::string& node, const std::string& destination, const std::string& next)
{
    ObjectFactory route{"ns3::rdma::RouteSettings"};
    route.Set("Node", StringValue(node));
    route.Set("Destination", StringValue(destination));
    route.Set("Next", StringValue(next));
    return route;
}

/** A ring of three switches with a host each. */
Scenario
MakeRing()
{
    Scenario scenario = MakeTestScenario(GenerateTopology("ns3::rdma::RingTopology", {}));
    scenario.flows = {MakeFlow(0, 2, 1'000)};
    return scenario;
}

/** What Fabric::Build has against a scenario. */
Diagnostics
FindErrors(const Scenario& scenario)
{
    EXPECT_FALSE(SelectEngine("fabric"));
    Diagnostics errors;
    {
        const auto fabric = Fabric::Build(scenario);
        errors = fabric ? Diagnostics{} : fabric.Errors();
    }
    Simulator::Destroy();
    return errors;
}

} // namespace

// Over s1 there are four cables instead of three, which are store and forward.
TEST(FabricRoutes, AFlowTakesItsDirectedRoute)
{
    Scenario scenario = MakeRing();
    const SimTime direct = [&scenario]
    {
        TestRun run{scenario};
        run.RunToEnd();
        return run.GetRecord(0).delivered;
    }();
    scenario.routes = {MakeRoute("s0", "h2", "s1")};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.FindLink("s0", "s1").port->GetCounters().frames, 1U);
    EXPECT_EQ(run.FindLink("s1", "s2").port->GetCounters().frames, 1U);
    EXPECT_EQ(run.FindLink("s0", "s2").port->GetCounters().frames, 0U);
    EXPECT_EQ(run.FindLink("s2", "s0").port->GetCounters().frames, 1U) << "the acknowledgement";
    // 1000 bytes of payload: 14 + 20 + 8 + 12 + 16 + 4 + 4 of headers, 8 of preamble.
    EXPECT_EQ(run.GetRecord(0).delivered - direct, SimTime{1086 * 80} + SimTime::Microseconds(1));
    run.ExpectInvariants();
}

TEST(FabricRoutes, UnknownNamesAreErrorsWithTheNearest)
{
    Scenario scenario = MakeRing();
    scenario.routes = {MakeRoute("s9", "h2", "s1"),
                       MakeRoute("h0", "h2", "s1"),
                       MakeRoute("s0", "s2", "s1"),
                       MakeRoute("s0", "h2", "s7")};
    const Diagnostics errors = FindErrors(scenario);
    ASSERT_EQ(errors.size(), 4U);
    EXPECT_EQ(errors[0].key, "routes.0.node");
    EXPECT_EQ(errors[0].got, "s9");
    EXPECT_EQ(errors[0].knownNames, (std::vector<std::string>{"s0", "s1", "s2"}));
    EXPECT_EQ(errors[1].key, "routes.1.node") << "hosts do not choose";
    EXPECT_EQ(errors[2].key, "routes.2.destination");
    EXPECT_EQ(errors[3].key, "routes.3.next");
    EXPECT_EQ(errors[3].knownNames, (std::vector<std::string>{"s1", "s2"})) << "not its own host";
}

TEST(FabricRoutes, TwoRoutesForOneAreAnError)
{
    Scenario scenario = MakeRing();
    scenario.routes = {MakeRoute("s0", "h2", "s1"), MakeRoute("s0", "h2", "s2")};
    const Diagnostics errors = FindErrors(scenario);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "routes.1.next");
    EXPECT_THAT(errors[0].message, HasSubstr("second route"));
}

TEST(FabricRoutes, ALoopIsAnErrorThatNamesIt)
{
    Scenario scenario = MakeRing();
    scenario.routes = {MakeRoute("s0", "h2", "s1"), MakeRoute("s1", "h2", "s0")};
    const Diagnostics errors = FindErrors(scenario);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].key, "routes.1.next");
    EXPECT_THAT(errors[0].message, HasSubstr("s0 -> s1 -> s0"));
}

// The entries count together: each alone would be a loop for a ring of five.
TEST(FabricRoutes, OnlyAllTogetherMustBeFreeOfLoops)
{
    Scenario scenario =
        MakeTestScenario(GenerateTopology("ns3::rdma::RingTopology", {{"Switches", "5"}}));
    scenario.routes = {MakeRoute("s0", "h4", "s1"), MakeRoute("s1", "h4", "s2")};
    EXPECT_THAT(FindErrors(scenario), IsEmpty());
    scenario.routes.pop_back();
    EXPECT_THAT(FindErrors(scenario), testing::SizeIs(1));
}

TEST(FabricRoutes, ACycleOfRoutesIsAWarningThatNamesIt)
{
    Scenario scenario = MakeRing();
    scenario.routes = {
        MakeRoute("s0", "h2", "s1"), MakeRoute("s1", "h0", "s2"), MakeRoute("s2", "h1", "s0")};
    {
        const TestRun run{scenario};
        ASSERT_EQ(run.GetFabric().GetWarnings().size(), 1U);
        EXPECT_EQ(run.GetFabric().GetWarnings()[0],
                  "routes can deadlock lossless classes, a cycle of 3 links: s0 port 1 -> s1 port "
                  "2 -> s2 port 2 -> s0 port 1");
    }
    scenario.pfc.Set("Enabled", StringValue("false"));
    const TestRun lossy{scenario};
    EXPECT_THAT(lossy.GetFabric().GetWarnings(), IsEmpty());
}

} // namespace ns3::rdma
