// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/work-completion.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What a side's application has seen: completions in their order, and its buffer at the end. */
struct ProgramOutput
{
    std::vector<WorkCompletion> sends;
    std::vector<WorkCompletion> receives;
    std::string buffer; ///< first eight bytes as hexadecimal digits; empty: not told
};

/**
 * The completions in a program's output.
 *
 *     1795972848.61 send wr_id 1 status 0 (success) opcode 1 len 0 vend 0x0 imm 0x0 flags 0x0
 *     final qp state 3  buf[0..7] 6465666768696a6b
 *
 * Other lines are skipped.
 */
ProgramOutput ReadProgramOutput(const std::string& text);

/**
 * A completion as text: what is compared.
 *
 * After an error only the request and the status are valid (ibv_poll_cq(3)). Of a send completion
 * length and flags are not compared: the standard gives them a meaning only for received data and
 * READs.
 */
std::string ToString(const WorkCompletion& completion, bool isReceive);

} // namespace ns3::rdma
