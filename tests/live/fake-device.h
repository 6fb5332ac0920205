// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/live/fake-fabric.h"

#include <deque>
#include <infiniband/verbs.h>
#include <mutex>
#include <vector>

namespace ns3::rdma
{

struct FakeQueue
{
    ibv_cq_ex base; ///< an ibv_cq, too
    uint32_t index;
    ibv_wc current; ///< on which ibv_start_poll stands
    std::atomic<bool> isArmed;
    uint64_t armedAt;
};

struct FakeReceiveQueue
{
    ibv_srq base;
    uint32_t index;
};

/** A request that has not been delivered. */
struct FakeSend
{
    ibv_send_wr request;
    std::vector<ibv_sge> elements;
    std::vector<uint8_t> inlineData;
};

struct FakeQueuePair
{
    union
    {
        ibv_qp base;
        ibv_qp_ex extended;
    };

    bool isExtended;
    bool signalsAll;
    uint32_t receiveQueue;
    uint32_t maxSends;
    ibv_qp_attr attributes; ///< as they were set
    ibv_qp_init_attr initial;
    std::deque<FakeSend> pending;
    std::vector<FakeSend> building; ///< between wr_start and wr_complete
};

/** Everything of this process, under its lock. */
struct FakeProcess
{
    std::recursive_mutex mutex;
    std::vector<FakeQueuePair*> queuePairs;
    std::vector<FakeQueue*> queues;

    static FakeProcess& Get();

    /** Delivers what can be delivered. */
    void Progress();

    /** Fires events of armed queues, now and then, from a thread of its own. */
    void StartEvents();
};

/** @name The data path. @{ */
/** The queue pair is in error: what it has is flushed. */
void FlushFake(FakeQueuePair& queuePair);
void FillFakeOperations(ibv_context_ops& ops, bool doesNothing);
void FillFakeExtended(ibv_qp_ex& queuePair);
void FillFakePolls(ibv_cq_ex& queue);
/** @} */

} // namespace ns3::rdma
