// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/application-output.h"
#include "tests/support/temporary-folder.h"
#include "trace/result-folder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace ns3::rdma
{

namespace
{

const ResultTable TABLE{.file = "t.csv",
                        .columns = {"name", "never", "time_us"},
                        .rows = {{"a, b", "", "1.5"}, {"c", "", ""}}};

TEST(ApplicationOutput, FileHasEveryColumn)
{
    const TemporaryFolder temporary;
    const auto folder = ResultFolder::Open(temporary.Path() / "out", {TABLE.file}, {});
    ASSERT_TRUE(folder);
    WriteResultTable((*folder)->Get(TABLE.file), TABLE);
    EXPECT_TRUE((*folder)->CommitAllBut("").empty());
    std::ifstream stream{temporary.Path() / "out" / TABLE.file};
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    EXPECT_EQ(text, "name,never,time_us\n\"a, b\",,1.5\nc,,\n");
}

TEST(ApplicationOutput, TerminalHasColumnsWithSomethingInThem)
{
    EXPECT_EQ(FormatResultTable(TABLE, "  "), "  name  time_us\n  a, b  1.5\n  c     -\n");
}

} // namespace

} // namespace ns3::rdma
