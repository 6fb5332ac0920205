// SPDX-License-Identifier: GPL-2.0-only
#include "wire/opcode.h"

#include "wire/framing.h"

#include <array>

namespace ns3::rdma
{
namespace
{

/** Where a packet stands in its message. */
enum class Place : uint8_t
{
    NONE, ///< in no message: acknowledgements, notifications
    FIRST,
    MIDDLE,
    LAST,
    ONLY,
};

/** Sizes of the extended headers, in the order of their bits. @spec IBTA section 9.3 */
constexpr std::array<uint8_t, 8> HEADER_BYTES{XRCETH_BYTES,
                                              DETH_BYTES,
                                              RETH_BYTES,
                                              ATOMIC_ETH_BYTES,
                                              AETH_BYTES,
                                              ATOMIC_ACK_ETH_BYTES,
                                              IMMEDIATE_BYTES,
                                              IETH_BYTES};

constexpr uint8_t
SumOfHeaders(uint8_t headers)
{
    uint8_t bytes = 0;
    for (std::size_t bit = 0; bit < HEADER_BYTES.size(); ++bit)
    {
        bytes += (headers >> bit & 1) != 0 ? HEADER_BYTES[bit] : 0;
    }
    return bytes;
}

/** What a packet is part of, and where it stands in it. */
struct Part
{
    Operation operation;
    Place place;
};

constexpr OpcodeInfo
Row(Opcode opcode, std::string_view name, Part part, int headers)
{
    const auto [operation, place] = part;
    constexpr uint8_t SERVICE_MASK = 0xe0;
    const bool isResponse = operation == Operation::RDMA_READ_RESPONSE ||
                            operation == Operation::ACKNOWLEDGE ||
                            operation == Operation::ATOMIC_ACKNOWLEDGE;
    return {.opcode = opcode,
            .name = name,
            .service = static_cast<TransportService>(static_cast<uint8_t>(opcode) & SERVICE_MASK),
            .operation = operation,
            .headers = static_cast<uint8_t>(headers),
            .extendedHeaderBytes = operation == Operation::NOTIFICATION
                                       ? uint8_t{CNP_RESERVED_BYTES}
                                       : SumOfHeaders(static_cast<uint8_t>(headers)),
            .hasPayload = operation == Operation::SEND || operation == Operation::RDMA_WRITE ||
                          operation == Operation::RDMA_READ_RESPONSE,
            .startsMessage = place == Place::FIRST || place == Place::ONLY,
            .endsMessage = place == Place::LAST || place == Place::ONLY,
            .isRequest = !isResponse && operation != Operation::NOTIFICATION};
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.2.1 (opcodes, headers), Annex A14 (XRC), Annex A17 (CNP) */
constexpr std::array ROWS{
    Row(Opcode::RC_SEND_FIRST, "RC SEND First", {Operation::SEND, Place::FIRST}, 0),
    Row(Opcode::RC_SEND_MIDDLE, "RC SEND Middle", {Operation::SEND, Place::MIDDLE}, 0),
    Row(Opcode::RC_SEND_LAST, "RC SEND Last", {Operation::SEND, Place::LAST}, 0),
    Row(Opcode::RC_SEND_LAST_WITH_IMMEDIATE,
        "RC SEND Last with Immediate",
        {Operation::SEND, Place::LAST},
        HEADER_IMMEDIATE),
    Row(Opcode::RC_SEND_ONLY, "RC SEND Only", {Operation::SEND, Place::ONLY}, 0),
    Row(Opcode::RC_SEND_ONLY_WITH_IMMEDIATE,
        "RC SEND Only with Immediate",
        {Operation::SEND, Place::ONLY},
        HEADER_IMMEDIATE),
    Row(Opcode::RC_RDMA_WRITE_FIRST,
        "RC RDMA WRITE First",
        {Operation::RDMA_WRITE, Place::FIRST},
        HEADER_RETH),
    Row(Opcode::RC_RDMA_WRITE_MIDDLE,
        "RC RDMA WRITE Middle",
        {Operation::RDMA_WRITE, Place::MIDDLE},
        0),
    Row(Opcode::RC_RDMA_WRITE_LAST, "RC RDMA WRITE Last", {Operation::RDMA_WRITE, Place::LAST}, 0),
    Row(Opcode::RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
        "RC RDMA WRITE Last with Immediate",
        {Operation::RDMA_WRITE, Place::LAST},
        HEADER_IMMEDIATE),
    Row(Opcode::RC_RDMA_WRITE_ONLY,
        "RC RDMA WRITE Only",
        {Operation::RDMA_WRITE, Place::ONLY},
        HEADER_RETH),
    Row(Opcode::RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
        "RC RDMA WRITE Only with Immediate",
        {Operation::RDMA_WRITE, Place::ONLY},
        HEADER_RETH | HEADER_IMMEDIATE),
    Row(Opcode::RC_RDMA_READ_REQUEST,
        "RC RDMA READ Request",
        {Operation::RDMA_READ_REQUEST, Place::ONLY},
        HEADER_RETH),
    Row(Opcode::RC_RDMA_READ_RESPONSE_FIRST,
        "RC RDMA READ Response First",
        {Operation::RDMA_READ_RESPONSE, Place::FIRST},
        HEADER_AETH),
    Row(Opcode::RC_RDMA_READ_RESPONSE_MIDDLE,
        "RC RDMA READ Response Middle",
        {Operation::RDMA_READ_RESPONSE, Place::MIDDLE},
        0),
    Row(Opcode::RC_RDMA_READ_RESPONSE_LAST,
        "RC RDMA READ Response Last",
        {Operation::RDMA_READ_RESPONSE, Place::LAST},
        HEADER_AETH),
    Row(Opcode::RC_RDMA_READ_RESPONSE_ONLY,
        "RC RDMA READ Response Only",
        {Operation::RDMA_READ_RESPONSE, Place::ONLY},
        HEADER_AETH),
    Row(Opcode::RC_ACKNOWLEDGE,
        "RC Acknowledge",
        {Operation::ACKNOWLEDGE, Place::NONE},
        HEADER_AETH),
    Row(Opcode::RC_ATOMIC_ACKNOWLEDGE,
        "RC Atomic Acknowledge",
        {Operation::ATOMIC_ACKNOWLEDGE, Place::NONE},
        HEADER_AETH | HEADER_ATOMIC_ACK_ETH),
    Row(Opcode::RC_COMPARE_SWAP,
        "RC Compare Swap",
        {Operation::COMPARE_SWAP, Place::ONLY},
        HEADER_ATOMIC_ETH),
    Row(Opcode::RC_FETCH_ADD,
        "RC Fetch Add",
        {Operation::FETCH_ADD, Place::ONLY},
        HEADER_ATOMIC_ETH),
    Row(Opcode::RC_SEND_LAST_WITH_INVALIDATE,
        "RC SEND Last with Invalidate",
        {Operation::SEND, Place::LAST},
        HEADER_IETH),
    Row(Opcode::RC_SEND_ONLY_WITH_INVALIDATE,
        "RC SEND Only with Invalidate",
        {Operation::SEND, Place::ONLY},
        HEADER_IETH),
    Row(Opcode::UC_SEND_FIRST, "UC SEND First", {Operation::SEND, Place::FIRST}, 0),
    Row(Opcode::UC_SEND_MIDDLE, "UC SEND Middle", {Operation::SEND, Place::MIDDLE}, 0),
    Row(Opcode::UC_SEND_LAST, "UC SEND Last", {Operation::SEND, Place::LAST}, 0),
    Row(Opcode::UC_SEND_LAST_WITH_IMMEDIATE,
        "UC SEND Last with Immediate",
        {Operation::SEND, Place::LAST},
        HEADER_IMMEDIATE),
    Row(Opcode::UC_SEND_ONLY, "UC SEND Only", {Operation::SEND, Place::ONLY}, 0),
    Row(Opcode::UC_SEND_ONLY_WITH_IMMEDIATE,
        "UC SEND Only with Immediate",
        {Operation::SEND, Place::ONLY},
        HEADER_IMMEDIATE),
    Row(Opcode::UC_RDMA_WRITE_FIRST,
        "UC RDMA WRITE First",
        {Operation::RDMA_WRITE, Place::FIRST},
        HEADER_RETH),
    Row(Opcode::UC_RDMA_WRITE_MIDDLE,
        "UC RDMA WRITE Middle",
        {Operation::RDMA_WRITE, Place::MIDDLE},
        0),
    Row(Opcode::UC_RDMA_WRITE_LAST, "UC RDMA WRITE Last", {Operation::RDMA_WRITE, Place::LAST}, 0),
    Row(Opcode::UC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
        "UC RDMA WRITE Last with Immediate",
        {Operation::RDMA_WRITE, Place::LAST},
        HEADER_IMMEDIATE),
    Row(Opcode::UC_RDMA_WRITE_ONLY,
        "UC RDMA WRITE Only",
        {Operation::RDMA_WRITE, Place::ONLY},
        HEADER_RETH),
    Row(Opcode::UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
        "UC RDMA WRITE Only with Immediate",
        {Operation::RDMA_WRITE, Place::ONLY},
        HEADER_RETH | HEADER_IMMEDIATE),
    Row(Opcode::UD_SEND_ONLY, "UD SEND Only", {Operation::SEND, Place::ONLY}, HEADER_DETH),
    Row(Opcode::UD_SEND_ONLY_WITH_IMMEDIATE,
        "UD SEND Only with Immediate",
        {Operation::SEND, Place::ONLY},
        HEADER_DETH | HEADER_IMMEDIATE),
    Row(Opcode::XRC_SEND_FIRST, "XRC SEND First", {Operation::SEND, Place::FIRST}, HEADER_XRCETH),
    Row(Opcode::XRC_SEND_MIDDLE,
        "XRC SEND Middle",
        {Operation::SEND, Place::MIDDLE},
        HEADER_XRCETH),
    Row(Opcode::XRC_SEND_LAST, "XRC SEND Last", {Operation::SEND, Place::LAST}, HEADER_XRCETH),
    Row(Opcode::XRC_SEND_LAST_WITH_IMMEDIATE,
        "XRC SEND Last with Immediate",
        {Operation::SEND, Place::LAST},
        HEADER_XRCETH | HEADER_IMMEDIATE),
    Row(Opcode::XRC_SEND_ONLY, "XRC SEND Only", {Operation::SEND, Place::ONLY}, HEADER_XRCETH),
    Row(Opcode::XRC_SEND_ONLY_WITH_IMMEDIATE,
        "XRC SEND Only with Immediate",
        {Operation::SEND, Place::ONLY},
        HEADER_XRCETH | HEADER_IMMEDIATE),
    Row(Opcode::XRC_RDMA_WRITE_FIRST,
        "XRC RDMA WRITE First",
        {Operation::RDMA_WRITE, Place::FIRST},
        HEADER_XRCETH | HEADER_RETH),
    Row(Opcode::XRC_RDMA_WRITE_MIDDLE,
        "XRC RDMA WRITE Middle",
        {Operation::RDMA_WRITE, Place::MIDDLE},
        HEADER_XRCETH),
    Row(Opcode::XRC_RDMA_WRITE_LAST,
        "XRC RDMA WRITE Last",
        {Operation::RDMA_WRITE, Place::LAST},
        HEADER_XRCETH),
    Row(Opcode::XRC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
        "XRC RDMA WRITE Last with Immediate",
        {Operation::RDMA_WRITE, Place::LAST},
        HEADER_XRCETH | HEADER_IMMEDIATE),
    Row(Opcode::XRC_RDMA_WRITE_ONLY,
        "XRC RDMA WRITE Only",
        {Operation::RDMA_WRITE, Place::ONLY},
        HEADER_XRCETH | HEADER_RETH),
    Row(Opcode::XRC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
        "XRC RDMA WRITE Only with Immediate",
        {Operation::RDMA_WRITE, Place::ONLY},
        HEADER_XRCETH | HEADER_RETH | HEADER_IMMEDIATE),
    Row(Opcode::XRC_RDMA_READ_REQUEST,
        "XRC RDMA READ Request",
        {Operation::RDMA_READ_REQUEST, Place::ONLY},
        HEADER_XRCETH | HEADER_RETH),
    Row(Opcode::XRC_RDMA_READ_RESPONSE_FIRST,
        "XRC RDMA READ Response First",
        {Operation::RDMA_READ_RESPONSE, Place::FIRST},
        HEADER_AETH),
    Row(Opcode::XRC_RDMA_READ_RESPONSE_MIDDLE,
        "XRC RDMA READ Response Middle",
        {Operation::RDMA_READ_RESPONSE, Place::MIDDLE},
        0),
    Row(Opcode::XRC_RDMA_READ_RESPONSE_LAST,
        "XRC RDMA READ Response Last",
        {Operation::RDMA_READ_RESPONSE, Place::LAST},
        HEADER_AETH),
    Row(Opcode::XRC_RDMA_READ_RESPONSE_ONLY,
        "XRC RDMA READ Response Only",
        {Operation::RDMA_READ_RESPONSE, Place::ONLY},
        HEADER_AETH),
    Row(Opcode::XRC_ACKNOWLEDGE,
        "XRC Acknowledge",
        {Operation::ACKNOWLEDGE, Place::NONE},
        HEADER_AETH),
    Row(Opcode::XRC_ATOMIC_ACKNOWLEDGE,
        "XRC Atomic Acknowledge",
        {Operation::ATOMIC_ACKNOWLEDGE, Place::NONE},
        HEADER_AETH | HEADER_ATOMIC_ACK_ETH),
    Row(Opcode::XRC_COMPARE_SWAP,
        "XRC Compare Swap",
        {Operation::COMPARE_SWAP, Place::ONLY},
        HEADER_XRCETH | HEADER_ATOMIC_ETH),
    Row(Opcode::XRC_FETCH_ADD,
        "XRC Fetch Add",
        {Operation::FETCH_ADD, Place::ONLY},
        HEADER_XRCETH | HEADER_ATOMIC_ETH),
    Row(Opcode::XRC_SEND_LAST_WITH_INVALIDATE,
        "XRC SEND Last with Invalidate",
        {Operation::SEND, Place::LAST},
        HEADER_XRCETH | HEADER_IETH),
    Row(Opcode::XRC_SEND_ONLY_WITH_INVALIDATE,
        "XRC SEND Only with Invalidate",
        {Operation::SEND, Place::ONLY},
        HEADER_XRCETH | HEADER_IETH),
    Row(Opcode::CNP, "CNP", {Operation::NOTIFICATION, Place::NONE}, 0),
};

constexpr std::array<OpcodeInfo, 256>
ByValue()
{
    std::array<OpcodeInfo, 256> table{};
    for (const OpcodeInfo& row : ROWS)
    {
        table[static_cast<uint8_t>(row.opcode)] = row;
    }
    return table;
}

} // namespace

constexpr std::array<OpcodeInfo, 256> OPCODE_TABLE = ByValue();

const OpcodeInfo*
FindOpcode(uint8_t value)
{
    const OpcodeInfo& row = OPCODE_TABLE[value];
    return row.name.empty() ? nullptr : &row;
}

} // namespace ns3::rdma
