// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "trace/result-file.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(ResultFile, HasItsNameOnlyWhenItIsWhole)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "a.csv"};
    ASSERT_TRUE(file.Open());
    file.Write("one,");
    file.Write("two\n");
    EXPECT_TRUE(fs::exists(folder.Path() / "a.csv.part"));
    EXPECT_FALSE(fs::exists(folder.Path() / "a.csv"));
    EXPECT_TRUE(file.Commit());
    EXPECT_FALSE(fs::exists(folder.Path() / "a.csv.part"));
    EXPECT_EQ(folder.Read("a.csv"), "one,two\n");
}

TEST(ResultFile, LeavesItsPartWhenNobodyCommits)
{
    const TemporaryFolder folder;
    {
        ResultFile file{folder.Path() / "a.csv"};
        ASSERT_TRUE(file.Open());
        file.Write("half");
    }
    EXPECT_EQ(folder.Read("a.csv.part"), "half");
    EXPECT_FALSE(fs::exists(folder.Path() / "a.csv"));
}

TEST(ResultFile, AbandonLeavesNothing)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "a.csv"};
    ASSERT_TRUE(file.Open());
    file.Write("half");
    file.Abandon();
    EXPECT_TRUE(fs::is_empty(folder.Path()));
}

TEST(ResultFile, KeepsAllBytesOfMoreThanOneBlock)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "a.csv"};
    ASSERT_TRUE(file.Open());
    std::string expected;
    constexpr int LINES = 50'000;
    for (int line = 0; line < LINES; ++line)
    {
        const std::string text = std::to_string(line) + "\n";
        file.Write(text);
        expected += text;
    }
    EXPECT_TRUE(file.Commit());
    EXPECT_EQ(folder.Read("a.csv"), expected);
}

TEST(ResultFile, SaysWhyItCannotBeOpened)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "missing" / "a.csv"};
    EXPECT_FALSE(file.Open());
    EXPECT_THAT(file.GetError(), HasSubstr("missing/a.csv.part: No such file or directory"));
}

// Every write to /dev/full fails as on a full disk.
TEST(ResultFile, ReportsAFullDiskAtTheLatestWhenItIsCommitted)
{
    const TemporaryFolder folder;
    fs::create_symlink("/dev/full", folder.Path() / "a.csv.part");
    ResultFile file{folder.Path() / "a.csv"};
    ASSERT_TRUE(file.Open());
    file.Write("text");
    EXPECT_FALSE(file.Commit());
    EXPECT_THAT(file.GetError(), HasSubstr("a.csv.part: No space left on device"));
    EXPECT_FALSE(fs::exists(folder.Path() / "a.csv"));
}

} // namespace ns3::rdma
