// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/send-request.h"
#include "verbs/work-completion.h"
#include "wire/opcode.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/** What a reliable connection does with an operation of the send queue: a row of its table. */
struct SendOperation
{
    bool isKnown{false};
    CompletionOpcode completion{};
    bool hasReth{false};
    bool awaitsResponse{false}; ///< READ and atomics: only a response of theirs completes them
    bool takesReceive{false};   ///< consumes a receive request, and with it an end-to-end credit
    /** By whether the packet starts and whether it ends its message: middle, last; first, only. */
    std::array<std::array<Opcode, 2>, 2> opcodes{};
};

/** The opcodes of a request that is one packet whatever it asks for. */
constexpr std::array<std::array<Opcode, 2>, 2>
OnePacket(Opcode opcode)
{
    return {{{opcode, opcode}, {opcode, opcode}}};
}

/** Rows by SendOpcode. @spec IBTA Vol 1 Rel 1.7 section 9.4 (transport functions) */
constexpr std::array<SendOperation, 10> SEND_OPERATIONS{{
    // RDMA_WRITE
    {.isKnown = true,
     .completion = CompletionOpcode::RDMA_WRITE,
     .hasReth = true,
     .opcodes = {{{Opcode::RC_RDMA_WRITE_MIDDLE, Opcode::RC_RDMA_WRITE_LAST},
                  {Opcode::RC_RDMA_WRITE_FIRST, Opcode::RC_RDMA_WRITE_ONLY}}}},
    // RDMA_WRITE_WITH_IMM
    {.isKnown = true,
     .completion = CompletionOpcode::RDMA_WRITE,
     .hasReth = true,
     .takesReceive = true,
     .opcodes = {{{Opcode::RC_RDMA_WRITE_MIDDLE, Opcode::RC_RDMA_WRITE_LAST_WITH_IMMEDIATE},
                  {Opcode::RC_RDMA_WRITE_FIRST, Opcode::RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE}}}},
    // SEND
    {.isKnown = true,
     .completion = CompletionOpcode::SEND,
     .takesReceive = true,
     .opcodes = {{{Opcode::RC_SEND_MIDDLE, Opcode::RC_SEND_LAST},
                  {Opcode::RC_SEND_FIRST, Opcode::RC_SEND_ONLY}}}},
    // SEND_WITH_IMM
    {.isKnown = true,
     .completion = CompletionOpcode::SEND,
     .takesReceive = true,
     .opcodes = {{{Opcode::RC_SEND_MIDDLE, Opcode::RC_SEND_LAST_WITH_IMMEDIATE},
                  {Opcode::RC_SEND_FIRST, Opcode::RC_SEND_ONLY_WITH_IMMEDIATE}}}},
    // RDMA_READ
    {.isKnown = true,
     .completion = CompletionOpcode::RDMA_READ,
     .hasReth = true,
     .awaitsResponse = true,
     .opcodes = OnePacket(Opcode::RC_RDMA_READ_REQUEST)},
    // ATOMIC_CMP_AND_SWP
    {.isKnown = true,
     .completion = CompletionOpcode::COMP_SWAP,
     .awaitsResponse = true,
     .opcodes = OnePacket(Opcode::RC_COMPARE_SWAP)},
    // ATOMIC_FETCH_AND_ADD
    {.isKnown = true,
     .completion = CompletionOpcode::FETCH_ADD,
     .awaitsResponse = true,
     .opcodes = OnePacket(Opcode::RC_FETCH_ADD)},
    // LOCAL_INV: no packet
    {.isKnown = true, .completion = CompletionOpcode::LOCAL_INV},
    // 8, IBV_WR_BIND_MW: not modelled
    {},
    // SEND_WITH_INV
    {.isKnown = true,
     .completion = CompletionOpcode::SEND,
     .takesReceive = true,
     .opcodes = {{{Opcode::RC_SEND_MIDDLE, Opcode::RC_SEND_LAST_WITH_INVALIDATE},
                  {Opcode::RC_SEND_FIRST, Opcode::RC_SEND_ONLY_WITH_INVALIDATE}}}},
}};

/** The row of an operation that is known. */
constexpr const SendOperation&
GetSendOperation(SendOpcode opcode)
{
    return SEND_OPERATIONS[static_cast<uint8_t>(opcode)];
}

/** Whether the value is that of an operation that a reliable connection has. */
constexpr bool
IsSendOperation(SendOpcode opcode)
{
    return static_cast<uint8_t>(opcode) < SEND_OPERATIONS.size() &&
           GetSendOperation(opcode).isKnown;
}

constexpr bool
IsAtomic(SendOpcode opcode)
{
    return opcode == SendOpcode::ATOMIC_CMP_AND_SWP || opcode == SendOpcode::ATOMIC_FETCH_AND_ADD;
}

} // namespace ns3::rdma
