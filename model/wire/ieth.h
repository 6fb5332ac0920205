// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** Invalidate extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.7 */
struct Ieth
{
    static constexpr std::size_t SIZE = IETH_BYTES;

    uint32_t rkey{0}; ///< the R_Key to invalidate

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Ieth> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return Ieth{.rkey = LoadBigEndian<uint32_t>(bytes, 0)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, rkey);
    }

    bool operator==(const Ieth&) const = default;
};

} // namespace ns3::rdma
