// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** RDMA extended transport header. @spec IBTA Vol 1 Rel 1.7 section 9.3.3 */
struct Reth
{
    uint64_t virtualAddress;
    uint32_t rkey;
    uint32_t dmaLength; ///< of the whole message, 0 .. 2^31 bytes

    bool operator==(const Reth&) const = default;
};

} // namespace ns3::rdma
