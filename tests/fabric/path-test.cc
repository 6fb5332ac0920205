// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <array>
#include <gmock/gmock.h>
#include <set>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

// ---------------------------------------------------------------- k = 4 fat-tree

/** Cables from pod 0's aggregation switches to cores that carry data to pod 1. */
std::set<std::string>
UsedCores(const std::string& seed)
{
    Scenario scenario =
        MakeTestScenario(GenerateTopology("ns3::rdma::FatTreeTopology", {{"K", "4"}}));
    scenario.path.Set("Seed", StringValue(seed));
    for (uint32_t flow = 0; flow < 1000; ++flow)
    {
        // Hosts 0 .. 3 are pod 0's, 4 .. 7 pod 1's.
        scenario.flows.push_back(MakeFlow(flow % 4, 4 + flow / 4 % 4, 1000));
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 1000U);
    std::set<std::string> used;
    for (const FabricLink& link : run.GetFabric().GetLinks())
    {
        const bool isOfPod0 = link.from == "agg0" || link.from == "agg1";
        if (isOfPod0 && link.to.starts_with("core") && link.port->GetCounters().frames > 0)
        {
            used.insert(link.to);
        }
    }
    return used;
}

TEST(Paths, SeedPerSwitchUsesAllFourCorePathsOfAPodPair)
{
    EXPECT_EQ(UsedCores("per-switch").size(), 4U);
}

// Edge and aggregation take the same decision: of the four cores only two are reachable.
TEST(Paths, EqualSeedsUseExactlyTwoOfFour)
{
    EXPECT_EQ(UsedCores("equal").size(), 2U);
}

// ------------------------------------------------------------------ parallel cables

// Eight hosts, four parallel cables of 100 Gb/s between two switches; 100 flows from each left host
// to each right host. Every cable carries, and together they are near 400 Gb/s while all run: a
// cable with less than a quarter of the flows idles a little, that is all.
TEST(Paths, FourParallelCablesCarryNear400Gigabits)
{
    Scenario scenario =
        MakeTestScenario(MakeTwoSwitches({.leftHosts = 4, .rightHosts = 4, .trunks = 4}));
    for (uint32_t flow = 0; flow < 1600; ++flow)
    {
        scenario.flows.push_back(MakeFlow(flow % 4, 4 + flow / 4 % 4, 1'000'000));
    }
    TestRun run{scenario};
    const SimTime end = SimTime::Microseconds(300);
    run.RunUntil(end);
    double bits = 0;
    uint32_t cables = 0;
    for (const FabricLink& link : run.GetFabric().GetLinks())
    {
        if (link.from == "s0" && link.to == "s1")
        {
            ++cables;
            EXPECT_GT(link.port->GetCounters().wireBytes, 0U);
            bits += static_cast<double>(link.port->GetCounters().wireBytes) * 8;
        }
    }
    EXPECT_EQ(cables, 4U);
    const double rate = bits / end.ToSeconds();
    EXPECT_GT(rate, 0.9 * 400e9);
    EXPECT_LE(rate, 400e9);
}

/** The trunks, by number, that carried data of a run over two switches. */
std::vector<uint32_t>
UsedTrunks(const TestRun& run)
{
    std::vector<uint32_t> used;
    uint32_t trunk = 0;
    for (const FabricLink& link : run.GetFabric().GetLinks())
    {
        if (link.from == "s0" && link.to == "s1")
        {
            if (link.port->GetCounters().frames > 0)
            {
                used.push_back(trunk);
            }
            ++trunk;
        }
    }
    return used;
}

/** Two flows of 1 MiB, h0 to a host and h1 to another, over two switches with four trunks. */
Scenario
MakePairOfFlows(uint32_t first, uint32_t second)
{
    Scenario scenario =
        MakeTestScenario(MakeTwoSwitches({.leftHosts = 2, .rightHosts = 8, .trunks = 4}));
    scenario.flows = {MakeFlow(0, first, 1 << 20), MakeFlow(1, second, 1 << 20)};
    return scenario;
}

/** What two flows did. */
struct PairOutcome
{
    std::vector<uint32_t> trunks; ///< that they used
    std::array<double, 2> slowdown{};
};

