// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"

#include <cstdint>
#include <optional>
#include <span>

namespace ns3::rdma
{

/** The frame with which each side begins MPA. @spec RFC 5044 section 7.1.1, RFC 6581 section 4 */
struct MpaStart
{
    static constexpr std::size_t SIZE = 20; ///< before the private data

    bool isReply{false};
    bool needsMarkers{false}; ///< M: in what this side receives
    bool usesCrc{false};      ///< C
    bool isRejected{false};   ///< R
    uint8_t revision{0};
    uint16_t privateBytes{0};
    /** Revision 2 with S, from the private data: what makes the peer ready to receive. */
    bool isPeerToPeer{false}; ///< A
    bool offersSend{false};   ///< B: a FULPDU of no length
    bool offersWrite{false};  ///< C: an RDMA WRITE of no length
    bool offersRead{false};   ///< D: an RDMA READ of no length

    /** Whether bytes begin as the frame of the side that connects does. */
    static bool IsRequest(std::span<const std::byte> bytes);

    /** Whether bytes begin as the frame of the side that accepts does. */
    static bool IsReply(std::span<const std::byte> bytes);

    /** Reads a frame; nothing if it has another key. Private data may be cut. */
    static std::optional<MpaStart> Parse(std::span<const std::byte> bytes);
};

/** RDMAP opcodes. @spec RFC 5040 section 4.2, RFC 7306 section 4.1 */
enum class RdmapOpcode : uint8_t
{
    RDMA_WRITE = 0,
    READ_REQUEST = 1,
    READ_RESPONSE = 2,
    SEND = 3,
    SEND_INVALIDATE = 4,
    SEND_SOLICITED = 5,
    SEND_SOLICITED_INVALIDATE = 6,
    TERMINATE = 7,
    IMMEDIATE = 8,
    IMMEDIATE_SOLICITED = 9,
    ATOMIC_REQUEST = 10,
    ATOMIC_RESPONSE = 11,
};

/**
 * The headers of one FPDU of MPA: the length of its ULPDU, DDP, RDMAP, and what a READ asks for.
 *
 * @spec RFC 5044 section 4.1 (FPDU), RFC 5041 section 4 (DDP), RFC 5040 section 4 (RDMAP)
 */
struct Fpdu
{
    static constexpr std::size_t TAGGED_BYTES = 14;   ///< DDP and RDMAP
    static constexpr std::size_t UNTAGGED_BYTES = 18; ///< DDP and RDMAP
    static constexpr std::size_t READ_BYTES = 28;     ///< what a READ request says
    static constexpr std::size_t LENGTH_BYTES = 2;
    static constexpr std::size_t CRC_BYTES = 4;
    static constexpr std::size_t MAX_HEADER_BYTES = LENGTH_BYTES + UNTAGGED_BYTES + READ_BYTES;

    bool isTagged{false};
    bool isLast{false}; ///< the message ends with it
    RdmapOpcode opcode{RdmapOpcode::SEND};
    uint32_t tag{0};     ///< STag; of an untagged one the STag to invalidate
    uint64_t offset{0};  ///< tagged: TO; untagged: MO
    uint32_t queue{0};   ///< untagged: QN
    uint32_t message{0}; ///< untagged: MSN
    uint32_t payloadBytes{0};
    uint32_t readBytes{0}; ///< READ request: how much
    uint32_t sourceTag{0}; ///< READ request: from where
    uint64_t sourceOffset{0};
    uint32_t sinkTag{0};

    /** Bytes of a whole FPDU by those of its ULPDU: with length, pad and CRC. */
    static constexpr std::size_t WholeBytes(std::size_t ulpduBytes)
    {
        return (LENGTH_BYTES + ulpduBytes + 3) / 4 * 4 + CRC_BYTES;
    }

    /** How many bytes Parse needs at most of an FPDU of so many bytes of ULPDU. */
    static constexpr std::size_t HeaderBytes(std::size_t ulpduBytes)
    {
        return LENGTH_BYTES + (ulpduBytes < MAX_HEADER_BYTES - LENGTH_BYTES
                                   ? ulpduBytes
                                   : MAX_HEADER_BYTES - LENGTH_BYTES);
    }

    /**
     * Reads the headers.
     *
     * @param bytes from the length on, HeaderBytes() of them
     * @return nothing if it is too short for its headers, or of another version of DDP or RDMAP
     */
    static std::optional<Fpdu> Parse(std::span<const std::byte> bytes);
};

} // namespace ns3::rdma
