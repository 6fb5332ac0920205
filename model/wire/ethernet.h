// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ns3::rdma
{

/** A 48-bit MAC address, in the order of the wire. @spec IEEE 802-2014 clause 8.2 */
using MacAddress = std::array<std::byte, 6>;

/** @name EtherTypes. @spec IEEE registration authority; RoCEv1: IBTA Vol 1 Annex A16 @{ */
constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;
constexpr uint16_t ETHERTYPE_VLAN = 0x8100;
constexpr uint16_t ETHERTYPE_IPV6 = 0x86dd;
constexpr uint16_t ETHERTYPE_MAC_CONTROL = 0x8808;
constexpr uint16_t ETHERTYPE_ROCE_V1 = 0x8915;
/** @} */

/** Ethernet II header, without preamble. @spec IEEE 802.3-2018 clause 3.1.1 */
struct EthernetFields
{
    static constexpr std::size_t SIZE = ETHERNET_BYTES;

    MacAddress destination{};
    MacAddress source{};
    uint16_t etherType{0};

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<EthernetFields> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        EthernetFields fields;
        std::copy_n(bytes.begin(), fields.destination.size(), fields.destination.begin());
        std::copy_n(bytes.begin() + 6, fields.source.size(), fields.source.begin());
        fields.etherType = LoadBigEndian<uint16_t>(bytes, 12);
        return fields;
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        std::ranges::copy(destination, bytes.begin());
        std::ranges::copy(source, bytes.begin() + 6);
        StoreBigEndian(bytes, 12, etherType);
    }

    bool operator==(const EthernetFields&) const = default;
};

/**
 * What follows the EtherType 0x8100: tag control information, and the EtherType of the rest.
 *
 * @spec IEEE 802.1Q-2018 clause 9.6
 */
struct VlanTag
{
    static constexpr std::size_t SIZE = 4;

    uint8_t priority{0}; ///< PCP, 0 .. 7
    bool dropEligible{false};
    uint16_t vlan{0}; ///< 0 .. 4095; 0: only the priority counts
    uint16_t etherType{0};

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<VlanTag> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        const auto control = LoadBigEndian<uint16_t>(bytes, 0);
        return VlanTag{.priority = static_cast<uint8_t>(control >> 13),
                       .dropEligible = (control & 0x1000) != 0,
                       .vlan = static_cast<uint16_t>(control & 0x0fff),
                       .etherType = LoadBigEndian<uint16_t>(bytes, 2)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        const unsigned control =
            (priority & 7U) << 13 | (dropEligible ? 0x1000U : 0U) | (vlan & 0x0fffU);
        StoreBigEndian(bytes, 0, static_cast<uint16_t>(control));
        StoreBigEndian(bytes, 2, etherType);
    }

    bool operator==(const VlanTag&) const = default;
};

} // namespace ns3::rdma
