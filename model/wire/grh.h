// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/ipv6.h"

namespace ns3::rdma
{

/** Global route header: an IPv6 header by its layout. @spec IBTA Vol 1 Rel 1.7 section 8.3 */
struct Grh
{
    static constexpr std::size_t SIZE = Ipv6Fields::SIZE;
    static constexpr uint8_t NEXT_HEADER_BTH = 0x1b; ///< an IBA transport follows

    uint8_t trafficClass{0};
    uint32_t flowLabel{0};     ///< 20 bits
    uint16_t payloadLength{0}; ///< bytes after this header, ICRC included
    uint8_t nextHeader{NEXT_HEADER_BTH};
    uint8_t hopLimit{0};
    Gid source{};
    Gid destination{};

    /** Nothing if there are fewer than SIZE bytes, or another IP version than 6. */
    static std::optional<Grh> Parse(std::span<const std::byte> bytes)
    {
        const std::optional<Ipv6Fields> fields = Ipv6Fields::Parse(bytes);
        if (!fields)
        {
            return std::nullopt;
        }
        return Grh{.trafficClass = fields->trafficClass,
                   .flowLabel = fields->flowLabel,
                   .payloadLength = fields->payloadLength,
                   .nextHeader = fields->nextHeader,
                   .hopLimit = fields->hopLimit,
                   .source = fields->source,
                   .destination = fields->destination};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        Ipv6Fields{.trafficClass = trafficClass,
                   .flowLabel = flowLabel,
                   .payloadLength = payloadLength,
                   .nextHeader = nextHeader,
                   .hopLimit = hopLimit,
                   .source = source,
                   .destination = destination}
            .Emit(bytes);
    }

    bool operator==(const Grh&) const = default;
};

} // namespace ns3::rdma
