// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario-file.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

using testing::HasSubstr;

std::string
ErrorsOf(const std::string& text)
{
    const auto setting = ParseScenarioText(text, "a.yaml");
    return setting ? "no error" : ToString(setting.Errors());
}

} // namespace

TEST(ScenarioFile, KeepsTheLineOfEveryKey)
{
    const auto root = ParseScenarioText("# comment\nname: x\npfc:\n  delay:\n    1us\n", "a.yaml");
    ASSERT_TRUE(root);
    EXPECT_EQ(root->Find("name")->origin.line, 2U);
    EXPECT_EQ(root->Find("pfc")->origin.line, 3U);
    EXPECT_EQ(root->Find("pfc")->Find("delay")->origin.line, 4U);
    EXPECT_EQ(root->Find("pfc")->Find("delay")->origin.text, "a.yaml:4");
}

TEST(ScenarioFile, ReadsLists)
{
    const auto root = ParseScenarioText("workload:\n- {pattern: a}\n- {pattern: b}\n", "a.yaml");
    ASSERT_TRUE(root);
    ASSERT_EQ(root->Find("workload")->items.size(), 2U);
    EXPECT_EQ(root->Find("workload")->items[1].Find("pattern")->origin.line, 3U);
}

TEST(ScenarioFile, AllDuplicateKeysAreReportedWithTheirLines)
{
    const std::string errors = ErrorsOf("a: 1\nb: {c: 1, c: 2}\na: 2\n");
    EXPECT_THAT(errors, HasSubstr("a.yaml:2: b.c: the key stands twice"));
    EXPECT_THAT(errors, HasSubstr("a.yaml:3: a: the key stands twice"));
}

TEST(ScenarioFile, EmptyFilesAreErrors)
{
    EXPECT_THAT(ErrorsOf(""), HasSubstr("the file is empty"));
    EXPECT_THAT(ErrorsOf("# only a comment\n"), HasSubstr("the file is empty"));
    EXPECT_THAT(ErrorsOf("~\n"), HasSubstr("the file is empty"));
}

TEST(ScenarioFile, EveryWrongShapeIsAnError)
{
    EXPECT_THAT(ErrorsOf("- a\n- b\n"), HasSubstr("no keys at the top level"));
    EXPECT_THAT(ErrorsOf("just text\n"), HasSubstr("no keys at the top level"));
    EXPECT_THAT(ErrorsOf("a: 1\n---\nb: 2\n"), HasSubstr("several YAML documents"));
    EXPECT_THAT(ErrorsOf("a: 1\nb: [1, 2\n"), HasSubstr("malformed YAML"));
    EXPECT_THAT(ErrorsOf("a: 1\n  b: 2\n"), HasSubstr("a.yaml:2: malformed YAML"));
    EXPECT_THAT(ErrorsOf("[a, b]: 1\n"), HasSubstr("a key must be plain text"));
}

TEST(ScenarioFile, AValueThatContainsItselfIsAnErrorAndNotALoop)
{
    EXPECT_THAT(ErrorsOf("a: &x {b: *x}\n"), HasSubstr("nested too deeply"));
}

TEST(ScenarioFile, MissingFilesAndFoldersAreErrors)
{
    const auto missing = ReadScenarioFile("/nowhere/x.yaml");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.Errors().at(0).message, "no such file");
    EXPECT_EQ(missing.Errors().at(0).file, "/nowhere/x.yaml");
    const auto folder = ReadScenarioFile(testing::TempDir());
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.Errors().at(0).message, "is a folder");
}

TEST(ScenarioFile, ReadsFromDisk)
{
    const std::string file = testing::TempDir() + "scenario-file-test.yaml";
    std::ofstream{file} << "name: x\n";
    const auto root = ReadScenarioFile(file);
    ASSERT_TRUE(root);
    EXPECT_EQ(root->Find("name")->text, "x");
    std::filesystem::remove(file);
}

TEST(ScenarioFile, ASettingOfOneLineMayBeAList)
{
    const auto list = ParseSettingText("[1, 2]", {"--set", 0, "--set"});
    ASSERT_TRUE(list);
    EXPECT_EQ(list->items.size(), 2U);
    EXPECT_EQ(list->items[0].origin.text, "--set");
    const auto broken = ParseSettingText("[1, 2", {"--set", 0, "--set"});
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.Errors().at(0).file, "--set");
    EXPECT_EQ(broken.Errors().at(0).line, 0U);
}

} // namespace ns3::rdma
