// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-layers.h"
#include "tests/scenario/sample-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

std::string
Text(const Setting& root, const std::string& group, const std::string& key)
{
    const Setting* map = root.Find(group);
    const Setting* value = map == nullptr ? nullptr : map->Find(key);
    return value == nullptr ? "?" : ToAttributeText(*value).value_or("?");
}

std::string
Origin(const Setting& root, const std::string& group, const std::string& key)
{
    const std::string text = root.Find(group)->Find(key)->origin.text;
    return text.substr(text.rfind('/') + 1);
}

std::string
Errors(const std::string& file)
{
    const auto layers = ReadScenarioLayers(file);
    return layers ? "" : ToString(layers.Errors());
}

} // namespace

TEST(ScenarioLayers, MapsMergeAndEachValueKnowsItsFile)
{
    const SampleFile top{"top.yaml", "extends: ./base.yaml\npfc:\n  delay: 2us\n"};
    top.AddNeighbour("base.yaml", "pfc:\n  delay: 1us\n  margin: 3us\nseed: 5\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers) << ToString(layers.Errors());
    EXPECT_EQ(Text(layers->root, "pfc", "delay"), "2us");
    EXPECT_EQ(Origin(layers->root, "pfc", "delay"), "top.yaml:3");
    EXPECT_EQ(Text(layers->root, "pfc", "margin"), "3us");
    EXPECT_EQ(Origin(layers->root, "pfc", "margin"), "base.yaml:3");
    EXPECT_EQ(layers->root.Find(EXTENDS_KEY), nullptr);
    ASSERT_EQ(layers->files.size(), 2U);
    EXPECT_THAT(layers->files[0], HasSubstr("base.yaml"));
    EXPECT_EQ(layers->files[1], top.GetPath());
}

TEST(ScenarioLayers, OfSeveralFilesTheLaterWins)
{
    const SampleFile top{"top.yaml", "extends: [a.yaml, b.yaml]\n"};
    top.AddNeighbour("a.yaml", "pfc: {delay: 1us, margin: 3us}\n");
    top.AddNeighbour("b.yaml", "pfc: {delay: 2us}\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers);
    EXPECT_EQ(Text(layers->root, "pfc", "delay"), "2us");
    EXPECT_EQ(Text(layers->root, "pfc", "margin"), "3us");
}

TEST(ScenarioLayers, ListsAreReplacedUnlessAddedTo)
{
    const SampleFile top{
        "top.yaml", "extends: base.yaml\nworkload: [c]\nfaults+: [z]\nswitch: {ports+: [2]}\n"};
    top.AddNeighbour("base.yaml", "workload: [a, b]\nfaults: [x, y]\nswitch: {ports: [1]}\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers) << ToString(layers.Errors());
    EXPECT_EQ(ToAttributeText(*layers->root.Find("workload")), "c");
    EXPECT_EQ(ToAttributeText(*layers->root.Find("faults")), "x y z");
    EXPECT_EQ(Text(layers->root, "switch", "ports"), "1 2");
    EXPECT_EQ(layers->root.Find("faults+"), nullptr);
}

TEST(ScenarioLayers, AFileAddsToAListOfItsNeighbour)
{
    const SampleFile top{"top.yaml", "extends: [a.yaml, b.yaml, c.yaml]\nworkload+: [4]\n"};
    top.AddNeighbour("a.yaml", "workload: [1]\n");
    top.AddNeighbour("b.yaml", "workload+: [2]\n");
    top.AddNeighbour("c.yaml", "extends: d.yaml\n");
    top.AddNeighbour("d.yaml", "workload+: [3]\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers) << ToString(layers.Errors());
    EXPECT_EQ(ToAttributeText(*layers->root.Find("workload")), "1 2 3 4");
}

TEST(ScenarioLayers, AddingNeedsListsAtBothEnds)
{
    const SampleFile top{"top.yaml", "extends: base.yaml\nworkload+: [c]\n"};
    top.AddNeighbour("base.yaml", "seed: 1\n");
    EXPECT_THAT(Errors(top.GetPath()),
                HasSubstr("top.yaml:2: workload+: there is no list below to add to"));
    top.AddNeighbour("base.yaml", "workload: {a: 1}\n");
    EXPECT_THAT(Errors(top.GetPath()),
                HasSubstr("top.yaml:2: workload+: what it adds to is not a list"));
    top.AddNeighbour("base.yaml", "workload: [a]\n");
    top.AddNeighbour("top.yaml", "extends: base.yaml\nworkload+: c\n");
    EXPECT_THAT(Errors(top.GetPath()), HasSubstr("top.yaml:2: workload+: not a list; got 'c'"));
}

TEST(ScenarioLayers, NameAndDescriptionAreTheFilesOwn)
{
    const SampleFile top{"top.yaml", "extends: base.yaml\ndescription: mine\n"};
    top.AddNeighbour("base.yaml", "name: base\ndescription: its own\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers);
    EXPECT_EQ(layers->root.Find("name"), nullptr);
    EXPECT_EQ(layers->root.Find("description")->text, "mine");
}

TEST(ScenarioLayers, AChainThatMeetsItselfIsToldInFull)
{
    const SampleFile top{"top.yaml", "extends: a.yaml\n"};
    top.AddNeighbour("a.yaml", "seed: 1\nextends: b.yaml\n");
    top.AddNeighbour("b.yaml", "extends: ./a.yaml\n");
    EXPECT_THAT(Errors(top.GetPath()),
                testing::ContainsRegex("b.yaml:1: extends: a file extends itself; got "
                                       "'.*top.yaml -> .*a.yaml -> .*b.yaml -> .*a.yaml'"));
}

TEST(ScenarioLayers, TheSameFileTwiceIsNoLoop)
{
    const SampleFile top{"top.yaml", "extends: [a.yaml, b.yaml]\n"};
    top.AddNeighbour("a.yaml", "extends: c.yaml\n");
    top.AddNeighbour("b.yaml", "extends: c.yaml\n");
    top.AddNeighbour("c.yaml", "seed: 4\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers) << ToString(layers.Errors());
    EXPECT_EQ(layers->root.Find("seed")->text, "4");
    EXPECT_EQ(layers->files.size(), 4U);
}

TEST(ScenarioLayers, AMissingFileIsToldWhereItIsNamed)
{
    const SampleFile top{"top.yaml", "seed: 1\nextends:\n  - a.yaml\n"};
    top.AddNeighbour("a.yaml", "extends: nowhere.yaml\n");
    EXPECT_THAT(Errors(top.GetPath()),
                testing::ContainsRegex("a.yaml:1: extends: no such file; got "
                                       "'.*top.yaml -> .*a.yaml -> .*nowhere.yaml'"));
    top.AddNeighbour("a.yaml", "pfc: {a: 1, a: 2}\n");
    EXPECT_THAT(Errors(top.GetPath()), HasSubstr("a.yaml:1: pfc.a: the key stands twice"));
    top.AddNeighbour("top.yaml", "extends: {a: 1}\n");
    EXPECT_THAT(Errors(top.GetPath()), HasSubstr("top.yaml:1: extends: not the name of a file"));
}

TEST(ScenarioLayers, PathsStartAtTheFileThatNamesThem)
{
    const SampleFile top{"top.yaml", "extends: below/a.yaml\n"};
    const auto folder = std::filesystem::path{top.GetPath()}.parent_path();
    std::filesystem::create_directory(folder / "below");
    top.AddNeighbour("below/a.yaml", "extends: b.yaml\n");
    top.AddNeighbour("below/b.yaml", "nic:\n  profile: ./x.yaml\n");
    const auto layers = ReadScenarioLayers(top.GetPath());
    ASSERT_TRUE(layers) << ToString(layers.Errors());
    const Setting& profile = *layers->root.Find("nic")->Find("profile");
    EXPECT_EQ(ResolveSettingPath(profile.text, profile.origin),
              (folder / "below" / "x.yaml").string());
}

} // namespace ns3::rdma
