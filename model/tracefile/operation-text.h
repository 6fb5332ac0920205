// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"

#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * @name Names as the verbs have them, without their prefix; unknown values are their number.
 * @{
 */
std::string ToString(OperationKind kind);
std::string ToString(ObjectKind kind);
std::string ToString(ControlVerb verb);
std::string GetSendOpcodeName(uint8_t opcode);       ///< ibv_wr_opcode: "RDMA_WRITE"
std::string GetCompletionOpcodeName(uint8_t opcode); ///< ibv_wc_opcode: "RECV"
std::string GetStatusName(uint8_t status);           ///< ibv_wc_status: "WR_FLUSH_ERR"
std::string GetStateName(uint8_t state);             ///< ibv_qp_state: "RTR"
/** @} */

/** The opcode or the control call of an operation; empty if its kind has none. */
std::string GetOpcodeName(const TraceOperation& operation);

/**
 * One line about an operation: kind, object, opcode, and all else that is not zero.
 *
 * Times, and what it waits for, are the caller's: they mean something in a trace only.
 */
std::string DescribeOperation(const TraceOperation& operation);

} // namespace ns3::rdma
