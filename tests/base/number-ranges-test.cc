// SPDX-License-Identifier: GPL-2.0-only
#include "base/number-ranges.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

TEST(NumberRanges, AnEmptyListStandsForAllNumbers)
{
    const auto ranges = NumberRanges::Parse("  ", 10);
    ASSERT_TRUE(ranges);
    EXPECT_TRUE(ranges->IsAll());
    EXPECT_TRUE(ranges->Has(0));
    EXPECT_TRUE(ranges->Has(UINT64_MAX));
}

TEST(NumberRanges, HasWhatIsListedInAnyOrderAndNothingElse)
{
    const auto ranges = NumberRanges::Parse("12, 7-9 1 8-10", 12);
    ASSERT_TRUE(ranges);
    std::vector<uint64_t> held;
    for (uint64_t number = 0; number < 20; ++number)
    {
        if (ranges->Has(number))
        {
            held.push_back(number);
        }
    }
    EXPECT_THAT(held, testing::ElementsAre(1, 7, 8, 9, 10, 12));
    EXPECT_EQ(ranges->GetLargest(), 12U);
}

TEST(NumberRanges, EveryWordThatIsWrongIsNamed)
{
    const auto ranges = NumberRanges::Parse("3 x 9-7 4-11 -2 5-", 10);
    ASSERT_FALSE(ranges);
    std::vector<std::string> got;
    for (const Diagnostic& error : ranges.Errors())
    {
        got.push_back(error.got);
        EXPECT_THAT(error.expected, testing::HasSubstr("0 .. 10"));
    }
    EXPECT_THAT(got, testing::ElementsAre("x", "9-7", "4-11", "-2", "5-"));
}

} // namespace ns3::rdma
