// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "trace/csv-table.h"

#include <gtest/gtest.h>
#include <limits>

namespace ns3::rdma
{

TEST(CsvTable, WritesTimesInNanosecondsWithAllPicoseconds)
{
    EXPECT_EQ(FormatNanoseconds({0}), "0.000");
    EXPECT_EQ(FormatNanoseconds({1}), "0.001");
    EXPECT_EQ(FormatNanoseconds({92'692'640}), "92692.640");
    EXPECT_EQ(FormatNanoseconds({1'000'000'050}), "1000000.050");
    // 2^64 - 2: the last time before "never".
    EXPECT_EQ(FormatNanoseconds({std::numeric_limits<uint64_t>::max() - 1}),
              "18446744073709551.614");
}

TEST(CsvTable, WritesRatiosWithSixDecimals)
{
    EXPECT_EQ(FormatRatio(1.0), "1.000000");
    EXPECT_EQ(FormatRatio(2.0 / 3.0), "0.666667");
    EXPECT_EQ(FormatRatio(123456.0), "123456.000000");
}

TEST(CsvTable, WritesRowsUnderItsHeader)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "t.csv"};
    ASSERT_TRUE(file.Open());
    CsvTable table{file, "name,bytes,time_ns,share,none"};
    table.Text("h0").Integer(7).Time({1500}).Ratio(0.5).Empty().EndRow();
    table.Text("h1").Integer(8).Time({0}).Ratio(1).Integer(0).EndRow();
    ASSERT_TRUE(file.Commit());
    EXPECT_EQ(folder.Read("t.csv"),
              "name,bytes,time_ns,share,none\n"
              "h0,7,1.500,0.500000,\n"
              "h1,8,0.000,1.000000,0\n");
}

// RFC 4180, section 2, rules 6 and 7.
TEST(CsvTable, QuotesNamesThatWouldBreakARow)
{
    const TemporaryFolder folder;
    ResultFile file{folder.Path() / "t.csv"};
    ASSERT_TRUE(file.Open());
    CsvTable table{file, "a,b,c"};
    table.Text("x,y").Text("say \"no\"").Text("two\nlines").EndRow();
    ASSERT_TRUE(file.Commit());
    EXPECT_EQ(folder.Read("t.csv"), "a,b,c\n\"x,y\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

} // namespace ns3::rdma
