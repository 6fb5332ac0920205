// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-file.h"
#include "scenario/sweep-axes.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

Setting
Parse(const std::string& text)
{
    return *ParseSettingText(text, {"--set", 0, "--set"});
}

/** "a=1|2 b=3": keys with their values; axes are separated by "; ". */
std::string
Axes(const std::string& text)
{
    const auto axes = ReadSweepAxes(Parse(text));
    if (!axes)
    {
        return axes.Errors().front().key + ": " + axes.Errors().front().message;
    }
    std::string result;
    for (const SweepAxis& axis : *axes)
    {
        result += result.empty() ? "" : ";";
        for (const SweptKey& key : axis.keys)
        {
            result += (result.empty() ? "" : " ") + key.key + "=";
            for (const Setting& value : key.values)
            {
                result += (&value == key.values.data() ? "" : "|") + DescribeValue(value);
            }
        }
    }
    return result;
}

} // namespace

TEST(SweepAxes, KeysAreDottedOrNested)
{
    EXPECT_EQ(Axes("{seed: [1, 2], a.b: [x]}"), "seed=1|2; a.b=x");
    EXPECT_EQ(Axes("{workload: {0: {bytes: [1KB], senders: [2, 3]}}}"),
              "workload.0.bytes=1KB; workload.0.senders=2|3");
    EXPECT_EQ(Axes("{seed: 4, a: {}, b: }"), "seed=4");
}

TEST(SweepAxes, ValuesMayBeListsAndMaps)
{
    EXPECT_EQ(Axes("{a: [[h0, h1], [h2]]}"), "a=h0 h1|h2");
    EXPECT_EQ(Axes("{a: [{x: 1, y: [2, 3]}]}"), "a=x=1 y=2 3");
}

TEST(SweepAxes, ZippedKeysAreOneAxis)
{
    EXPECT_EQ(Axes("{zip: {a: [1, 2], b: [3, 4]}, c: [5]}"), "a=1|2 b=3|4; c=5");
    EXPECT_EQ(Axes("{zip: [{a: [1], b: [3]}, {c: [5], d: [6]}]}"), "a=1 b=3; c=5 d=6");
    EXPECT_EQ(Axes("{zip: {a: [1, 2], b: [3]}}"), "sweep.zip: the lists are not of equal length");
    EXPECT_EQ(Axes("{zip: [1]}"), "sweep.zip: not a group of keys");
}

TEST(SweepAxes, WhatIsNoSweepIsSaid)
{
    EXPECT_EQ(Axes("3"), "sweep: not a group of keys");
    EXPECT_EQ(Axes("{a: []}"), "sweep.a: a list without values");
    EXPECT_EQ(Axes("{a.b: [1], a: {b: [2]}}"), "sweep.a.b: the key stands twice");
}

// A value of a chosen name stands for the others of its list: their keys do not apply to it.
TEST(SweepAxes, NamesStandForEachOther)
{
    const auto axes = ReadSweepAxes(Parse("{a: [x, y, z]}"));
    ASSERT_TRUE(axes);
    EXPECT_EQ(axes->front().keys.front().values[1].replaced, (std::vector<std::string>{"x", "z"}));
}

TEST(SweepAxes, SomeKeysTakeOneValueAndOthersLists)
{
    const Setting root = Parse("{topology: {family: star}, workload: [{pattern: incast}]}");
    const auto takesOne = [&root](const char* key)
    { return TakesOneValue(root, GetGroupRules(), key); };
    for (const char* key : {"seed",
                            "duration",
                            "engine.simulator",
                            "window.warm_up",
                            "topology.family",
                            "topology.rate",
                            "congestion.algorithm",
                            "congestion.parameters",
                            "switch.buffer.size",
                            "workload.0.senders",
                            "workload.0.pattern"})
    {
        EXPECT_TRUE(takesOne(key)) << key;
    }
    for (const char* key : {"workload",
                            "workload.0",
                            "workload.0.sources",
                            "workload.0.nothing",
                            "pfc.lossless_priorities",
                            "nothing",
                            "sweep.seed",
                            "topology.k"})
    {
        EXPECT_FALSE(takesOne(key)) << key;
    }
}

} // namespace ns3::rdma
