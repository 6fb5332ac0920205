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

} // namespace ns3::rdma
