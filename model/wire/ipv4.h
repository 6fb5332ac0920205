// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <array>
#include <optional>

namespace ns3::rdma
{

/**
 * IPv4 header without options.
 *
 * Not modelled: options; a header that has some is not parsed.
 *
 * @spec RFC 791 section 3.1
 */
struct Ipv4Fields
{
    static constexpr std::size_t SIZE = IPV4_BYTES;
    static constexpr uint8_t PROTOCOL_UDP = 17;
    static constexpr uint16_t DONT_FRAGMENT = 0x4000;
    static constexpr uint16_t FRAGMENT_MASK = 0x3fff; ///< more fragments, and the offset

    uint8_t trafficClass{0}; ///< DSCP and ECN (RFC 2474, RFC 3168), once the type of service
    uint16_t totalLength{0}; ///< bytes from here to the end of the datagram
    uint16_t identification{0};
    uint16_t fragment{0}; ///< flags and offset
    uint8_t timeToLive{0};
    uint8_t protocol{0};
    uint16_t checksum{0};
    uint32_t source{0}; ///< 10.0.0.1 is 0x0a000001
    uint32_t destination{0};

    /** Nothing if there are fewer than SIZE bytes, another version, or options. */
    static std::optional<Ipv4Fields> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE || bytes[0] != VERSION_AND_WORDS)
        {
            return std::nullopt;
        }
        return Ipv4Fields{.trafficClass = LoadBigEndian<uint8_t>(bytes, 1),
                          .totalLength = LoadBigEndian<uint16_t>(bytes, 2),
                          .identification = LoadBigEndian<uint16_t>(bytes, 4),
                          .fragment = LoadBigEndian<uint16_t>(bytes, 6),
                          .timeToLive = LoadBigEndian<uint8_t>(bytes, 8),
                          .protocol = LoadBigEndian<uint8_t>(bytes, 9),
                          .checksum = LoadBigEndian<uint16_t>(bytes, 10),
                          .source = LoadBigEndian<uint32_t>(bytes, 12),
                          .destination = LoadBigEndian<uint32_t>(bytes, 16)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        bytes[0] = VERSION_AND_WORDS;
        StoreBigEndian(bytes, 1, trafficClass);
        StoreBigEndian(bytes, 2, totalLength);
        StoreBigEndian(bytes, 4, identification);
        StoreBigEndian(bytes, 6, fragment);
        StoreBigEndian(bytes, 8, timeToLive);
        StoreBigEndian(bytes, 9, protocol);
        StoreBigEndian(bytes, 10, checksum);
        StoreBigEndian(bytes, 12, source);
        StoreBigEndian(bytes, 16, destination);
    }

    /** The checksum that these fields should have. @spec RFC 1071 section 1 */
    uint16_t ComputeChecksum() const
    {
        std::array<std::byte, SIZE> bytes;
        Emit(bytes);
        uint32_t sum = 0;
        for (std::size_t i = 0; i < SIZE; i += 2)
        {
            sum += i == 10 ? 0U : LoadBigEndian<uint16_t>(bytes, i);
        }
        while (sum > 0xffff)
        {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        return static_cast<uint16_t>(~sum);
    }

    bool operator==(const Ipv4Fields&) const = default;

  private:
    static constexpr std::byte VERSION_AND_WORDS{0x45}; ///< version 4, five words of 32 bits
};

} // namespace ns3::rdma
