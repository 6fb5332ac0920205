// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/json-schema.h"
#include "tests/scenario/sample-components.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using Json = nlohmann::ordered_json;

TEST(JsonSchema, EveryGroupAndHeaderKeyIsAProperty)
{
    const Json properties = GetScenarioSchema(SampleRules())["properties"];
    for (const char* key :
         {"name", "seed", "duration", "engine", "pfc", "topology", "workload", "hpcc"})
    {
        EXPECT_TRUE(properties.contains(key)) << key;
    }
    EXPECT_EQ(properties["engine"]["properties"]["ports"]["enum"], Json({"lazy", "eager"}));
}

TEST(JsonSchema, UnknownKeysAreRefused)
{
    const Json schema = GetScenarioSchema(SampleRules());
    EXPECT_EQ(schema["additionalProperties"], false);
    EXPECT_EQ(schema["properties"]["pfc"]["additionalProperties"], false);
}

TEST(JsonSchema, AGroupWithAChoiceHasOneSchemaForEach)
{
    const Json schema = GetScenarioSchema(SampleRules());
    const Json choices = schema["properties"]["pfc"]["properties"]["policy"]["oneOf"];
    ASSERT_EQ(choices.size(), 2U);
    EXPECT_EQ(choices[0]["properties"]["policy"]["const"], "none");
    EXPECT_FALSE(choices[0].contains("required")); // the default need not be named
    EXPECT_EQ(choices[1]["properties"]["policy"]["const"], "two-step");
    EXPECT_EQ(choices[1]["required"], Json({"policy"}));
    EXPECT_TRUE(choices[1]["properties"].contains("step"));
    EXPECT_EQ(choices[1]["description"], "Takes two steps");
}

TEST(JsonSchema, ListsHoldChoices)
{
    const Json workload = GetScenarioSchema(SampleRules())["properties"]["workload"];
    EXPECT_EQ(workload["type"], "array");
    EXPECT_TRUE(workload["items"].contains("oneOf"));
}

} // namespace ns3::rdma
