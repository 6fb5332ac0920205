// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/** BTH opcodes. @spec IBTA Vol 1 Rel 1.7 section 9.2.1, Annex A14 (XRC), Annex A17 (CNP) */
enum class Opcode : uint8_t
{
    RC_SEND_FIRST = 0x00,
    RC_SEND_MIDDLE = 0x01,
    RC_SEND_LAST = 0x02,
    RC_SEND_LAST_WITH_IMMEDIATE = 0x03,
    RC_SEND_ONLY = 0x04,
    RC_SEND_ONLY_WITH_IMMEDIATE = 0x05,
    RC_RDMA_WRITE_FIRST = 0x06,
    RC_RDMA_WRITE_MIDDLE = 0x07,
    RC_RDMA_WRITE_LAST = 0x08,
    RC_RDMA_WRITE_LAST_WITH_IMMEDIATE = 0x09,
    RC_RDMA_WRITE_ONLY = 0x0a,
    RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE = 0x0b,
    RC_RDMA_READ_REQUEST = 0x0c,
    RC_RDMA_READ_RESPONSE_FIRST = 0x0d,
    RC_RDMA_READ_RESPONSE_MIDDLE = 0x0e,
    RC_RDMA_READ_RESPONSE_LAST = 0x0f,
    RC_RDMA_READ_RESPONSE_ONLY = 0x10,
    RC_ACKNOWLEDGE = 0x11,
    RC_ATOMIC_ACKNOWLEDGE = 0x12,
    RC_COMPARE_SWAP = 0x13,
    RC_FETCH_ADD = 0x14,
    RC_SEND_LAST_WITH_INVALIDATE = 0x16,
    RC_SEND_ONLY_WITH_INVALIDATE = 0x17,
    UC_SEND_FIRST = 0x20,
    UC_SEND_MIDDLE = 0x21,
    UC_SEND_LAST = 0x22,
    UC_SEND_LAST_WITH_IMMEDIATE = 0x23,
    UC_SEND_ONLY = 0x24,
    UC_SEND_ONLY_WITH_IMMEDIATE = 0x25,
    UC_RDMA_WRITE_FIRST = 0x26,
    UC_RDMA_WRITE_MIDDLE = 0x27,
    UC_RDMA_WRITE_LAST = 0x28,
    UC_RDMA_WRITE_LAST_WITH_IMMEDIATE = 0x29,
    UC_RDMA_WRITE_ONLY = 0x2a,
    UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE = 0x2b,
    UD_SEND_ONLY = 0x64,
    UD_SEND_ONLY_WITH_IMMEDIATE = 0x65,
    XRC_SEND_FIRST = 0xa0,
    XRC_SEND_MIDDLE = 0xa1,
    XRC_SEND_LAST = 0xa2,
    XRC_SEND_LAST_WITH_IMMEDIATE = 0xa3,
    XRC_SEND_ONLY = 0xa4,
    XRC_SEND_ONLY_WITH_IMMEDIATE = 0xa5,
    XRC_RDMA_WRITE_FIRST = 0xa6,
    XRC_RDMA_WRITE_MIDDLE = 0xa7,
    XRC_RDMA_WRITE_LAST = 0xa8,
    XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE = 0xa9,
    XRC_RDMA_WRITE_ONLY = 0xaa,
    XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE = 0xab,
    XRC_RDMA_READ_REQUEST = 0xac,
    XRC_RDMA_READ_RESPONSE_FIRST = 0xad,
    XRC_RDMA_READ_RESPONSE_MIDDLE = 0xae,
    XRC_RDMA_READ_RESPONSE_LAST = 0xaf,
    XRC_RDMA_READ_RESPONSE_ONLY = 0xb0,
    XRC_ACKNOWLEDGE = 0xb1,
    XRC_ATOMIC_ACKNOWLEDGE = 0xb2,
    XRC_COMPARE_SWAP = 0xb3,
    XRC_FETCH_ADD = 0xb4,
    XRC_SEND_LAST_WITH_INVALIDATE = 0xb6,
    XRC_SEND_ONLY_WITH_INVALIDATE = 0xb7,
    CNP = 0x81, ///< congestion notification of RoCEv2; 0x80 is the one of InfiniBand
};

/** Transport service, the upper three bits of an opcode. */
enum class TransportService : uint8_t
{
    RC = 0x00,
    UC = 0x20,
    UD = 0x60,
    CNP = 0x80,
    XRC = 0xa0,
};

/** What a packet is part of. */
enum class Operation : uint8_t
{
    SEND,
    RDMA_WRITE,
    RDMA_READ_REQUEST,
    RDMA_READ_RESPONSE,
    ACKNOWLEDGE,
    ATOMIC_ACKNOWLEDGE,
    COMPARE_SWAP,
    FETCH_ADD,
    NOTIFICATION,
};

/** Extended transport headers, as bits; they follow the BTH in the order of the bits. */
enum ExtendedHeader : uint8_t
{
    HEADER_XRCETH = 1 << 0,
    HEADER_DETH = 1 << 1,
    HEADER_RETH = 1 << 2,
    HEADER_ATOMIC_ETH = 1 << 3,
    HEADER_AETH = 1 << 4,
    HEADER_ATOMIC_ACK_ETH = 1 << 5,
    HEADER_IMMEDIATE = 1 << 6,
    HEADER_IETH = 1 << 7,
};

/** What follows the BTH of an opcode and what role the packet plays: a row of the opcode table. */
struct OpcodeInfo
{
    Opcode opcode;
    std::string_view name;
    TransportService service;
    Operation operation;
    uint8_t headers;             ///< ExtendedHeader bits
    uint8_t extendedHeaderBytes; ///< between BTH and payload; of a CNP its reserved bytes
    bool hasPayload;             ///< may carry payload
    bool startsMessage;
    bool endsMessage;
    bool isRequest; ///< goes to the responder; else to the requester

    constexpr bool Has(ExtendedHeader header) const
    {
        return (headers & header) != 0;
    }
};

/** The opcode table by value; values that are not opcodes have an empty name. */
extern const std::array<OpcodeInfo, 256> OPCODE_TABLE;

/** The row of an opcode; nullptr for one that the model does not know. */
const OpcodeInfo* FindOpcode(uint8_t value);

/** The row of an opcode that the model knows. */
inline const OpcodeInfo&
GetOpcodeInfo(Opcode opcode)
{
    return OPCODE_TABLE[static_cast<uint8_t>(opcode)];
}

/** Whether a packet is a request of a reliable connection: it goes to the responder. */
constexpr bool
IsRcRequest(Opcode opcode)
{
    constexpr uint32_t REQUESTS = 0x00d81fff; // 0x00 .. 0x0c, 0x13, 0x14, 0x16, 0x17
    const auto value = static_cast<uint8_t>(opcode);
    return value < 32 && (REQUESTS >> value & 1) != 0;
}

} // namespace ns3::rdma