PairOutcome
RunPairOfFlows(uint32_t first, uint32_t second)
{
    TestRun run{MakePairOfFlows(first, second)};
    run.RunToEnd();
    PairOutcome outcome{.trunks = UsedTrunks(run)};
    for (uint32_t flow = 0; flow < 2; ++flow)
    {
        const double ideal = run.GetRunner().GetIdeals(flow).delivered.ToSeconds();
        outcome.slowdown[flow] = run.GetRecord(flow).delivered.ToSeconds() / ideal;
    }
    return outcome;
}

// A flow keeps to one cable, the same in each run. Two flows that collide on a cable of 100 Gb/s
// take twice as long as alone, to 2 % (the cables' delay is not doubled); two that do not collide,
// exactly their ideal time.
TEST(Paths, CollidingFlowsTakeTwiceAsLong)
{
    uint32_t collisions = 0;
    uint32_t misses = 0;
    for (uint32_t second = 3; second < 10; ++second)
    {
        const PairOutcome outcome = RunPairOfFlows(2, second);
        ASSERT_LE(outcome.trunks.size(), 2U);
        const bool collides = outcome.trunks.size() == 1;
        ++(collides ? collisions : misses);
        for (const double slowdown : outcome.slowdown)
        {
            EXPECT_NEAR(slowdown, collides ? 2.0 : 1.0, collides ? 0.04 : 1e-9) << second;
        }
        EXPECT_EQ(RunPairOfFlows(2, second).trunks, outcome.trunks);
    }
    EXPECT_GE(collisions, 1U) << "a quarter of seven is expected";
    EXPECT_GE(misses, 1U);
}

// ------------------------------------------------------------------- without switches

TEST(Fabric, HostsBackToBack)
{
    Scenario scenario = MakeTestScenario(MakePath({{G100, US}}));
    scenario.flows = {MakeFlow(0, 1, 100'000), MakeFlow(1, 0, 100'000)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 2U);
    run.ExpectInvariants();
}

// Each pair of eight hosts has a cable of its own, so each of 56 flows takes its ideal time but for
// the acknowledgements of the flow that comes the other way.
TEST(Fabric, FullMeshOfEightHosts)
{
    Scenario scenario =
        MakeTestScenario(GenerateTopology("ns3::rdma::FullMeshTopology", {{"Hosts", "8"}}));
    for (uint32_t source = 0; source < 8; ++source)
    {
        for (uint32_t destination = 0; destination < 8; ++destination)
        {
            if (source != destination)
            {
                scenario.flows.push_back(MakeFlow(source, destination, 100'000));
            }
        }
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 56U);
    run.ExpectInvariants();
    for (uint32_t flow = 0; flow < 56; ++flow)
    {
        // 98 packets of 1106, and as many acknowledgements of 86 between them: 8 % more.
        EXPECT_LT(run.GetRecord(flow).delivered.ToSeconds(),
                  1.1 * run.GetRunner().GetIdeals(flow).delivered.ToSeconds());
    }
}

// h0 - h1 - h2: h1 does not forward.
TEST(Fabric, HostWithoutAPathIsNamed)
{
    Topology topology;
    topology.nodes = {
        {NodeKind::HOST, "alpha"}, {NodeKind::HOST, "beta"}, {NodeKind::HOST, "gamma"}};
    for (uint32_t host = 0; host < 2; ++host)
    {
        TopologyLink link;
        link.a = host;
        link.b = host + 1;
        link.rate = G100;
        topology.links.push_back(link);
    }
    const Scenario scenario = MakeTestScenario(topology);
    TestRun run{scenario};
    const FlowList flows{MakeFlow(0, 2, 100)};
    const auto runner = FlowRunner::Make(run.GetFabric(), flows, 1);
    ASSERT_FALSE(runner);
    EXPECT_THAT(runner.Errors().front().message, HasSubstr("alpha"));
    EXPECT_THAT(runner.Errors().front().message, HasSubstr("gamma"));
}

// A switch of 1024 ports: every host sends to the one half a circle away.
TEST(Fabric, SwitchOf1024Ports)
{
    Scenario scenario = MakeTestScenario(MakeStar(1024, G100, US));
    scenario.buffer.Set("Size", StringValue("256MiB"));
    for (uint32_t host = 0; host < 1024; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, (host + 512) % 1024, 4096));
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 1024U);
    EXPECT_EQ(run.CountDropped(), 0U);
    run.ExpectInvariants();
}

} // namespace
} // namespace ns3::rdma
