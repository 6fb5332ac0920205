// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/verbs-error.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

/** errno names: ibv_post_send(3), ibv_reg_mr(3), ibv_dealloc_pd(3), ibv_destroy_cq(3). */
TEST(VerbsError, EachErrorNamesItsErrno)
{
    EXPECT_EQ(ToString(VerbsError::NONE), "no error");
    EXPECT_TRUE(ToString(VerbsError::INVALID_ARGUMENT).starts_with("EINVAL: "));
    EXPECT_TRUE(ToString(VerbsError::QUEUE_FULL).starts_with("ENOMEM: queue"));
    EXPECT_TRUE(ToString(VerbsError::LIMIT_EXCEEDED).starts_with("ENOMEM: limit"));
    EXPECT_TRUE(ToString(VerbsError::NOT_FOUND).starts_with("ENOENT: "));
    EXPECT_TRUE(ToString(VerbsError::BUSY).starts_with("EBUSY: "));
    EXPECT_TRUE(ToString(VerbsError::NOT_SUPPORTED).starts_with("EOPNOTSUPP: "));
}

TEST(VerbsError, APostedListIsFineOnlyWithoutError)
{
    EXPECT_TRUE(PostResult{}.IsOk());
    EXPECT_FALSE((PostResult{.error = VerbsError::QUEUE_FULL, .badRequest = 3}).IsOk());
}

} // namespace
} // namespace ns3::rdma
