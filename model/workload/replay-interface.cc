// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-interface.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

std::string
Explain(const std::string& what, VerbsError error)
{
    return error == VerbsError::NONE ? "" : what + ": " + std::string{ToString(error)};
}

} // namespace

std::string
ReplayInterface::SetUp()
{
    VerbsDevice& device = GetDevice();
    std::string failure = Explain("protection domain", device.AllocateProtectionDomain(m_domain));
    if (failure.empty())
    {
        const MemoryRegionSpec spec{.protectionDomain = m_domain.value,
                                    .address = 0,
                                    .length = UINT64_MAX,
                                    .access = ACCESS_ALL};
        failure = Explain("memory region", device.RegisterMemory(spec, m_allMemory));
    }
    if (failure.empty())
    {
        const uint32_t capacity = device.GetLimits().maxCompletionEntries;
        failure =
            Explain("completion queue", device.CreateCompletionQueue(capacity, this, m_queue));
    }
    if (failure.empty())
    {
        device.GetCompletionQueue(m_queue).RequestNotify(Notify::NEXT);
    }
    return failure;
}

std::string
ReplayInterface::MakeQueuePair(ReplayEndpoint& endpoint, QueuePairInit init, Qpn& qpn)
{
    init.protectionDomain = m_domain;
    init.sendQueue = m_queue;
    init.receiveQueue = m_queue;
    std::string failure = Explain("queue pair", GetDevice().CreateQueuePair(init, qpn));
    if (failure.empty())
    {
        m_endpoints.resize(std::max<std::size_t>(m_endpoints.size(), qpn.value + 1));
        m_endpoints[qpn.value] = &endpoint;
    }
    return failure;
}

void
ReplayInterface::DestroyQueuePair(Qpn qpn, SimTime now)
{
    m_endpoints[qpn.value] = nullptr;
    GetDevice().DestroyQueuePair(qpn, now);
}

void
ReplayInterface::OnCompletionEvent(CompletionQueue& queue, SimTime now)
{
    if (m_isPolling)
    {
        return; // The loop below will find it.
    }
    m_isPolling = true;
    do
    {
        const std::size_t count = queue.Poll(m_batch);
        for (std::size_t i = 0; i < count; ++i)
        {
            ReplayEndpoint* endpoint = m_endpoints[m_batch[i].qpn.value];
            if (endpoint != nullptr)
            {
                endpoint->OnCompletion(m_batch[i], now);
            }
        }
        queue.RequestNotify(Notify::NEXT);
    } while (queue.GetCount() > 0);
    m_isPolling = false;
}

} // namespace ns3::rdma
