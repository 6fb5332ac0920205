// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/shared-receive-queue.h"
#include "verbs/verbs-device.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/** How many objects of each kind there are. */
struct VerbsObjectCounts
{
    uint32_t protectionDomains{0};
    uint32_t memoryRegions{0};
    uint32_t completionQueues{0};
    uint32_t sharedReceiveQueues{0};
    uint32_t queuePairs{0};

    bool operator==(const VerbsObjectCounts&) const = default;
};

/**
 * What every device keeps of its verbs objects: which there are, who uses them, and the limits.
 *
 * An object that another uses cannot be destroyed. Numbers are not used again, so that a handle of
 * something destroyed is never that of something else. The device owns the queue pairs; here they
 * are only counted with what they use.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 11.2 (verbs of the channel adapter, domains, regions, queues)
 */
class VerbsObjects
{
  public:
    explicit VerbsObjects(const DeviceLimits& limits = {});

    const DeviceLimits& GetLimits() const;

    /** @error LIMIT_EXCEEDED */
    VerbsError AllocateProtectionDomain(ProtectionDomainId& domain);

    /** @error NOT_FOUND, BUSY while it has regions or queue pairs */
    VerbsError DeallocateProtectionDomain(ProtectionDomainId domain);

    /** @error NOT_FOUND no such domain, LIMIT_EXCEEDED, and those of MemoryTable::Register */
    VerbsError RegisterMemory(const MemoryRegionSpec& spec, MemoryRegion& region);

    /** @error NOT_FOUND */
    VerbsError DeregisterMemory(const MemoryRegion& region);

    /** @error INVALID_ARGUMENT a capacity of 0, LIMIT_EXCEEDED */
    VerbsError CreateCompletionQueue(uint32_t capacity,
                                     CompletionChannel* channel,
                                     CompletionQueueId& queue);

    /** @error NOT_FOUND, BUSY while queue pairs use it */
    VerbsError DestroyCompletionQueue(CompletionQueueId queue);

    /** It must exist. Its address stays until it is destroyed. */
    CompletionQueue& GetCompletionQueue(CompletionQueueId queue);

    /** The queue of a handle; nullptr if there is none. */
    CompletionQueue* FindCompletionQueue(CompletionQueueId queue);

    /**
     * Whether a queue pair can be made so.
     *
     * @error NOT_SUPPORTED the type; NOT_FOUND its domain or a completion queue; LIMIT_EXCEEDED
     *        its capabilities, or too many queue pairs
     */
    VerbsError CheckInit(const QueuePairInit& init) const;

    /** Counts a new queue pair with what it uses. @error as CheckInit; nothing changes then */
    VerbsError AddQueuePair(const QueuePairInit& init);

    /** A queue pair that was added is gone. */
    void RemoveQueuePair(const QueuePairInit& init);

    /** @error NOT_FOUND no such domain, LIMIT_EXCEEDED */
    VerbsError CreateSharedReceiveQueue(const SharedReceiveQueueInit& init,
                                        SharedReceiveQueueId& queue);

    /** @error NOT_FOUND, BUSY while queue pairs use it */
    VerbsError DestroySharedReceiveQueue(SharedReceiveQueueId queue);

    /** The queue of a handle; nullptr if there is none. Its address stays until it is destroyed. */
    SharedReceiveQueue* FindSharedReceiveQueue(SharedReceiveQueueId queue);

    MemoryTable& GetMemory();
    const MemoryTable& GetMemory() const;

    VerbsObjectCounts GetCounts() const;

  private:
    struct Domain
    {
        uint32_t users{0}; ///< queue pairs and shared receive queues
        bool exists{true};
    };

    struct Queue
    {
        std::unique_ptr<CompletionQueue> queue; ///< null: destroyed
        uint32_t users{0};                      ///< queue pairs, twice those that use it twice
    };

    /** A shared receive queue and who uses it. */
    struct Shared
    {
        std::unique_ptr<SharedReceiveQueue> queue; ///< null: destroyed
        ProtectionDomainId domain{};
        uint32_t users{0}; ///< queue pairs
    };

    bool Exists(ProtectionDomainId domain) const;
    bool Exists(SharedReceiveQueueId queue) const;
    bool Exists(CompletionQueueId queue) const;

    DeviceLimits m_limits;
    MemoryTable m_memory;
    std::vector<Domain> m_domains; ///< by handle, from 1
    std::vector<Queue> m_queues;   ///< by handle, from 1
    std::vector<Shared> m_shared;  ///< by handle, from 1
    VerbsObjectCounts m_counts;    ///< regions: counted by the table
};

} // namespace ns3::rdma
