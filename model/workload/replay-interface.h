// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "verbs/verbs-device.h"
#include "workload/application.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** The replay's side of a simulated queue pair. */
class ReplayEndpoint : public MemoryPoller
{
  public:
    /** The device has completed a request. */
    virtual void OnCompletion(const WorkCompletion& completion, SimTime now) = 0;
};

/**
 * A network interface that processes of a trace use: its verbs objects that all of them share.
 *
 * Completions are taken from the device as they come, and given to their queue pairs: a program
 * finds them there when its trace says that it looks. The interface's own memory covers all
 * addresses, for what a trace does not say.
 *
 * @choice one protection domain and one completion queue for all queue pairs: what a trace divides
 * into several has no effect on the network
 */
class ReplayInterface : private CompletionChannel
{
  public:
    explicit ReplayInterface(const ApplicationHost& host) : m_host{host} {}

    /** Makes the objects. @return why the device refused; empty if it did not */
    std::string SetUp();

    VerbsDevice& GetDevice() const
    {
        return *m_host.device;
    }

    /** Its number in the fabric. */
    uint32_t GetNumber() const
    {
        return m_host.interface;
    }

    ProtectionDomainId GetDomain() const
    {
        return m_domain;
    }

    /** Of memory that covers all addresses. */
    const MemoryRegion& GetAllMemory() const
    {
        return m_allMemory;
    }

    /**
     * Makes a queue pair.
     *
     * @param init domain and completion queues are filled in
     * @return why the device refused; empty if it did not
     */
    std::string MakeQueuePair(ReplayEndpoint& endpoint, QueuePairInit init, Qpn& qpn);

    /** Destroys it; not while the device handles something of it. */
    void DestroyQueuePair(Qpn qpn, SimTime now);

  private:
    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override;

    ApplicationHost m_host;
    ProtectionDomainId m_domain;
    CompletionQueueId m_queue;
    MemoryRegion m_allMemory;
    std::vector<ReplayEndpoint*> m_endpoints; ///< by queue pair number; null: not ours
    std::array<WorkCompletion, 16> m_batch;   ///< completions as they are taken
    bool m_isPolling{false};
};

} // namespace ns3::rdma
