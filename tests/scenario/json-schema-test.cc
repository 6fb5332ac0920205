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

TEST(JsonSchema, AGroupWithAChoiceHasKeysByItsSelector)
{
    const Json schema = GetScenarioSchema(SampleRules());
    const Json group = schema["properties"]["pfc"]["properties"]["policy"];
    const Json names = group["properties"]["policy"]["oneOf"];
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0]["const"], "none");
    EXPECT_EQ(names[1]["const"], "two-step");
    EXPECT_EQ(names[1]["description"], "Takes two steps");
    EXPECT_EQ(group["properties"]["policy"]["default"], "none");
    EXPECT_FALSE(group.contains("required")); // the default need not be named
    const Json branches = group["allOf"];
    ASSERT_EQ(branches.size(), 2U);
    EXPECT_FALSE(branches[0]["if"].contains("required"));
    EXPECT_EQ(branches[1]["if"]["required"], Json({"policy"}));
    EXPECT_TRUE(branches[1]["then"]["properties"].contains("step"));
    EXPECT_FALSE(branches[0]["then"]["properties"].contains("step"));
    EXPECT_EQ(branches[1]["then"]["additionalProperties"], false);
}

TEST(JsonSchema, ListsHoldChoicesAndCanBeAddedTo)
{
    const Json properties = GetScenarioSchema(SampleRules())["properties"];
    EXPECT_EQ(properties["workload"]["type"], "array");
    EXPECT_TRUE(properties["workload"]["items"].contains("allOf"));
    EXPECT_EQ(properties["workload+"]["$ref"], "#/properties/workload");
}

TEST(JsonSchema, EveryAttributeHasItsDefault)
{
    const Json schema = GetScenarioSchema();
    const Json pfc = schema["properties"]["pfc"]["properties"];
    EXPECT_EQ(pfc["enabled"]["default"], true);
    const Json transport = schema["properties"]["transport"]["properties"];
    EXPECT_EQ(transport["path_mtu"]["default"], 1024);
    EXPECT_EQ(transport["policy"]["oneOf"][0]["const"], "standard");
    EXPECT_TRUE(transport["policy"]["oneOf"][0].contains("description"));
}

} // namespace ns3::rdma
