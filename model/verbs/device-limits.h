// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** What a device can do at most (ibv_device_attr). @choice figures of the order of ConnectX-5 */
struct DeviceLimits
{
    uint32_t maxQueuePairs{262144};
    uint32_t maxQueueRequests{32768}; ///< of each queue of a queue pair
    uint32_t maxElements{30};         ///< pieces of a request
    uint32_t maxCompletionQueues{16777216};
    uint32_t maxCompletionEntries{4194303};
    uint32_t maxMemoryRegions{16777215};
    uint64_t maxMemoryRegionBytes{UINT64_MAX};
    uint32_t maxProtectionDomains{16777216};
    uint8_t maxReadAtomic{16}; ///< of a queue pair, as requester and as responder
    uint32_t maxInlineBytes{1024};
    uint16_t maxPathMtu{4096}; ///< bytes
};

} // namespace ns3::rdma
