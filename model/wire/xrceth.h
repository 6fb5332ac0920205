// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** XRC extended transport header: the shared receive queue. @spec IBTA Vol 1 Annex A14 */
struct Xrceth
{
    static constexpr std::size_t SIZE = XRCETH_BYTES;

    uint8_t reserved{0};
    uint32_t sharedReceiveQueue{0}; ///< 24 bits

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Xrceth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return Xrceth{.reserved = LoadBigEndian<uint8_t>(bytes, 0),
                      .sharedReceiveQueue = LoadBigEndian<uint32_t, 3>(bytes, 1)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, reserved);
        StoreBigEndian<uint32_t, 3>(bytes, 1, sharedReceiveQueue);
    }

    bool operator==(const Xrceth&) const = default;
};

} // namespace ns3::rdma
