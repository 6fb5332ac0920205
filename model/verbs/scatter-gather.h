// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <span>

namespace ns3::rdma
{

/** A piece of registered local memory that a work request reads or fills. */
struct ScatterGatherElement
{
    uint64_t address{0};
    uint32_t length{0}; ///< bytes
    uint32_t lkey{0};

    bool operator==(const ScatterGatherElement&) const = default;
};

using ScatterGatherList = std::span<const ScatterGatherElement>;

/** Bytes of all pieces together. */
constexpr uint64_t
TotalBytes(ScatterGatherList list)
{
    uint64_t bytes = 0;
    for (const ScatterGatherElement& element : list)
    {
        bytes += element.length;
    }
    return bytes;
}

} // namespace ns3::rdma
