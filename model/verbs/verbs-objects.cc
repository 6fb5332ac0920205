// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/verbs-objects.h"

namespace ns3::rdma
{

VerbsObjects::VerbsObjects(const DeviceLimits& limits) : m_limits{limits} {}

const DeviceLimits&
VerbsObjects::GetLimits() const
{
    return m_limits;
}

VerbsError
VerbsObjects::AllocateProtectionDomain(ProtectionDomainId& domain)
{
    if (m_counts.protectionDomains >= m_limits.maxProtectionDomains)
    {
        return VerbsError::LIMIT_EXCEEDED;
    }
    m_domains.emplace_back();
    ++m_counts.protectionDomains;
    domain = {static_cast<uint32_t>(m_domains.size())};
    return VerbsError::NONE;
}

VerbsError
VerbsObjects::DeallocateProtectionDomain(ProtectionDomainId domain)
{
    if (!Exists(domain))
    {
        return VerbsError::NOT_FOUND;
    }
    Domain& entry = m_domains[domain.value - 1];
    if (entry.users > 0 || m_memory.GetCount(domain.value) > 0)
    {
        return VerbsError::BUSY;
    }
    entry.exists = false;
    --m_counts.protectionDomains;
    return VerbsError::NONE;
}

VerbsError
VerbsObjects::RegisterMemory(const MemoryRegionSpec& spec, MemoryRegion& region)
{
    if (!Exists(ProtectionDomainId{spec.protectionDomain}))
    {
        return VerbsError::NOT_FOUND;
    }
    if (m_memory.GetCount() >= m_limits.maxMemoryRegions ||
        spec.length > m_limits.maxMemoryRegionBytes)
    {
        return VerbsError::LIMIT_EXCEEDED;
    }
    return m_memory.Register(spec, region);
}

VerbsError
VerbsObjects::DeregisterMemory(const MemoryRegion& region)
{
    return m_memory.Deregister(region.lkey);
}

VerbsError
VerbsObjects::CreateCompletionQueue(uint32_t capacity,
                                    CompletionChannel* channel,
                                    CompletionQueueId& queue)
{
    if (capacity == 0)
    {
        return VerbsError::INVALID_ARGUMENT;
    }
    if (capacity > m_limits.maxCompletionEntries ||
        m_counts.completionQueues >= m_limits.maxCompletionQueues)
    {
        return VerbsError::LIMIT_EXCEEDED;
    }
    const auto number = static_cast<uint32_t>(m_queues.size()) + 1;
    m_queues.push_back({.queue = std::make_unique<CompletionQueue>(
                            number, capacity, channel, m_limits.maxCompletionEntries)});
    ++m_counts.completionQueues;
    queue = {number};
    return VerbsError::NONE;
}

VerbsError
VerbsObjects::DestroyCompletionQueue(CompletionQueueId queue)
{
    if (!Exists(queue))
    {
        return VerbsError::NOT_FOUND;
    }
    Queue& entry = m_queues[queue.value - 1];
    if (entry.users > 0)
    {
        return VerbsError::BUSY;
    }
    entry.queue.reset();
    --m_counts.completionQueues;
    return VerbsError::NONE;
}

CompletionQueue&
VerbsObjects::GetCompletionQueue(CompletionQueueId queue)
{
    return *m_queues[queue.value - 1].queue;
}

CompletionQueue*
VerbsObjects::FindCompletionQueue(CompletionQueueId queue)
{
    return Exists(queue) ? m_queues[queue.value - 1].queue.get() : nullptr;
}

VerbsError
VerbsObjects::CheckInit(const QueuePairInit& init) const
{
    if ((m_limits.queuePairTypes >> static_cast<int>(init.type) & 1) == 0)
    {
        return VerbsError::NOT_SUPPORTED;
    }
    if (!Exists(init.protectionDomain) || !Exists(init.sendQueue) || !Exists(init.receiveQueue))
    {
        return VerbsError::NOT_FOUND;
    }
    if (init.sharedReceiveQueue != SharedReceiveQueueId{} && !Exists(init.sharedReceiveQueue))
    {
        return VerbsError::NOT_FOUND;
    }
    const QueuePairCapabilities& asked = init.capabilities;
    const bool fits = asked.maxSendRequests <= m_limits.maxQueueRequests &&
                      asked.maxReceiveRequests <= m_limits.maxQueueRequests &&
                      asked.maxSendElements <= m_limits.maxElements &&
                      asked.maxReceiveElements <= m_limits.maxElements &&
                      asked.maxInlineBytes <= m_limits.maxInlineBytes;
    return fits && m_counts.queuePairs < m_limits.maxQueuePairs ? VerbsError::NONE
                                                                : VerbsError::LIMIT_EXCEEDED;
}

VerbsError
VerbsObjects::AddQueuePair(const QueuePairInit& init)
{
    const VerbsError error = CheckInit(init);
    if (error == VerbsError::NONE)
    {
        ++m_counts.queuePairs;
        ++m_domains[init.protectionDomain.value - 1].users;
        ++m_queues[init.sendQueue.value - 1].users;
        ++m_queues[init.receiveQueue.value - 1].users;
        if (Exists(init.sharedReceiveQueue))
        {
            ++m_shared[init.sharedReceiveQueue.value - 1].users;
        }
    }
    return error;
}

void
VerbsObjects::RemoveQueuePair(const QueuePairInit& init)
{
    --m_counts.queuePairs;
    --m_domains[init.protectionDomain.value - 1].users;
    --m_queues[init.sendQueue.value - 1].users;
    --m_queues[init.receiveQueue.value - 1].users;
    if (Exists(init.sharedReceiveQueue))
    {
        --m_shared[init.sharedReceiveQueue.value - 1].users;
    }
}

VerbsError
VerbsObjects::CreateSharedReceiveQueue(const SharedReceiveQueueInit& init,
                                       SharedReceiveQueueId& queue)
{
    if (!Exists(init.protectionDomain))
    {
        return VerbsError::NOT_FOUND;
    }
    if (init.maxRequests > m_limits.maxQueueRequests || init.maxElements > m_limits.maxElements ||
        m_counts.sharedReceiveQueues >= m_limits.maxSharedReceiveQueues)
    {
        return VerbsError::LIMIT_EXCEEDED;
    }
    m_shared.push_back(
        {.queue = std::make_unique<SharedReceiveQueue>(init.maxRequests, init.maxElements),
         .domain = init.protectionDomain});
    ++m_domains[init.protectionDomain.value - 1].users;
    ++m_counts.sharedReceiveQueues;
    queue = {static_cast<uint32_t>(m_shared.size())};
    return VerbsError::NONE;
}

VerbsError
VerbsObjects::DestroySharedReceiveQueue(SharedReceiveQueueId queue)
{
    if (!Exists(queue))
    {
        return VerbsError::NOT_FOUND;
    }
    Shared& entry = m_shared[queue.value - 1];
    if (entry.users > 0)
    {
        return VerbsError::BUSY;
    }
    entry.queue.reset();
    --m_domains[entry.domain.value - 1].users;
    --m_counts.sharedReceiveQueues;
    return VerbsError::NONE;
}

SharedReceiveQueue*
VerbsObjects::FindSharedReceiveQueue(SharedReceiveQueueId queue)
{
    return Exists(queue) ? m_shared[queue.value - 1].queue.get() : nullptr;
}

MemoryTable&
VerbsObjects::GetMemory()
{
    return m_memory;
}

const MemoryTable&
VerbsObjects::GetMemory() const
{
    return m_memory;
}

VerbsObjectCounts
VerbsObjects::GetCounts() const
{
    VerbsObjectCounts counts = m_counts;
    counts.memoryRegions = m_memory.GetCount();
    return counts;
}

bool
VerbsObjects::Exists(ProtectionDomainId domain) const
{
    // Handle 0 wraps to an index that no vector has.
    return domain.value - 1 < m_domains.size() && m_domains[domain.value - 1].exists;
}

bool
VerbsObjects::Exists(SharedReceiveQueueId queue) const
{
    return queue.value - 1 < m_shared.size() && m_shared[queue.value - 1].queue;
}

bool
VerbsObjects::Exists(CompletionQueueId queue) const
{
    return queue.value - 1 < m_queues.size() && m_queues[queue.value - 1].queue;
}

} // namespace ns3::rdma
