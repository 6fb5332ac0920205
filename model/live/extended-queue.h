// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <infiniband/verbs.h>

namespace ns3::rdma
{

class ControlCall;

/** The polling calls of an extended completion queue as they were, and what its entries have. */
struct ExtendedQueue
{
    int (*startPoll)(ibv_cq_ex*, ibv_poll_cq_attr*){nullptr};
    int (*nextPoll)(ibv_cq_ex*){nullptr};
    uint64_t flags{0}; ///< ibv_create_cq_wc_flags with which it was created
};

/**
 * What a recorder needs of each entry beside what the program asked for.
 *
 * Without the queue pair's number an entry cannot be told from others of the same queue.
 */
constexpr uint64_t NEEDED_ENTRY_FLAGS =
    IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM | IBV_WC_EX_WITH_SRC_QP;

/**
 * Records a new extended completion queue and takes the places of its polling calls.
 *
 * @param queue may be nullptr
 * @param flags with which it was created
 */
void RecordExtendedQueue(ControlCall& call,
                         ibv_cq_ex* queue,
                         const ibv_comp_channel* channel,
                         uint64_t flags);

} // namespace ns3::rdma
