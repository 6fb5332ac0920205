// SPDX-License-Identifier: GPL-2.0-only
#include "transport/rc-policies.h"

#include <gmock/gmock.h>
#include <string_view>
#include <vector>

namespace ns3::rdma
{
namespace
{

TEST(RcPolicies, AreFoundByName)
{
    std::vector<std::string_view> names;
    for (const NamedRcPolicy& named : GetRcPolicies())
    {
        names.push_back(named.name);
        EXPECT_EQ(FindRcPolicy(named.name), &named.policy);
        EXPECT_FALSE(named.description.empty());
    }
    EXPECT_THAT(
        names,
        testing::ElementsAre("standard", "rxe", "connectx", "connectx-no-floor", "go-back-0"));
    EXPECT_EQ(FindRcPolicy("rxe2"), nullptr);
    EXPECT_EQ(FindRcPolicy(""), nullptr);
}

TEST(RcPolicies, StandardIsTheDefault)
{
    EXPECT_EQ(*FindRcPolicy("standard"), RcPolicy{});
    EXPECT_LT(RcPolicy{}.maxPacketsInFlight, Psn::HALF_WINDOW) << "section 9.7.1";
}

/** Figures read off captures of the Linux driver: rxe_vt_ackreq_long, rxe_vt_long_64x. */
TEST(RcPolicies, SoftwareRoce)
{
    const RcPolicy& rxe = *FindRcPolicy("rxe");
    EXPECT_EQ(rxe.ackEvery, 66u);
    EXPECT_EQ(rxe.maxPacketsInFlight, 129u);
    EXPECT_TRUE(rxe.isRetryCountSevenEndless);
    EXPECT_EQ(rxe.tooLongSyndrome, 0x63);
}

TEST(RcPolicies, ConnectXWithoutFloorDiffersInItsTimerOnly)
{
    RcPolicy policy = *FindRcPolicy("connectx");
    EXPECT_EQ(policy.timer, RcPolicy::Timer::ADAPTIVE);
    policy.timer = RcPolicy::Timer::ROUGH;
    EXPECT_EQ(*FindRcPolicy("connectx-no-floor"), policy);
}

} // namespace
} // namespace ns3::rdma
