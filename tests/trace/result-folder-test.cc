// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "trace/result-folder.h"

#include <fstream>
#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace fs = std::filesystem;
using testing::HasSubstr;

namespace
{

void
Make(const fs::path& path, const std::string& text)
{
    std::ofstream{path} << text;
}

} // namespace

TEST(ResultFolder, MakesTheFolderAndItsFiles)
{
    const TemporaryFolder temporary;
    const fs::path path = temporary.Path() / "x" / "y";
    auto folder = ResultFolder::Open(path, {"a.csv", "s.json"}, {});
    ASSERT_TRUE(folder);
    (*folder)->Get("a.csv").Write("a");
    EXPECT_TRUE((*folder)->CommitAllBut("s.json").empty());
    EXPECT_EQ(temporary.Read("x/y/a.csv"), "a");
    EXPECT_FALSE(fs::exists(path / "s.json"));
    (*folder)->Get("s.json").Write("s");
    EXPECT_TRUE((*folder)->Get("s.json").Commit());
    EXPECT_EQ(temporary.Read("x/y/s.json"), "s");
}

TEST(ResultFolder, RemovesWhatAnEarlierRunLeft)
{
    const TemporaryFolder temporary;
    for (const char* name : {"a.csv", "rates.csv", "rates.csv.part", "notes.txt"})
    {
        Make(temporary.Path() / name, "old");
    }
    const auto folder = ResultFolder::Open(temporary.Path(), {"a.csv"}, {"rates.csv"});
    ASSERT_TRUE(folder);
    EXPECT_FALSE(fs::exists(temporary.Path() / "a.csv"));
    EXPECT_FALSE(fs::exists(temporary.Path() / "rates.csv"));
    EXPECT_FALSE(fs::exists(temporary.Path() / "rates.csv.part"));
    EXPECT_EQ(temporary.Read("notes.txt"), "old") << "the user's own files stay";
}

TEST(ResultFolder, ChangesNothingIfOneFileCannotBeMade)
{
    const TemporaryFolder temporary;
    Make(temporary.Path() / "a.csv", "old");
    fs::create_directory(temporary.Path() / "b.csv.part");
    const auto folder = ResultFolder::Open(temporary.Path(), {"a.csv", "b.csv"}, {});
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.Errors().front().got, HasSubstr("b.csv.part: Is a directory"));
    EXPECT_EQ(temporary.Read("a.csv"), "old");
    EXPECT_FALSE(fs::exists(temporary.Path() / "a.csv.part"));
}

TEST(ResultFolder, RefusesAFolderBelowAFile)
{
    const TemporaryFolder temporary;
    Make(temporary.Path() / "file", "text");
    const auto folder = ResultFolder::Open(temporary.Path() / "file" / "x", {"a.csv"}, {});
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.Errors().front().got, HasSubstr("Not a directory"));
    EXPECT_EQ(temporary.Read("file"), "text");
}

} // namespace ns3::rdma
