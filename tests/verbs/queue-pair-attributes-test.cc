// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/queue-pair-attributes.h"

#include <array>
#include <gtest/gtest.h>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** rdma-core libibverbs/verbs.h, enum ibv_qp_state, which counts from 0. */
TEST(QueuePairAttributes, StateValuesAndNamesAreThoseOfVerbs)
{
    constexpr std::array<std::string_view, QUEUE_PAIR_STATES> NAMES{
        "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
    for (std::size_t value = 0; value < NAMES.size(); ++value)
    {
        EXPECT_EQ(ToString(static_cast<QueuePairState>(value)), NAMES[value]);
    }
    EXPECT_EQ(ToString(static_cast<QueuePairState>(7)), "UNKNOWN");
}

/** rdma-core libibverbs/verbs.h, enum ibv_qp_type: IBV_QPT_RC = 2, then UC and UD. */
TEST(QueuePairAttributes, TypeValuesAndNamesAreThoseOfVerbs)
{
    EXPECT_EQ(ToString(static_cast<QueuePairType>(2)), "RC");
    EXPECT_EQ(ToString(static_cast<QueuePairType>(3)), "UC");
    EXPECT_EQ(ToString(static_cast<QueuePairType>(4)), "UD");
    EXPECT_EQ(ToString(static_cast<QueuePairType>(1)), "UNKNOWN");
}

/** Bits: rdma-core libibverbs/verbs.h, enum ibv_qp_attr_mask. Fields: ibv_modify_qp(3). */
TEST(QueuePairAttributes, MaskBitsNameTheirFields)
{
    constexpr std::array<std::pair<int, std::string_view>, 22> FIELDS{{
        {0, "qp_state"},
        {1, "cur_qp_state"},
        {2, "en_sqd_async_notify"},
        {3, "qp_access_flags"},
        {4, "pkey_index"},
        {5, "port_num"},
        {6, "qkey"},
        {7, "ah_attr"},
        {8, "path_mtu"},
        {9, "timeout"},
        {10, "retry_cnt"},
        {11, "rnr_retry"},
        {12, "rq_psn"},
        {13, "max_rd_atomic"},
        {14, "alt_ah_attr"},
        {15, "min_rnr_timer"},
        {16, "sq_psn"},
        {17, "max_dest_rd_atomic"},
        {18, "path_mig_state"},
        {19, "cap"},
        {20, "dest_qp_num"},
        {25, "rate_limit"},
    }};
    for (const auto& [bit, name] : FIELDS)
    {
        EXPECT_EQ(ToString(static_cast<QueuePairMask>(1U << bit)), name);
    }
    EXPECT_EQ(ToString(static_cast<QueuePairMask>(1U << 21)), "attr_mask");
    EXPECT_EQ(ToFieldNames(0), "nothing");
    EXPECT_EQ(ToFieldNames(QP_TIMEOUT), "timeout");
    EXPECT_EQ(ToFieldNames(QP_DEST_QPN | QP_STATE | QP_AV), "qp_state, ah_attr, dest_qp_num");
}

} // namespace
} // namespace ns3::rdma
