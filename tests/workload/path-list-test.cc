// SPDX-License-Identifier: GPL-2.0-only
#include "workload/path-list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PathList, WordsAreSeparatedByBlanksOrByCommasIfTheyHoldBlanks)
{
    EXPECT_THAT(SplitPaths(""), IsEmpty());
    EXPECT_THAT(SplitPaths("a  b/c"), ElementsAre("a", "b/c"));
    EXPECT_THAT(SplitPaths("my file, b"), ElementsAre("my file", "b"));
    EXPECT_THAT(SplitPaths("my file, "), ElementsAre("my file"));
}

TEST(PathList, AListComesBackAsItWas)
{
    const std::vector<std::vector<std::string>> lists{
        {"a"}, {"a", "b"}, {"my file"}, {"my file", "b"}};
    for (const auto& list : lists)
    {
        EXPECT_EQ(SplitPaths(JoinPaths(list)), list);
    }
}

} // namespace

} // namespace ns3::rdma
