// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/byte-order.h"
#include "wire/framing.h"

#include <optional>

namespace ns3::rdma
{

/** Immediate data (ImmDt), which the receiver's completion hands on. @spec IBTA Vol 1 Rel 1.7
 * section 9.3.6 */
struct Immediate
{
    static constexpr std::size_t SIZE = IMMEDIATE_BYTES;

    uint32_t data{0}; ///< in host order

    /** Nothing if there are fewer than SIZE bytes. */
    static std::optional<Immediate> Parse(std::span<const std::byte> bytes)
    {
        if (bytes.size() < SIZE)
        {
            return std::nullopt;
        }
        return Immediate{.data = LoadBigEndian<uint32_t>(bytes, 0)};
    }

    void Emit(std::span<std::byte, SIZE> bytes) const
    {
        StoreBigEndian(bytes, 0, data);
    }

    bool operator==(const Immediate&) const = default;
};

} // namespace ns3::rdma
