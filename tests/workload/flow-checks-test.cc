// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "workload/flow-checks.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

Flow
Between(uint32_t source, uint32_t destination)
{
    Flow flow;
    flow.source = source;
    flow.destination = destination;
    flow.bytes = 1000;
    return flow;
}

std::vector<std::string>
Findings(const Flow& flow)
{
    std::vector<std::string> texts;
    for (const auto& finding : CheckFlows(MustGenerate("StarTopology", {{"Hosts", "3"}}), {flow}))
    {
        texts.push_back(ToString(finding));
    }
    return texts;
}

} // namespace

TEST(FlowChecks, OrderIsByStartSourceDestinationPortBytes)
{
    // Each flow differs from the one before in one field only; later fields weigh less.
    FlowList flows(7, Between(1, 1));
    flows[1].bytes = 2000;
    flows[2].destinationPort = 1;
    flows[3].destination = 2;
    flows[4].source = 2;
    flows[4].destination = 0;
    flows[5].start = {1};
    flows[5].source = 0;
    flows[6].start = {2};
    FlowList shuffled{flows[5], flows[2], flows[6], flows[0], flows[4], flows[3], flows[1]};
    EXPECT_TRUE(AreFlowsSorted(flows));
    EXPECT_FALSE(AreFlowsSorted(shuffled));
    SortFlows(shuffled);
    EXPECT_EQ(shuffled, flows);
}

TEST(FlowChecks, RefusesWhatCannotRun)
{
    EXPECT_THAT(Findings(Between(0, 2)), IsEmpty());
    EXPECT_THAT(Findings(Between(1, 1)), ElementsAre(HasSubstr("not modelled")));
    EXPECT_THAT(Findings(Between(0, 3)), ElementsAre(HasSubstr("no host"))); // the switch
    EXPECT_THAT(Findings(Between(0, 9)), ElementsAre(HasSubstr("#9")));
    Flow flow = Between(0, 1);
    flow.priority = 8;
    flow.bytes = 0;
    flow.start = SimTime::Never();
    EXPECT_THAT(Findings(flow),
                ElementsAre(HasSubstr("priority"), HasSubstr("0 bytes"), HasSubstr("never")));
    flow = Between(0, 1);
    flow.bytes = MAX_FLOW_BYTES;
    EXPECT_THAT(Findings(flow), IsEmpty());
    flow.bytes = MAX_FLOW_BYTES + 1;
    EXPECT_THAT(Findings(flow), ElementsAre(HasSubstr("9223372036854775809")));
}

TEST(FlowChecks, FindsTheFirstPairWithoutAPath)
{
    // Two back-to-back pairs, not joined; hosts do not forward.
    Topology topology;
    topology.nodes.assign(3, {NodeKind::HOST, ""});
    topology.nodes[0].name = "a";
    topology.nodes[1].name = "b";
    topology.nodes[2].name = "c";
    topology.links = {{0, 1, BitRate::Gbps(1), {}, 0.0, ""}, {1, 2, BitRate::Gbps(1), {}, 0.0, ""}};
    const FlowList flows{Between(0, 1), Between(2, 1), Between(0, 2), Between(2, 0)};
    const auto found = FindUnreachablePair(ComputeRoutes(topology), flows);
    EXPECT_EQ(found, 2U);
    EXPECT_THAT(ToString(DescribeUnreachable(topology, flows[2])),
                HasSubstr("host c cannot be reached from host a"));
    EXPECT_EQ(FindUnreachablePair(ComputeRoutes(topology), {flows[0], flows[1]}), std::nullopt);
}

TEST(FlowChecks, ResolvesNamesAndReportsAllThatFail)
{
    const Topology topology = MustGenerate("StarTopology", {{"Hosts", "12"}});
    const auto hosts = ResolveHosts(topology, "h3, h1 h11", "sources");
    ASSERT_TRUE(hosts);
    EXPECT_THAT(*hosts, ElementsAre(3, 1, 11));
    const auto wrong = ResolveHosts(topology, "h3,h3,switch,hh1", "sources");
    ASSERT_FALSE(wrong);
    ASSERT_EQ(wrong.Errors().size(), 3U);
    EXPECT_THAT(ToString(wrong.Errors()[0]), HasSubstr("sources: the host is named twice"));
    EXPECT_THAT(ToString(wrong.Errors()[1]), HasSubstr("'switch'"));
    EXPECT_THAT(ToString(wrong.Errors()[2]), HasSubstr("did you mean 'h1'"));
}
