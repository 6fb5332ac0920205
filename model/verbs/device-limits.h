// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/queue-pair-attributes.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * What a device can do at most; beside each limit its name in ibv_query_device(3) where it has one.
 *
 * @choice figures of the order of a ConnectX-5, as ibv_devinfo(1) prints them, where nothing else
 * is said
 */
struct DeviceLimits
{
    uint32_t maxQueuePairs{262144};            ///< max_qp
    uint32_t maxQueueRequests{32768};          ///< max_qp_wr: of each queue of a queue pair
    uint32_t maxElements{30};                  ///< max_sge: pieces of a request
    uint32_t maxCompletionQueues{16777216};    ///< max_cq
    uint32_t maxCompletionEntries{4194303};    ///< max_cqe
    uint32_t maxSharedReceiveQueues{8388608};  ///< max_srq
    uint32_t maxMemoryRegions{16777215};       ///< max_mr; @choice as many as there are keys
    uint64_t maxMemoryRegionBytes{UINT64_MAX}; ///< max_mr_size
    uint32_t maxProtectionDomains{16777216};   ///< max_pd
    uint8_t maxReadAtomic{16};     ///< max_qp_init_rd_atom and max_qp_rd_atom: of a queue pair
    uint32_t maxInlineBytes{1024}; ///< max_inline_data of ibv_create_qp(3)
    /** Bytes. @choice more than the 4096 of verbs: what fills a jumbo frame can be compared. */
    uint16_t maxPathMtu{MAX_PATH_MTU};
    uint8_t ports{1};          ///< phys_port_cnt
    uint16_t partitionKeys{1}; ///< pkey_tbl_len of ibv_query_port(3): 1 of RoCE
    uint8_t queuePairTypes{1 << static_cast<int>(QueuePairType::RC)}; ///< bits by QueuePairType

    bool operator==(const DeviceLimits&) const = default;
};

} // namespace ns3::rdma
