// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/work-completion.h"

#include <array>

namespace ns3::rdma
{

namespace
{

/** By value: rdma-core libibverbs/verbs.h, enum ibv_wc_status. */
constexpr std::array<std::string_view, 22> STATUS_NAMES{
    "SUCCESS",          "LOC_LEN_ERR",       "LOC_QP_OP_ERR",     "LOC_EEC_OP_ERR",
    "LOC_PROT_ERR",     "WR_FLUSH_ERR",      "MW_BIND_ERR",       "BAD_RESP_ERR",
    "LOC_ACCESS_ERR",   "REM_INV_REQ_ERR",   "REM_ACCESS_ERR",    "REM_OP_ERR",
    "RETRY_EXC_ERR",    "RNR_RETRY_EXC_ERR", "LOC_RDD_VIOL_ERR",  "REM_INV_RD_REQ_ERR",
    "REM_ABORT_ERR",    "INV_EECN_ERR",      "INV_EEC_STATE_ERR", "FATAL_ERR",
    "RESP_TIMEOUT_ERR", "GENERAL_ERR",
};

static_assert(STATUS_NAMES.size() == static_cast<std::size_t>(CompletionStatus::GENERAL_ERR) + 1);

} // namespace

std::string_view
ToString(CompletionStatus status)
{
    const auto index = static_cast<std::size_t>(status);
    return index < STATUS_NAMES.size() ? STATUS_NAMES[index] : "UNKNOWN";
}

std::string_view
ToString(CompletionOpcode opcode)
{
    switch (opcode)
    {
    case CompletionOpcode::SEND:
        return "SEND";
    case CompletionOpcode::RDMA_WRITE:
        return "RDMA_WRITE";
    case CompletionOpcode::RDMA_READ:
        return "RDMA_READ";
    case CompletionOpcode::COMP_SWAP:
        return "COMP_SWAP";
    case CompletionOpcode::FETCH_ADD:
        return "FETCH_ADD";
    case CompletionOpcode::LOCAL_INV:
        return "LOCAL_INV";
    case CompletionOpcode::RECV:
        return "RECV";
    case CompletionOpcode::RECV_RDMA_WITH_IMM:
        return "RECV_RDMA_WITH_IMM";
    }
    return "UNKNOWN";
}

} // namespace ns3::rdma
