// SPDX-License-Identifier: GPL-2.0-only
#include "base/number-map.h"

#include <array>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using Table = std::array<uint8_t, 8>;

TEST(NumberMap, EntriesChangeWhatTheyName)
{
    Table table{0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_FALSE(ReadNumberMap("3:7, 5:0  3:6", table, 7));
    EXPECT_EQ(table, (Table{0, 1, 2, 6, 4, 0, 6, 7}));
    EXPECT_FALSE(ReadNumberMap("", table, 7));
    EXPECT_EQ(table, (Table{0, 1, 2, 6, 4, 0, 6, 7}));
}

TEST(NumberMap, StarSetsAllThatComeBefore)
{
    Table table{0, 1, 2, 3, 4, 5, 6, 7};
    EXPECT_FALSE(ReadNumberMap("*:1 3:4", table, 7));
    EXPECT_EQ(table, (Table{1, 1, 1, 4, 1, 1, 1, 1}));
}

TEST(NumberMap, WrongEntriesAreNamed)
{
    Table table{};
    for (const std::string wrong : {"3", "3:", ":3", "8:1", "1:8", "a:1", "1:-1", "1:2:3", "*:8"})
    {
        const auto error = ReadNumberMap("1:1 " + wrong, table, 7);
        ASSERT_TRUE(error) << wrong;
        EXPECT_EQ(error->got, wrong);
    }
}

} // namespace
} // namespace ns3::rdma
