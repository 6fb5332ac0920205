// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-summary.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

TEST(RunSummary, CountsHaveThreeDigits)
{
    EXPECT_EQ(FormatCount(0), "0");
    EXPECT_EQ(FormatCount(999), "999");
    EXPECT_EQ(FormatCount(999.6), "1k");
    EXPECT_EQ(FormatCount(1'234), "1.23k");
    EXPECT_EQ(FormatCount(75'798), "75.8k");
    EXPECT_EQ(FormatCount(999'600), "1M");
    EXPECT_EQ(FormatCount(2.5e9), "2.5G");
}

TEST(RunSummary, TimesHaveFourDigits)
{
    EXPECT_EQ(FormatTime({0}), "0ps");
    EXPECT_EQ(FormatTime({9'999}), "9.999ns");
    EXPECT_EQ(FormatTime({1'670'774'916}), "1.67ms");
    EXPECT_EQ(FormatTime({15'630'352'320}), "15.63ms");
    EXPECT_EQ(FormatTime(SimTime::Seconds(2)), "2s");
}

} // namespace ns3::rdma
