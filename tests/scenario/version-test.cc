// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/version.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

TEST(Version, HasMajorAndMinor)
{
    EXPECT_THAT(GetVersion(), testing::MatchesRegex("[0-9]+[.][0-9]+"));
    EXPECT_THAT(GetNs3Version(), testing::MatchesRegex("3[.][0-9]+"));
}

TEST(Version, CommitIsWhatTheProgramTold)
{
    EXPECT_EQ(GetCommit(), "unknown");
    SetCommit("0123456789ab-dirty");
    EXPECT_EQ(GetCommit(), "0123456789ab-dirty");
    SetCommit("unknown");
}

} // namespace ns3::rdma
