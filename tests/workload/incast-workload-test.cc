// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/generate.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::HasSubstr;

namespace
{

Topology
FourHosts()
{
    return MustGenerate("StarTopology", {{"Hosts", "4"}});
}

} // namespace

TEST(IncastWorkload, AllOthersSendToTheFirstHost)
{
    const FlowList flows = MustGenerateFlows(FourHosts(), "IncastWorkload", {{"Bytes", "64KB"}});
    ASSERT_EQ(flows.size(), 3U);
    for (uint32_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(flows[i].source, i + 1);
        EXPECT_EQ(flows[i].destination, 0U);
        EXPECT_EQ(flows[i].bytes, 64'000U);
        EXPECT_EQ(flows[i].start, SimTime{0});
    }
}

TEST(IncastWorkload, CountedAndNamedSenders)
{
    const FlowList counted =
        MustGenerateFlows(FourHosts(), "IncastWorkload", {{"Senders", "2"}, {"Receiver", "h1"}});
    ASSERT_EQ(counted.size(), 2U);
    EXPECT_EQ(counted[0].source, 0U);
    EXPECT_EQ(counted[1].source, 2U);
    EXPECT_EQ(counted[1].destination, 1U);
    const FlowList named = MustGenerateFlows(FourHosts(), "IncastWorkload", {{"Sources", "h3,h2"}});
    ASSERT_EQ(named.size(), 2U);
    EXPECT_EQ(named[0].source, 2U);
    EXPECT_EQ(named[1].source, 3U);
}

TEST(IncastWorkload, RoundsAndJitter)
{
    const FlowList flows = MustGenerateFlows(
        FourHosts(),
        "IncastWorkload",
        {{"Start", "1ms"}, {"Rounds", "100"}, {"Period", "10us"}, {"Jitter", "2us"}});
    ASSERT_EQ(flows.size(), 300U);
    double sum = 0.0;
    for (const Flow& flow : flows)
    {
        const uint64_t late = (flow.start - SimTime::Milliseconds(1)).ps % 10'000'000;
        EXPECT_LT(late, 2'000'000U);
        sum += static_cast<double>(late);
    }
    // Uniform below 2 us: mean 1 us, standard deviation 577 ns / sqrt(300) = 33 ns; 5 of these.
    EXPECT_NEAR(sum / 300.0, 1e6, 5 * 33'300.0);
    EXPECT_EQ(flows.back().start.ps / 10'000'000, 100U + 99);
}

TEST(IncastWorkload, SeedDecidesTheJitter)
{
    const AttributeTexts attributes{{"Jitter", "2us"}};
    EXPECT_EQ(MustGenerateFlows(FourHosts(), "IncastWorkload", attributes, 1),
              MustGenerateFlows(FourHosts(), "IncastWorkload", attributes, 1));
    EXPECT_NE(MustGenerateFlows(FourHosts(), "IncastWorkload", attributes, 1),
              MustGenerateFlows(FourHosts(), "IncastWorkload", attributes, 2));
}

TEST(IncastWorkload, RefusesImpossibleSenders)
{
    EXPECT_THAT(OnlyError(GenerateFlows(FourHosts(), "IncastWorkload", {{"Senders", "4"}})),
                AllOf(HasSubstr("4 senders"), HasSubstr("at most 3 of 4 hosts")));
    EXPECT_THAT(OnlyError(GenerateFlows(FourHosts(), "IncastWorkload", {{"Receiver", "h9"}})),
                HasSubstr("receiver"));
    EXPECT_THAT(OnlyError(GenerateFlows(FourHosts(), "IncastWorkload", {{"Receiver", "h1 h2"}})),
                HasSubstr("not one receiver"));
    EXPECT_THAT(OnlyError(GenerateFlows(
                    FourHosts(), "IncastWorkload", {{"Senders", "1"}, {"Sources", "h1"}})),
                HasSubstr("both counted and named"));
    EXPECT_THAT(OnlyError(GenerateFlows(FourHosts(), "IncastWorkload", {{"Sources", "h0"}})),
                HasSubstr("sends to itself"));
    EXPECT_THAT(
        OnlyError(GenerateFlows(MustGenerate("StarTopology", {{"Hosts", "1"}}), "IncastWorkload")),
        HasSubstr("senders"));
    EXPECT_THAT(OnlyError(GenerateFlows(FourHosts(), "IncastWorkload", {{"Rounds", "4294967295"}})),
                HasSubstr("12884901885 flows"));
}
