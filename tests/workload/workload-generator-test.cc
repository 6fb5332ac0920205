// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/generate.h"
#include "workload/flow-checks.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::HasSubstr;

TEST(WorkloadGenerator, EveryFlowHasTheCommonAttributes)
{
    const FlowList flows = MustGenerateFlows(
        MustGenerate("StarTopology"),
        "IncastWorkload",
        {{"Priority", "5"}, {"DestinationPort", "200"}, {"Rate", "10Gbps"}, {"Tag", "burst"}});
    for (const Flow& flow : flows)
    {
        EXPECT_EQ(flow.priority, 5);
        EXPECT_EQ(flow.destinationPort, 200);
        EXPECT_EQ(flow.rate, BitRate::Gbps(10));
        EXPECT_EQ(flow.tag, "burst");
    }
}

TEST(WorkloadGenerator, WithoutRateFlowsHaveNone)
{
    const FlowList flows = MustGenerateFlows(MustGenerate("StarTopology"), "IncastWorkload");
    EXPECT_EQ(flows[0].rate, std::nullopt);
    EXPECT_EQ(flows[0].tag, "incast");
    EXPECT_EQ(flows[0].priority, 3);
    EXPECT_TRUE(flows[0].hasCongestionControl);
}

TEST(WorkloadGenerator, FlowsCanBeWithoutCongestionControl)
{
    const FlowList flows =
        MustGenerateFlows(MustGenerate("StarTopology"), "IncastWorkload", {{"Congestion", "none"}});
    EXPECT_FALSE(flows[0].hasCongestionControl);
}

TEST(WorkloadGenerator, NamesThePairWithoutAPath)
{
    Topology topology = MustGenerate("StarTopology", {{"Hosts", "3"}});
    topology.links.pop_back();
    EXPECT_THAT(OnlyError(GenerateFlows(topology, "IncastWorkload")),
                HasSubstr("host h0 cannot be reached from host h2"));
}

TEST(WorkloadGenerator, NeedsHosts)
{
    Topology topology;
    topology.nodes = {{NodeKind::SWITCH, "s"}};
    EXPECT_THAT(OnlyError(GenerateFlows(topology, "IncastWorkload")), HasSubstr("0 hosts"));
}

TEST(WorkloadGenerator, AllPatternsGiveSortedValidFlowsAndTheSameAgain)
{
    const Topology topology = MustGenerate(
        "LeafSpineTopology", {{"Leaves", "2"}, {"Spines", "2"}, {"HostsPerLeaf", "4"}});
    for (const char* const name : {"IncastWorkload", "PermutationWorkload", "AllToAllWorkload"})
    {
        const FlowList flows = MustGenerateFlows(topology, name, {}, 7);
        EXPECT_FALSE(flows.empty()) << name;
        EXPECT_TRUE(AreFlowsSorted(flows)) << name;
        EXPECT_EQ(flows, MustGenerateFlows(topology, name, {}, 7)) << name;
    }
}
