// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/sweep-plan.h"
#include "tests/scenario/sample-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

const std::string BASE = "topology: {family: star, hosts: 5}\n"
                         "workload: [{pattern: incast, senders: 4, bytes: 1KB}]\n";

std::vector<std::string>
Names(const SweepPlan& plan)
{
    std::vector<std::string> names;
    for (const SweepRun& run : plan.runs)
    {
        names.push_back(run.name);
    }
    return names;
}

LoadRequest
Request(const SampleFile& file, std::vector<SettingOverride> overrides = {})
{
    return {
        .file = file.GetPath(), .hpccConfig = "", .overrides = std::move(overrides), .point = {}};
}

} // namespace

TEST(SweepPlan, WithoutASweepThereIsOneOrdinaryRun)
{
    const SampleFile file{"plan.yaml", BASE};
    const auto plan = MakeSweepPlan(Request(file));
    ASSERT_TRUE(plan) << ToString(plan.Errors());
    EXPECT_TRUE(plan->runs.empty());
    EXPECT_EQ(plan->first.flows.size(), 4U);
}

TEST(SweepPlan, TheLastKeyChangesFastest)
{
    const SampleFile file{"plan.yaml",
                          BASE + "sweep: {congestion.algorithm: [none, dcqcn], seed: [1, 2]}\n"};
    const auto plan = MakeSweepPlan(Request(file));
    ASSERT_TRUE(plan) << ToString(plan.Errors());
    EXPECT_THAT(
        Names(*plan),
        ElementsAre("000-none-seed1", "001-none-seed2", "002-dcqcn-seed1", "003-dcqcn-seed2"));
    EXPECT_EQ(DescribeSweep(*plan),
              "sweep: 4 runs\n  congestion.algorithm  none, dcqcn\n  seed                  1, 2\n");
    const auto last = LoadScenario(GetRequest(*plan, plan->runs[3]));
    ASSERT_TRUE(last) << ToString(last.Errors());
    EXPECT_EQ(last->seed, 2U);
    EXPECT_EQ(last->congestion.GetTypeId().GetName(), "ns3::rdma::Dcqcn");
}

TEST(SweepPlan, ASingleRunOfASweepMustBeNamed)
{
    const SampleFile file{"plan.yaml", BASE + "sweep: {seed: [1, 2]}\n"};
    const auto scenario = LoadScenario(Request(file));
    ASSERT_FALSE(scenario);
    EXPECT_THAT(ToString(scenario.Errors()),
                HasSubstr("plan.yaml:3: sweep: these are several runs"));
}

TEST(SweepPlan, OptionsAddAndReplaceAndEndLists)
{
    const SampleFile file{"plan.yaml",
                          BASE + "sweep: {seed: [1, 2], workload.0.senders: [1, 2]}\n"};
    const auto plan = MakeSweepPlan(Request(file,
                                            {{"seed", "7", "--seed"},
                                             {"workload.0.senders", "[3]", "--set"},
                                             {"topology.rate", "[25Gbps, 50Gbps]", "--set"}}));
    ASSERT_TRUE(plan) << ToString(plan.Errors());
    EXPECT_THAT(plan->keys, ElementsAre("workload.0.senders", "topology.rate"));
    EXPECT_THAT(Names(*plan), ElementsAre("000-senders3-rate25Gbps", "001-senders3-rate50Gbps"));
    EXPECT_EQ(plan->first.seed, 7U);
    EXPECT_EQ(plan->first.flows.size(), 3U);
    // With all lists ended, one ordinary run is left.
    const auto one = MakeSweepPlan(
        Request(file, {{"seed", "7", "--seed"}, {"workload.0.senders", "2", "--set"}}));
    ASSERT_TRUE(one) << ToString(one.Errors());
    EXPECT_TRUE(one->runs.empty());
    EXPECT_EQ(one->first.flows.size(), 2U);
}

TEST(SweepPlan, KeysOfAnAlgorithmThatAnotherRunHasAreLeftOut)
{
    const SampleFile file{"plan.yaml",
                          BASE + "congestion: {parameters: paper, alpha_gain: 1/64}\n"
                                 "sweep: {congestion.algorithm: [dcqcn, none]}\n"};
    const auto plan = MakeSweepPlan(Request(file));
    ASSERT_TRUE(plan) << ToString(plan.Errors());
    const auto without = LoadScenario(GetRequest(*plan, plan->runs[1]));
    ASSERT_TRUE(without);
    EXPECT_THAT(without->notes, testing::Contains(HasSubstr("congestion.alpha_gain")));
}

TEST(SweepPlan, TheDigestFollowsWhatDecidesTheResults)
{
    const SampleFile file{"plan.yaml", BASE + "sweep: {seed: [1, 2]}\n"};
    const auto digest = [&file](std::vector<SettingOverride> overrides)
    { return MakeSweepPlan(Request(file, std::move(overrides)))->digest; };
    EXPECT_EQ(digest({}), digest({}));
    EXPECT_EQ(digest({}), digest({{"workload.0.bytes", "1000B", "--set"}}));
    EXPECT_NE(digest({}), digest({{"workload.0.bytes", "2KB", "--set"}}));
    EXPECT_NE(digest({}), digest({{"seed", "[1, 3]", "--set"}}));
}

TEST(SweepPlan, EachErrorIsToldOnce)
{
    const SampleFile file{"plan.yaml", BASE + "pfc: {enabld: true}\nsweep: {seed: [1, 2, x]}\n"};
    const auto plan = MakeSweepPlan(Request(file));
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.Errors().size(), 2U) << ToString(plan.Errors());
}

} // namespace ns3::rdma
