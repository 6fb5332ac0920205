// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/reflected-crc.h"
#include "tracefile/varint.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

/** @name Unsigned integers from and into bytes, least significant byte first. @{ */
template <typename T>
constexpr T
LoadLittle(std::span<const std::byte> bytes, std::size_t offset)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        value |= static_cast<T>(static_cast<T>(bytes[offset + i]) << 8 * i);
    }
    return value;
}

template <typename T>
constexpr void
StoreLittle(std::span<std::byte> bytes, std::size_t offset, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
        bytes[offset + i] = static_cast<std::byte>(value >> 8 * i);
    }
}

/** @} */

/** What stands before the records of a block; README.md has it byte by byte. */
struct BlockHeader
{
    static constexpr std::size_t SIZE = 24;
    static constexpr uint32_t MARKER = 0x4b4c4254; ///< "TBLK"
    /** The longest block that a reader takes, which bounds its memory. */
    static constexpr uint32_t MAX_PAYLOAD = 16u << 20;

    uint32_t payloadBytes{0};
    uint32_t operations{0};
    uint64_t firstNumber{0}; ///< of its first operation in the thread
    uint32_t crc{0};         ///< of all bytes of the block but marker and CRC

    bool operator==(const BlockHeader&) const = default;

    /** @param bytes at least SIZE; the marker has been looked at */
    static BlockHeader Parse(std::span<const std::byte> bytes)
    {
        return {LoadLittle<uint32_t>(bytes, 4),
                LoadLittle<uint32_t>(bytes, 8),
                LoadLittle<uint64_t>(bytes, 12),
                LoadLittle<uint32_t>(bytes, 20)};
    }

    /** Writes the header before a block's payload, its CRC included. */
    void Emit(std::span<std::byte> block)
    {
        StoreLittle(block, 0, MARKER);
        StoreLittle(block, 4, payloadBytes);
        StoreLittle(block, 8, operations);
        StoreLittle(block, 12, firstNumber);
        crc = ComputeCrc(block.first(SIZE), block.subspan(SIZE, payloadBytes));
        StoreLittle(block, 20, crc);
    }

    static uint32_t ComputeCrc(std::span<const std::byte> header,
                               std::span<const std::byte> payload)
    {
        Crc32c crc;
        crc.Update(header.subspan(4, 16));
        crc.Update(payload);
        return crc.Get();
    }
};

/** @name The first byte of a record: an OperationKind, and what follows. @{ */
constexpr uint8_t RECORD_KIND = 0x0f;
constexpr uint8_t RECORD_HAS_FIELDS = 0x10;       ///< a mask and the fields that changed
constexpr uint8_t RECORD_HAS_DEPENDENCIES = 0x20; ///< a list of them
constexpr uint8_t RECORD_RESERVED = 0xc0;         ///< zero in this version
constexpr std::size_t RECORD_KINDS = 13;          ///< 0 is none
/** @} */

} // namespace ns3::rdma
