// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-file.h"
#include "scenario/setting.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

Setting
Parse(const std::string& text, const std::string& file = "a.yaml")
{
    return *ParseScenarioText(text, file);
}

Setting
Value(const std::string& text)
{
    return *ParseSettingText(text, {"--set", 0, "--set"});
}

} // namespace

TEST(Setting, FindReturnsTheFieldOrNull)
{
    const Setting root = Parse("a: {b: 1}\n");
    ASSERT_NE(root.Find("a"), nullptr);
    EXPECT_EQ(root.Find("a")->Find("b")->text, "1");
    EXPECT_EQ(root.Find("c"), nullptr);
}

TEST(Setting, MergeWritesKeyByKeyAndListsAsAWhole)
{
    Setting under = Parse("a: {b: 1, c: 2}\nlist: [1, 2, 3]\n", "under");
    MergeSettings(under, Parse("a: {c: 3, d: 4}\nlist: [9]\n", "over"));
    const Setting& a = *under.Find("a");
    EXPECT_EQ(a.Find("b")->text, "1");
    EXPECT_EQ(a.Find("b")->origin.text, "under:1");
    EXPECT_EQ(a.Find("c")->text, "3");
    EXPECT_EQ(a.Find("c")->origin.text, "over:1");
    EXPECT_EQ(a.Find("c")->replaced, std::vector<std::string>{"2"});
    EXPECT_EQ(a.Find("d")->text, "4");
    EXPECT_EQ(under.Find("list")->items.size(), 1U);
}

TEST(Setting, PathsReachIntoMapsAndLists)
{
    Setting root = Parse("workload:\n- {bytes: 1MB}\n- {bytes: 2MB}\n");
    EXPECT_TRUE(SetAtPath(root, "workload.1.bytes", Value("3MB")).empty());
    EXPECT_TRUE(SetAtPath(root, "switch.buffer.size", Value("1MiB")).empty());
    EXPECT_EQ(root.Find("workload")->items[0].Find("bytes")->text, "1MB");
    EXPECT_EQ(root.Find("workload")->items[1].Find("bytes")->text, "3MB");
    EXPECT_EQ(root.Find("switch")->Find("buffer")->Find("size")->text, "1MiB");
    EXPECT_EQ(root.Find("switch")->Find("buffer")->Find("size")->origin.text, "--set");
}

TEST(Setting, PathsThatLeadNowhereAreErrors)
{
    Setting root = Parse("workload: [{bytes: 1MB}]\nname: x\n");
    EXPECT_EQ(SetAtPath(root, "workload.1.bytes", Value("1MB")).at(0).message,
              "no entry '1' in the list");
    EXPECT_EQ(SetAtPath(root, "workload.x", Value("1MB")).size(), 1U);
    EXPECT_EQ(SetAtPath(root, "name.x", Value("1")).at(0).message, "'x' has no keys below it");
    EXPECT_EQ(SetAtPath(root, "a..b", Value("1")).at(0).message, "a key is missing in the path");
    EXPECT_EQ(SetAtPath(root, "", Value("1")).size(), 1U);
}

TEST(Setting, ListsBecomeTextForAttributes)
{
    EXPECT_EQ(ToAttributeText(Value("3")), "3");
    EXPECT_EQ(ToAttributeText(Value("[3, 4]")), "3 4");
    EXPECT_EQ(ToAttributeText(Value("[[25Gbps, 100KB], [50Gbps, 200KB]]")),
              "25Gbps 100KB, 50Gbps 200KB");
    EXPECT_EQ(ToAttributeText(Value("['h0 h1 1MB', 'h1 h2 2MB']")), "h0 h1 1MB, h1 h2 2MB");
    EXPECT_EQ(ToAttributeText(Value("{a: 1}")), std::nullopt);
    EXPECT_EQ(ToAttributeText(Value("[{a: 1}]")), std::nullopt);
}

} // namespace ns3::rdma
