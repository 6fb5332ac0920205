// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <atomic>
#include <cstdint>
#include <infiniband/verbs.h>
#include <sys/types.h>

namespace ns3::rdma
{

/**
 * What processes with the fake device share: queue pairs, receives, completions.
 *
 * A file in memory, of the name in FAKE_VERBS_FABRIC. One lock guards all of it; a process that
 * ended with the lock loses it.
 */
struct FakeFabric
{
    static constexpr uint32_t QUEUE_PAIRS = 64;
    static constexpr uint32_t QUEUES = 128;
    static constexpr uint32_t ENTRIES = 8192;
    static constexpr uint32_t RECEIVES = 1024;
    static constexpr uint32_t ELEMENTS = 4;

    /** A completion queue: a ring of entries. */
    struct Queue
    {
        pid_t owner;
        std::atomic<uint64_t> produced;
        std::atomic<uint64_t> taken;
        ibv_wc entries[ENTRIES];
    };

    struct Receive
    {
        uint64_t id;
        uint32_t count;
        ibv_sge elements[ELEMENTS];
    };

    /** A receive queue, of one queue pair or shared. */
    struct ReceiveQueue
    {
        pid_t owner;
        uint64_t posted;
        uint64_t taken;
        Receive receives[RECEIVES];
    };

    struct QueuePair
    {
        pid_t owner;
        uint32_t number;
        uint32_t receiveQueue;       ///< index
        uint32_t receiveEntries;     ///< index of the completion queue
        std::atomic<uint32_t> state; ///< ibv_qp_state
    };

    std::atomic<pid_t> lock;
    uint32_t lastNumber;
    QueuePair queuePairs[QUEUE_PAIRS];
    ReceiveQueue receiveQueues[QUEUES];
    Queue queues[QUEUES];

    /** The fabric of this process. */
    static FakeFabric& Get();

    void Lock();
    void Unlock();

    /** A free slot of a table, or one whose owner is gone; becomes this process' own. */
    template <typename Slot, uint32_t COUNT>
    uint32_t Take(Slot (&slots)[COUNT]);

    /** nullptr if there is none. */
    QueuePair* Find(uint32_t number);
};

} // namespace ns3::rdma
