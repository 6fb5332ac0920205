// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** Atomic extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.4 */
struct AtomicEth
{
    static constexpr std::size_t SIZE = ATOMIC_ETH_BYTES;

    uint64_t virtualAddress;
    uint32_t rkey;
    uint64_t swapOrAdd; ///< new value of a compare and swap, summand of a fetch and add
    uint64_t compare;   ///< compare and swap only

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<AtomicEth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return AtomicEth{.virtualAddress = LoadBigEndian<uint64_t>(bytes, 0),
                         .rkey = LoadBigEndian<uint32_t>(bytes, 8),
                         .swapOrAdd = LoadBigEndian<uint64_t>(bytes, 12),
                         .compare = LoadBigEndian<uint64_t>(bytes, 20)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, virtualAddress);
        StoreBigEndian(bytes, 8, rkey);
        StoreBigEndian(bytes, 12, swapOrAdd);
        StoreBigEndian(bytes, 20, compare);
    }

    bool operator==(const AtomicEth&) const = default;
};

} // namespace ns3::rdma
