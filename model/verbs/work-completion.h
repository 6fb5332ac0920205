// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/qpn.h"

#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/** How a work request ended; the values are those of rdma-core's ibv_wc_status. */
enum class CompletionStatus : uint8_t
{
    SUCCESS = 0,
    LOC_LEN_ERR = 1,
    LOC_QP_OP_ERR = 2,
    LOC_EEC_OP_ERR = 3,
    LOC_PROT_ERR = 4,
    WR_FLUSH_ERR = 5,
    MW_BIND_ERR = 6,
    BAD_RESP_ERR = 7,
    LOC_ACCESS_ERR = 8,
    REM_INV_REQ_ERR = 9,
    REM_ACCESS_ERR = 10,
    REM_OP_ERR = 11,
    RETRY_EXC_ERR = 12,
    RNR_RETRY_EXC_ERR = 13,
    LOC_RDD_VIOL_ERR = 14,
    REM_INV_RD_REQ_ERR = 15,
    REM_ABORT_ERR = 16,
    INV_EECN_ERR = 17,
    INV_EEC_STATE_ERR = 18,
    FATAL_ERR = 19,
    RESP_TIMEOUT_ERR = 20,
    GENERAL_ERR = 21,
};

/** The status as ibv_wc_status names it, in upper case with underscores. */
std::string_view ToString(CompletionStatus status);

/** What completed; the values are those of rdma-core's ibv_wc_opcode. */
enum class CompletionOpcode : uint8_t
{
    SEND = 0,
    RDMA_WRITE = 1,
    RDMA_READ = 2,
    COMP_SWAP = 3,
    FETCH_ADD = 4,
    LOCAL_INV = 6,
    RECV = 128,
    RECV_RDMA_WITH_IMM = 129,
};

/** The opcode as ibv_wc_opcode names it, without its prefix. */
std::string_view ToString(CompletionOpcode opcode);

/** Completion flags; the values are those of rdma-core's ibv_wc_flags. */
enum CompletionFlag : uint8_t
{
    WC_WITH_IMM = 1 << 1,
    WC_WITH_INV = 1 << 3,
};

/**
 * One entry of a completion queue (ibv_wc).
 *
 * With an error status only wrId, status and qpn are valid; the others are zero.
 */
struct WorkCompletion
{
    uint64_t wrId{0};
    CompletionStatus status{CompletionStatus::SUCCESS};
    Qpn qpn{};              ///< local queue pair
    uint32_t byteLength{0}; ///< bytes received, read, or sent (2^31 at most)
    CompletionOpcode opcode{};
    uint8_t flags{0};      ///< CompletionFlag bits
    uint32_t immediate{0}; ///< host order; the invalidated R_Key with WC_WITH_INV

    bool operator==(const WorkCompletion&) const = default;
};

} // namespace ns3::rdma
