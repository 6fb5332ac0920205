// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/work-completion.h"

#include <array>
#include <gtest/gtest.h>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** In the order of rdma-core libibverbs/verbs.h, enum ibv_wc_status, which counts from 0. */
constexpr std::array<std::pair<CompletionStatus, std::string_view>, 22> STATUSES{{
    {CompletionStatus::SUCCESS, "SUCCESS"},
    {CompletionStatus::LOC_LEN_ERR, "LOC_LEN_ERR"},
    {CompletionStatus::LOC_QP_OP_ERR, "LOC_QP_OP_ERR"},
    {CompletionStatus::LOC_EEC_OP_ERR, "LOC_EEC_OP_ERR"},
    {CompletionStatus::LOC_PROT_ERR, "LOC_PROT_ERR"},
    {CompletionStatus::WR_FLUSH_ERR, "WR_FLUSH_ERR"},
    {CompletionStatus::MW_BIND_ERR, "MW_BIND_ERR"},
    {CompletionStatus::BAD_RESP_ERR, "BAD_RESP_ERR"},
    {CompletionStatus::LOC_ACCESS_ERR, "LOC_ACCESS_ERR"},
    {CompletionStatus::REM_INV_REQ_ERR, "REM_INV_REQ_ERR"},
    {CompletionStatus::REM_ACCESS_ERR, "REM_ACCESS_ERR"},
    {CompletionStatus::REM_OP_ERR, "REM_OP_ERR"},
    {CompletionStatus::RETRY_EXC_ERR, "RETRY_EXC_ERR"},
    {CompletionStatus::RNR_RETRY_EXC_ERR, "RNR_RETRY_EXC_ERR"},
    {CompletionStatus::LOC_RDD_VIOL_ERR, "LOC_RDD_VIOL_ERR"},
    {CompletionStatus::REM_INV_RD_REQ_ERR, "REM_INV_RD_REQ_ERR"},
    {CompletionStatus::REM_ABORT_ERR, "REM_ABORT_ERR"},
    {CompletionStatus::INV_EECN_ERR, "INV_EECN_ERR"},
    {CompletionStatus::INV_EEC_STATE_ERR, "INV_EEC_STATE_ERR"},
    {CompletionStatus::FATAL_ERR, "FATAL_ERR"},
    {CompletionStatus::RESP_TIMEOUT_ERR, "RESP_TIMEOUT_ERR"},
    {CompletionStatus::GENERAL_ERR, "GENERAL_ERR"},
}};

/** Values and names: rdma-core libibverbs/verbs.h, enum ibv_wc_opcode. */
constexpr std::array<std::pair<CompletionOpcode, std::pair<int, std::string_view>>, 8> OPCODES{{
    {CompletionOpcode::SEND, {0, "SEND"}},
    {CompletionOpcode::RDMA_WRITE, {1, "RDMA_WRITE"}},
    {CompletionOpcode::RDMA_READ, {2, "RDMA_READ"}},
    {CompletionOpcode::COMP_SWAP, {3, "COMP_SWAP"}},
    {CompletionOpcode::FETCH_ADD, {4, "FETCH_ADD"}},
    {CompletionOpcode::LOCAL_INV, {6, "LOCAL_INV"}},
    {CompletionOpcode::RECV, {128, "RECV"}},
    {CompletionOpcode::RECV_RDMA_WITH_IMM, {129, "RECV_RDMA_WITH_IMM"}},
}};

TEST(WorkCompletion, StatusValuesAndNamesAreThoseOfVerbs)
{
    for (std::size_t value = 0; value < STATUSES.size(); ++value)
    {
        EXPECT_EQ(static_cast<std::size_t>(STATUSES[value].first), value);
        EXPECT_EQ(ToString(STATUSES[value].first), STATUSES[value].second);
    }
    EXPECT_EQ(ToString(static_cast<CompletionStatus>(200)), "UNKNOWN");
}

TEST(WorkCompletion, OpcodeValuesAndNamesAreThoseOfVerbs)
{
    for (const auto& [opcode, expected] : OPCODES)
    {
        EXPECT_EQ(static_cast<int>(opcode), expected.first);
        EXPECT_EQ(ToString(opcode), expected.second);
    }
    EXPECT_EQ(ToString(static_cast<CompletionOpcode>(200)), "UNKNOWN");
}

} // namespace
} // namespace ns3::rdma
