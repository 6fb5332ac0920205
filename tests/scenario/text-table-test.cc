// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/text-table.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell)
{
    EXPECT_EQ(FormatTable({{"a", "bb", "c"}, {"aaa", "b", "c"}}, "  "),
              "  a    bb  c\n  aaa  b   c\n");
}

TEST(TextTable, CellsBeyondTheLimitPushTheRest)
{
    EXPECT_EQ(FormatTable({{"a", "x"}, {"aaaaaa", "y"}}, "", 3), "a    x\naaaaaa  y\n");
}

TEST(TextTable, LinesEndWithoutBlanks)
{
    EXPECT_EQ(FormatTable({{"a", ""}, {"b", "c"}}, ""), "a\nb  c\n");
    EXPECT_EQ(FormatTable({}, ""), "");
}

} // namespace ns3::rdma
