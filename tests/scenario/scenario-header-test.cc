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

TEST(ScenarioHeader, TheWindowIsReadAndChecked)
{
    const auto errorsOf = [](const std::string& text)
    {
        Scenario scenario;
        return ToString(ReadHeader(*ParseScenarioText(text, "a.yaml"), "x", scenario));
    };
    Scenario scenario;
    const auto root = ParseScenarioText("window: {warm_up: 1ms, cut_off: 9ms}\n", "a.yaml");
    EXPECT_EQ(ToString(ReadHeader(*root, "x", scenario)), "");
    EXPECT_EQ(scenario.window,
              (MeasurementWindow{SimTime::Milliseconds(1), SimTime::Milliseconds(9)}));
    EXPECT_EQ(errorsOf("window: {warm_up: 0s}\n"), "");
    EXPECT_THAT(errorsOf("window: {warm_up: 9ms, cut_off: 9ms}\n"),
                testing::HasSubstr("window.cut_off: the window is empty; got '9ms'"));
    EXPECT_THAT(errorsOf("duration: 1ms\nwindow: {warm_up: 1ms}\n"),
                testing::HasSubstr("window.warm_up: the run ends before the window begins"));
    EXPECT_THAT(errorsOf("window: {warmup: 1ms}\n"),
                testing::HasSubstr("window.warmup: unknown key"));
    EXPECT_THAT(errorsOf("window: 1ms\n"), testing::HasSubstr("window: not a group of keys"));
    EXPECT_THAT(errorsOf("engine: {port: lazy}\n"),
                testing::HasSubstr("engine.port: unknown key; got 'port'; did you mean 'ports'?"));
}

} // namespace ns3::rdma
