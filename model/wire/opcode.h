// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/** BTH opcodes that the model sends. @spec IBTA Vol 1 Rel 1.7 section 9.2.1, Annex A17 for CNP */
enum class Opcode : uint8_t
{
    RC_RDMA_WRITE_FIRST = 0x06,
    RC_RDMA_WRITE_MIDDLE = 0x07,
    RC_RDMA_WRITE_LAST = 0x08,
    RC_RDMA_WRITE_ONLY = 0x0a,
    RC_ACKNOWLEDGE = 0x11,
    CNP = 0x81,
};

/** What follows the BTH of an opcode and what role the packet plays: a row of the opcode table. */
struct OpcodeInfo
{
    Opcode opcode;
    std::string_view name;
    uint8_t extendedHeaderBytes; ///< extended transport headers between BTH and payload
    bool hasPayload;
    bool startsMessage;
    bool endsMessage;
};

/** The row of an opcode; nullptr for one that the model does not know. */
const OpcodeInfo* FindOpcode(uint8_t value);

/** The row of an opcode that the model knows. */
const OpcodeInfo& GetOpcodeInfo(Opcode opcode);

} // namespace ns3::rdma
