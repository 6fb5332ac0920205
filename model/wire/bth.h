// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** Base transport header. @spec IBTA Vol 1 Rel 1.7 section 9.2 */
struct Bth
{
    static constexpr std::size_t SIZE = BTH_BYTES;
    static constexpr uint16_t DEFAULT_P_KEY = 0xffff;

    uint8_t opcode{0}; ///< may be one that the opcode table does not know
    bool isSolicited{false};
    bool isMigrated{false}; ///< MigReq
    uint8_t padCount{0};    ///< 0 .. 3 bytes between payload and ICRC
    uint8_t version{0};     ///< TVer, 4 bits
    uint16_t partitionKey{DEFAULT_P_KEY};
    bool isForwardCongested{false};  ///< FECN
    bool isBackwardCongested{false}; ///< BECN
    uint8_t reserved6{0};            ///< 6 bits after BECN; outside the ICRC
    uint32_t destinationQp{0};       ///< 24 bits
    bool ackRequest{false};
    uint8_t reserved7{0}; ///< 7 bits after AckReq
    Psn psn{};

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Bth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        const auto flags = LoadBigEndian<uint8_t>(bytes, 1);
        const auto congestion = LoadBigEndian<uint8_t>(bytes, 4);
        const auto request = LoadBigEndian<uint8_t>(bytes, 8);
        return Bth{.opcode = LoadBigEndian<uint8_t>(bytes, 0),
                   .isSolicited = (flags & 0x80) != 0,
                   .isMigrated = (flags & 0x40) != 0,
                   .padCount = static_cast<uint8_t>(flags >> 4 & 3),
                   .version = static_cast<uint8_t>(flags & 0x0f),
                   .partitionKey = LoadBigEndian<uint16_t>(bytes, 2),
                   .isForwardCongested = (congestion & 0x80) != 0,
                   .isBackwardCongested = (congestion & 0x40) != 0,
                   .reserved6 = static_cast<uint8_t>(congestion & 0x3f),
                   .destinationQp = LoadBigEndian<uint32_t, 3>(bytes, 5),
                   .ackRequest = (request & 0x80) != 0,
                   .reserved7 = static_cast<uint8_t>(request & 0x7f),
                   .psn = Psn{LoadBigEndian<uint32_t, 3>(bytes, 9)}};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        const auto bit = [](bool isSet, unsigned value) { return isSet ? value : 0U; };
        const unsigned flags = bit(isSolicited, 0x80) | bit(isMigrated, 0x40) |
                               (padCount & 3U) << 4 | (version & 0x0fU);
        const unsigned congestion =
            bit(isForwardCongested, 0x80) | bit(isBackwardCongested, 0x40) | (reserved6 & 0x3fU);
        const unsigned request = bit(ackRequest, 0x80) | (reserved7 & 0x7fU);
        StoreBigEndian(bytes, 0, opcode);
        StoreBigEndian(bytes, 1, static_cast<uint8_t>(flags));
        StoreBigEndian(bytes, 2, partitionKey);
        StoreBigEndian(bytes, 4, static_cast<uint8_t>(congestion));
        StoreBigEndian<uint32_t, 3>(bytes, 5, destinationQp);
        StoreBigEndian(bytes, 8, static_cast<uint8_t>(request));
        StoreBigEndian<uint32_t, 3>(bytes, 9, psn.Get());
    }

    bool operator==(const Bth&) const = default;
};

} // namespace ns3::rdma
