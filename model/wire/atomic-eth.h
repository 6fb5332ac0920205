// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** Atomic extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.4 */
struct AtomicEth
{
    uint64_t virtualAddress;
    uint32_t rkey;
    uint64_t swapOrAdd; ///< new value of a compare and swap, summand of a fetch and add
    uint64_t compare;   ///< compare and swap only

    bool operator==(const AtomicEth&) const = default;
};

} // namespace ns3::rdma
