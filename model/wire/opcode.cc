// SPDX-License-Identifier: GPL-2.0-only
#include "wire/opcode.h"

#include "wire/framing.h"

#include <array>

namespace ns3::rdma
{
namespace
{

/** @spec IBTA Vol 1 Rel 1.7 section 9.2.1 (opcodes, headers), Annex A17 (CNP, reserved bytes) */
constexpr std::array<OpcodeInfo, 6> ROWS{{
    {.opcode = Opcode::RC_RDMA_WRITE_FIRST,
     .name = "RC RDMA WRITE First",
     .extendedHeaderBytes = RETH_BYTES,
     .hasPayload = true,
     .startsMessage = true,
     .endsMessage = false},
    {.opcode = Opcode::RC_RDMA_WRITE_MIDDLE,
     .name = "RC RDMA WRITE Middle",
     .extendedHeaderBytes = 0,
     .hasPayload = true,
     .startsMessage = false,
     .endsMessage = false},
    {.opcode = Opcode::RC_RDMA_WRITE_LAST,
     .name = "RC RDMA WRITE Last",
     .extendedHeaderBytes = 0,
     .hasPayload = true,
     .startsMessage = false,
     .endsMessage = true},
    {.opcode = Opcode::RC_RDMA_WRITE_ONLY,
     .name = "RC RDMA WRITE Only",
     .extendedHeaderBytes = RETH_BYTES,
     .hasPayload = true,
     .startsMessage = true,
     .endsMessage = true},
    {.opcode = Opcode::RC_ACKNOWLEDGE,
     .name = "RC Acknowledge",
     .extendedHeaderBytes = AETH_BYTES,
     .hasPayload = false,
     .startsMessage = false,
     .endsMessage = false},
    {.opcode = Opcode::CNP,
     .name = "CNP",
     .extendedHeaderBytes = CNP_RESERVED_BYTES,
     .hasPayload = false,
     .startsMessage = false,
     .endsMessage = false},
}};

constexpr uint8_t NO_ROW = 0xff;

/** Row number of each of the 256 values of the opcode field. */
constexpr std::array<uint8_t, 256> ROW_OF = []
{
    std::array<uint8_t, 256> rowOf{};
    rowOf.fill(NO_ROW);
    for (uint8_t row = 0; row < ROWS.size(); ++row)
    {
        rowOf[static_cast<uint8_t>(ROWS[row].opcode)] = row;
    }
    return rowOf;
}();

} // namespace

const OpcodeInfo*
FindOpcode(uint8_t value)
{
    const uint8_t row = ROW_OF[value];
    return row == NO_ROW ? nullptr : &ROWS[row];
}

const OpcodeInfo&
GetOpcodeInfo(Opcode opcode)
{
    return ROWS[ROW_OF[static_cast<uint8_t>(opcode)]];
}

} // namespace ns3::rdma
