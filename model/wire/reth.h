// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** RDMA extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.3 */
struct Reth
{
    static constexpr std::size_t SIZE = RETH_BYTES;

    uint64_t virtualAddress;
    uint32_t rkey;
    uint32_t dmaLength; ///< of the whole message, 0 .. 2^31 bytes

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Reth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return Reth{.virtualAddress = LoadBigEndian<uint64_t>(bytes, 0),
                    .rkey = LoadBigEndian<uint32_t>(bytes, 8),
                    .dmaLength = LoadBigEndian<uint32_t>(bytes, 12)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, virtualAddress);
        StoreBigEndian(bytes, 8, rkey);
        StoreBigEndian(bytes, 12, dmaLength);
    }

    bool operator==(const Reth&) const = default;
};

} // namespace ns3::rdma
