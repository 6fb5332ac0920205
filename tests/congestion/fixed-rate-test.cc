// SPDX-License-Identifier: GPL-2.0-only
#include "tests/congestion/algorithm.h"

namespace ns3::rdma
{
namespace
{

TEST(FixedRate, IsItsAttributeOrTheLineRate)
{
    const auto fixed = Make(TypeId::LookupByName("ns3::rdma::FixedRate"));
    ASSERT_TRUE(fixed->SetAttributeFailSafe("Rate", StringValue("40Gbps")));
    const auto fast = fixed->NewController(BitRate::Gbps(100), SimTime{});
    fast->OnCnp({});
    fast->OnLoss({});
    EXPECT_EQ(fast->GetLimits(), (SendLimits{.rate = BitRate::Gbps(40)}));
    EXPECT_TRUE(fast->NextTimer().IsNever());
    EXPECT_EQ(fixed->NewController(BitRate::Gbps(25), SimTime{})->GetLimits().rate,
              BitRate::Gbps(25));
    EXPECT_FALSE(fixed->SetAttributeFailSafe("Rate", StringValue("40")));
    EXPECT_FALSE(fixed->SetAttributeFailSafe("Rate", StringValue("0bps")));
}

} // namespace
} // namespace ns3::rdma
