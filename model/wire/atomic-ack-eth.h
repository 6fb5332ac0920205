// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** Atomic acknowledge extended header. @spec IBTA Vol 1 Rel 1.7 section 9.3.5.3 */
struct AtomicAckEth
{
    static constexpr std::size_t SIZE = ATOMIC_ACK_ETH_BYTES;

    uint64_t original{0}; ///< the value before the operation

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<AtomicAckEth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return AtomicAckEth{.original = LoadBigEndian<uint64_t>(bytes, 0)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, original);
    }

    bool operator==(const AtomicAckEth&) const = default;
};

} // namespace ns3::rdma
