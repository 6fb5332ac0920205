// SPDX-License-Identifier: GPL-2.0-only
#include "tests/congestion/algorithm.h"

namespace ns3::rdma
{
namespace
{

TEST(NoCongestionControl, HasNoController)
{
    const auto none = Make(TypeId::LookupByName("ns3::rdma::NoCongestionControl"));
    EXPECT_EQ(none->NewController(BitRate::Gbps(100), SimTime{}), nullptr);
    EXPECT_EQ(none->GetFeedback(), Feedback::NONE);
    EXPECT_TRUE(none->GetParameterSets().empty());
}

} // namespace
} // namespace ns3::rdma
