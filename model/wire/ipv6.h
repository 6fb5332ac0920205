// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ns3::rdma
{

/** 128 bits in the order of the wire: an IPv6 address, or the GID that looks like one. */
using Gid = std::array<std::byte, 16>;

/** IPv6 header. @spec RFC 8200 section 3 */
struct Ipv6Fields
{
    static constexpr std::size_t SIZE = 40;
    static constexpr uint8_t NEXT_HEADER_UDP = 17;

    uint8_t trafficClass{0};
    uint32_t flowLabel{0};     ///< 20 bits
    uint16_t payloadLength{0}; ///< bytes after this header
    uint8_t nextHeader{0};
    uint8_t hopLimit{0};
    Gid source{};
    Gid destination{};

    /** Nothing if there are fewer than SIZE bytes, or another version. */
    static std::optional<Ipv6Fields> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        const auto first = LoadBigEndian<uint32_t>(bytes, 0);
        if (first >> 28 != VERSION)
        {
            return std::nullopt;
        }
        Ipv6Fields fields{.trafficClass = static_cast<uint8_t>(first >> 20),
                          .flowLabel = first & 0xfffff,
                          .payloadLength = LoadBigEndian<uint16_t>(bytes, 4),
                          .nextHeader = LoadBigEndian<uint8_t>(bytes, 6),
                          .hopLimit = LoadBigEndian<uint8_t>(bytes, 7)};
        std::copy_n(bytes.begin() + 8, fields.source.size(), fields.source.begin());
        std::copy_n(bytes.begin() + 24, fields.destination.size(), fields.destination.begin());
        return fields;
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(
            bytes, 0, VERSION << 28 | uint32_t{trafficClass} << 20 | (flowLabel & 0xfffffU));
        StoreBigEndian(bytes, 4, payloadLength);
        StoreBigEndian(bytes, 6, nextHeader);
        StoreBigEndian(bytes, 7, hopLimit);
        std::ranges::copy(source, bytes.begin() + 8);
        std::ranges::copy(destination, bytes.begin() + 24);
    }

    bool operator==(const Ipv6Fields&) const = default;

  private:
    static constexpr uint32_t VERSION = 6;
};

} // namespace ns3::rdma
