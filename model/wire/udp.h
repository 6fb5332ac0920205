// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** UDP header. @spec RFC 768 */
struct UdpFields
{
    static constexpr std::size_t SIZE = UDP_BYTES;

    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint16_t length{0};   ///< bytes of this header and of what follows
    uint16_t checksum{0}; ///< 0: none

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<UdpFields> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return UdpFields{.sourcePort = LoadBigEndian<uint16_t>(bytes, 0),
                         .destinationPort = LoadBigEndian<uint16_t>(bytes, 2),
                         .length = LoadBigEndian<uint16_t>(bytes, 4),
                         .checksum = LoadBigEndian<uint16_t>(bytes, 6)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, sourcePort);
        StoreBigEndian(bytes, 2, destinationPort);
        StoreBigEndian(bytes, 4, length);
        StoreBigEndian(bytes, 6, checksum);
    }

    bool operator==(const UdpFields&) const = default;
};

} // namespace ns3::rdma
