// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** Datagram extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.2 */
struct Deth
{
    static constexpr std::size_t SIZE = DETH_BYTES;
    /** Q_Key of QP1, to which management datagrams go. @spec IBTA Vol 1 Rel 1.7 section 10.2.5 */
    static constexpr uint32_t GSI_QUEUE_KEY = 0x80010000;

    uint32_t queueKey{0}; ///< Q_Key
    uint8_t reserved{0};
    uint32_t sourceQp{0}; ///< 24 bits

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Deth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return Deth{.queueKey = LoadBigEndian<uint32_t>(bytes, 0),
                    .reserved = LoadBigEndian<uint8_t>(bytes, 4),
                    .sourceQp = LoadBigEndian<uint32_t, 3>(bytes, 5)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, queueKey);
        StoreBigEndian(bytes, 4, reserved);
        StoreBigEndian<uint32_t, 3>(bytes, 5, sourceQp);
    }

    bool operator==(const Deth&) const = default;
};

} // namespace ns3::rdma
