// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/work-completion.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/** Values and names: rdma-core libibverbs/verbs.h, enum ibv_wc_status. */
TEST(WorkCompletion, StatusValuesAndNamesAreThoseOfVerbs)
{
    EXPECT_EQ(static_cast<int>(CompletionStatus::SUCCESS), 0);
    EXPECT_EQ(static_cast<int>(CompletionStatus::WR_FLUSH_ERR), 5);
    EXPECT_EQ(static_cast<int>(CompletionStatus::RETRY_EXC_ERR), 12);
    EXPECT_EQ(ToString(CompletionStatus::SUCCESS), "SUCCESS");
    EXPECT_EQ(ToString(CompletionStatus::WR_FLUSH_ERR), "WR_FLUSH_ERR");
    EXPECT_EQ(ToString(CompletionStatus::RETRY_EXC_ERR), "RETRY_EXC_ERR");
}

} // namespace
} // namespace ns3::rdma
