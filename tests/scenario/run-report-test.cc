// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-report.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::ElementsAre;

TEST(RunReport, NamesThreeOfAKindAndCountsTheRest)
{
    EXPECT_THAT(AggregateLines({"leaf0/1: headroom of 12KB is 300B too small",
                                "seed 7 is used",
                                "leaf0/2: headroom of 12KB is 300B too small",
                                "leaf1/1: headroom of 13KB is 200B too small",
                                "leaf1/2: headroom of 12.5KB is 300B too small",
                                "leaf2/1: headroom of 12KB is 300B too small"}),
                ElementsAre("leaf0/1: headroom of 12KB is 300B too small",
                            "leaf0/2: headroom of 12KB is 300B too small",
                            "leaf1/1: headroom of 13KB is 200B too small",
                            "and 2 more of that kind",
                            "seed 7 is used"));
}

TEST(RunReport, LeavesFewLinesAlone)
{
    EXPECT_THAT(AggregateLines({"a", "a", "a"}), ElementsAre("a", "a", "a"));
    EXPECT_THAT(AggregateLines({}), ElementsAre());
}

} // namespace ns3::rdma
