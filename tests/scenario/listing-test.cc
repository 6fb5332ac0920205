// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/listing.h"
#include "tests/scenario/sample-components.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::HasSubstr;
using testing::Not;

TEST(Listing, TheOverviewNamesAllGroupsAndChoices)
{
    const std::string text = ListGroups(SampleRules());
    EXPECT_THAT(text, HasSubstr("pfc               Sample settings\n"));
    EXPECT_THAT(text, HasSubstr("pfc.policy        Sample policies (policy: none, two-step)\n"));
}

TEST(Listing, AGroupShowsEveryAttributeOfEveryClass)
{
    const auto text = ListGroup(SampleRules(), "pfc.policy", "");
    ASSERT_TRUE(text);
    EXPECT_EQ(*text,
              "pfc.policy: Sample policies\n"
              "\npolicy: none (default)\n"
              "  limit  9KB  bytes  What all policies have\n"
              "\npolicy: two-step\n"
              "  Takes two steps\n"
              "  limit  9KB   bytes  What all policies have\n"
              "  step   400B  bytes  Size of a step\n");
}

TEST(Listing, TheLastWordOfAKeyIsEnough)
{
    EXPECT_EQ(*ListGroup(SampleRules(), "policy", ""), *ListGroup(SampleRules(), "pfc.policy", ""));
}

TEST(Listing, OneClassAlone)
{
    const auto text = ListGroup(SampleRules(), "policy", "two-step");
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("policy: two-step"));
    EXPECT_THAT(*text, Not(HasSubstr("none")));
}

TEST(Listing, ParameterSetsComeWithTheirSource)
{
    const GroupRules rules{{.key = "congestion",
                            .help = "",
                            .typeName = "ns3::rdma::CongestionControl",
                            .selector = "algorithm",
                            .noun = "CongestionControl"}};
    const auto text = ListGroup(rules, "congestion", "sample-control");
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("  parameters: paper  from A paper 2015\n    rate   40Gbps\n"));
}

TEST(Listing, UnknownNamesAnswerWithTheKnown)
{
    const auto kind = ListGroup(SampleRules(), "pfcc", "");
    ASSERT_FALSE(kind);
    EXPECT_EQ(kind.Errors().at(0).nearest, "pfc");
    EXPECT_THAT(kind.Errors().at(0).knownNames, testing::Contains("topology"));
    const auto name = ListGroup(SampleRules(), "policy", "two-stp");
    ASSERT_FALSE(name);
    EXPECT_EQ(name.Errors().at(0).nearest, "two-step");
}

TEST(Listing, ExplainShowsValueOriginTypeAndHelp)
{
    Scenario scenario;
    scenario.topology.nodes = {
        {NodeKind::HOST, "h0"}, {NodeKind::HOST, "h1"}, {NodeKind::SWITCH, "s"}};
    scenario.topology.links.resize(2);
    scenario.flows.resize(1);
    scenario.flows[0].bytes = 1'500'000;
    scenario.parameters = {{"seed", "7", "a.yaml:3", "whole number", "The seed"},
                           {"pfc.delay", "", "default", "time", "A delay"}};
    scenario.notes = {"taken as percent"};
    scenario.warnings = {"too small"};
    EXPECT_EQ(ExplainScenario(scenario),
              "seed       7       a.yaml:3  [whole number] The seed\n"
              "pfc.delay  (none)  default   [time] A delay\n"
              "\n2 hosts, 1 switch, 2 links, 1 flow of 1.5 MB in all\n"
              "note: taken as percent\nwarning: too small\n");
}

} // namespace ns3::rdma
