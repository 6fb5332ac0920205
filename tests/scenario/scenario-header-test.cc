// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-file.h"
#include "scenario/scenario-header.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

TEST(ScenarioHeader, EveryKeyIsExplainedWithItsDefault)
{
    Scenario scenario;
    const auto root = ParseScenarioText("description: x\nseed: 3\n", "a.yaml");
    EXPECT_EQ(ToString(ReadHeader(*root, "stem", scenario)), "");
    ASSERT_EQ(scenario.parameters.size(), GetHeaderRules().size());
    EXPECT_EQ(scenario.parameters[0].key, "name");
    EXPECT_EQ(scenario.parameters[0].value, "stem");
    EXPECT_EQ(scenario.parameters[0].origin, "default");
    EXPECT_EQ(scenario.parameters[2].key, "seed");
    EXPECT_EQ(scenario.parameters[2].value, "3");
    EXPECT_EQ(scenario.parameters[2].origin, "a.yaml:2");
    EXPECT_EQ(scenario.description, "x");
}

TEST(ScenarioHeader, TheLargestSeedIsTakenAndOneMoreIsNot)
{
    Scenario scenario;
    const auto largest = ParseScenarioText("seed: 18446744073709551615\n", "a.yaml"); // 2^64 - 1
    EXPECT_EQ(ToString(ReadHeader(*largest, "x", scenario)), "");
    EXPECT_EQ(scenario.seed, UINT64_MAX);
    const auto more = ParseScenarioText("seed: 18446744073709551616\n", "a.yaml");
    EXPECT_THAT(ToString(ReadHeader(*more, "x", scenario)),
                testing::HasSubstr("a.yaml:1: seed: not a whole number"));
}

TEST(ScenarioHeader, DurationsAreExact)
{
    Scenario scenario;
    const auto root = ParseScenarioText("duration: 0.1ns\n", "a.yaml");
    EXPECT_EQ(ToString(ReadHeader(*root, "x", scenario)), "");
    EXPECT_EQ(scenario.duration, SimTime{100});
}

} // namespace ns3::rdma
