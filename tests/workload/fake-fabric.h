// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/application.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/** Things to be done, in the order of time and then of request. */
class Agenda
{
  public:
    void At(SimTime when, std::function<void(SimTime)> what)
    {
        m_entries.emplace(when, std::move(what));
    }

    /** Does all. @return when the last was done */
    SimTime Run()
    {
        SimTime now{};
        while (!m_entries.empty())
        {
            const auto first = m_entries.begin();
            now = first->first;
            const auto what = std::move(first->second);
            m_entries.erase(first);
            what(now);
        }
        return now;
    }

  private:
    std::multimap<SimTime, std::function<void(SimTime)>> m_entries;
};

/**
 * A device on a wire of fixed latency and endless rate: all of a message arrives after the latency,
 * and its acknowledgement or response after twice the latency. No queue is checked.
 */
class FakeDevice : public VerbsDevice
{
  public:
    FakeDevice(Agenda& agenda, SimTime latency) : m_agenda{agenda}, m_latency{latency} {}

    struct Pair
    {
        QueuePairInit init;
        FakeDevice* peer{nullptr};
        Qpn peerQp{};
        uint32_t receives{0};
    };

    Pair& Of(Qpn qpn)
    {
        return m_pairs.at(qpn.value - 1);
    }

    void SetPoller(uint32_t mark, MemoryPoller* poller)
    {
        m_pollers[mark] = poller;
    }

    /** All requests from now on fail. */
    void Break()
    {
        m_isBroken = true;
    }

    const std::vector<SendRequest>& GetPosted() const
    {
        return m_posted;
    }

    std::size_t GetPostCalls() const
    {
        return m_postCalls;
    }

    const DeviceLimits& GetLimits() const override
    {
        return m_limits;
    }

    VerbsError AllocateProtectionDomain(ProtectionDomainId& domain) override
    {
        domain.value = 1;
        return VerbsError::NONE;
    }

    VerbsError DeallocateProtectionDomain(ProtectionDomainId) override
    {
        return VerbsError::NONE;
    }

    VerbsError RegisterMemory(const MemoryRegionSpec&, MemoryRegion& region) override
    {
        region = {.lkey = 1, .rkey = 2};
        return VerbsError::NONE;
    }

    VerbsError DeregisterMemory(const MemoryRegion&) override
    {
        return VerbsError::NONE;
    }

    VerbsError CreateCompletionQueue(uint32_t capacity,
                                     CompletionChannel* channel,
                                     CompletionQueueId& queue) override
    {
        queue.value = static_cast<uint32_t>(m_queues.size() + 1);
        m_queues.push_back(std::make_unique<CompletionQueue>(queue.value, capacity, channel));
        return VerbsError::NONE;
    }

    VerbsError DestroyCompletionQueue(CompletionQueueId) override
    {
        return VerbsError::NONE;
    }

    CompletionQueue& GetCompletionQueue(CompletionQueueId queue) override
    {
        return *m_queues.at(queue.value - 1);
    }

    VerbsError CreateSharedReceiveQueue(const SharedReceiveQueueInit&,
                                        SharedReceiveQueueId&) override
    {
        return VerbsError::NOT_SUPPORTED;
    }

    VerbsError DestroySharedReceiveQueue(SharedReceiveQueueId) override
    {
        return VerbsError::NOT_FOUND;
    }

    VerbsError SetSharedReceiveLimit(SharedReceiveQueueId, uint32_t) override
    {
        return VerbsError::NOT_FOUND;
    }

    PostResult PostSharedReceive(SharedReceiveQueueId, std::span<const ReceiveRequest>) override
    {
        return {VerbsError::NOT_FOUND, 0};
    }

    VerbsError CreateQueuePair(const QueuePairInit& init, Qpn& qpn) override
    {
        if (m_isBroken)
        {
            return VerbsError::LIMIT_EXCEEDED;
        }
        m_pairs.push_back({.init = init, .peer = nullptr, .peerQp = {}, .receives = 0});
        qpn.value = static_cast<uint32_t>(m_pairs.size());
        return VerbsError::NONE;
    }

    VerbsError DestroyQueuePair(Qpn, SimTime) override
    {
        return VerbsError::NONE;
    }

    std::optional<Diagnostic> ModifyQueuePair(Qpn,
                                              const QueuePairAttributes&,
                                              uint32_t,
                                              SimTime) override
    {
        return std::nullopt;
    }

    QueuePairInfo QueryQueuePair(Qpn) const override
    {
        return {};
    }

    PostResult PostSend(Qpn qpn, std::span<const SendRequest> requests, SimTime now) override
    {
        ++m_postCalls;
        for (const SendRequest& request : requests)
        {
            m_posted.push_back(request);
            Send(qpn, request, now);
        }
        return {};
    }

    PostResult PostReceive(Qpn qpn, std::span<const ReceiveRequest> requests, SimTime) override
    {
        Of(qpn).receives += static_cast<uint32_t>(requests.size());
        return {};
    }

    const QueuePairStatistics& GetStatistics(Qpn) const override
    {
        return m_statistics;
    }

    void SetObserver(DeviceObserver*) override {}

  private:
    void Send(Qpn qpn, const SendRequest& request, SimTime now)
    {
        Pair& pair = Of(qpn);
        const uint64_t bytes = TotalBytes(request.sgList);
        m_agenda.At(now + m_latency,
                    [&pair, request, bytes](SimTime when)
                    { pair.peer->Arrive(pair.peerQp, request.opcode, bytes, when); });
        if ((request.flags & SEND_SIGNALED) == 0)
        {
            return;
        }
        WorkCompletion completion;
        completion.wrId = request.wrId;
        completion.qpn = qpn;
        completion.status =
            m_isBroken ? CompletionStatus::RETRY_EXC_ERR : CompletionStatus::SUCCESS;
        m_agenda.At(now + 2 * m_latency,
                    [this, &pair, completion](SimTime when)
                    { GetCompletionQueue(pair.init.sendQueue).Push(completion, false, when); });
    }

    void Arrive(Qpn qpn, SendOpcode opcode, uint64_t bytes, SimTime now)
    {
        Pair& pair = Of(qpn);
        if (opcode == SendOpcode::SEND && pair.receives > 0)
        {
            --pair.receives;
            WorkCompletion completion;
            completion.qpn = qpn;
            completion.opcode = CompletionOpcode::RECV;
            GetCompletionQueue(pair.init.receiveQueue).Push(completion, false, now);
        }
        if (opcode == SendOpcode::RDMA_WRITE && m_pollers[pair.init.mark] != nullptr)
        {
            m_pollers[pair.init.mark]->OnMemoryChanged(pair.init.mark, bytes, now);
        }
    }

    Agenda& m_agenda;
    SimTime m_latency;
    DeviceLimits m_limits;
    QueuePairStatistics m_statistics;
    std::vector<std::unique_ptr<CompletionQueue>> m_queues;
    std::deque<Pair> m_pairs; ///< references stay valid
    std::map<uint32_t, MemoryPoller*> m_pollers;
    std::vector<SendRequest> m_posted;
    std::size_t m_postCalls{0};
    bool m_isBroken{false};
};

/** Two fake devices and what an application is offered there. */
class FakeFabric : public ApplicationEnvironment
{
  public:
    explicit FakeFabric(SimTime latency) : m_client{m_agenda, latency}, m_server{m_agenda, latency}
    {
    }

    /** Lets everything happen. @return when the last thing did */
    SimTime Run()
    {
        return m_agenda.Run();
    }

    FakeDevice& GetClient()
    {
        return m_client;
    }

    FakeDevice& GetServer()
    {
        return m_server;
    }

    uint32_t GetEndedCount() const
    {
        return m_ended;
    }

    EventQueue& GetEvents() override
    {
        return m_events;
    }

    Expected<ApplicationHosts> ChooseHosts(uint32_t, uint32_t) override
    {
        return ApplicationHosts{.source = {&m_client, 0}, .destination = {&m_server, 1}};
    }

    std::optional<Diagnostic> Connect(const ConnectionEnd& source,
                                      const ConnectionEnd& destination,
                                      const ConnectionOptions&,
                                      SimTime) override
    {
        FakeDevice::Pair& client = m_client.Of(source.qpn);
        client.peer = &m_server;
        client.peerQp = destination.qpn;
        FakeDevice::Pair& server = m_server.Of(destination.qpn);
        server.peer = &m_client;
        server.peerQp = source.qpn;
        return std::nullopt;
    }

    std::vector<ApplicationHost> GetInterfaces(uint32_t) override
    {
        return {};
    }

    QueuePairAttributes GetConnectionDefaults() override
    {
        return {};
    }

    bool IsChosen(const std::string&) override
    {
        return false;
    }

    uint32_t ReserveMark(MemoryPoller* poller) override
    {
        ++m_marks;
        m_client.SetPoller(m_marks, poller);
        m_server.SetPoller(m_marks, poller);
        return m_marks;
    }

    /** Nobody has TCP and UDP here. */
    std::pair<IpEnd, IpEnd> GetIpEnds(const ApplicationHosts&) override
    {
        return {};
    }

    void OnApplicationEnded(SimTime) override
    {
        ++m_ended;
    }

  private:
    EventQueue m_events;
    Agenda m_agenda;
    FakeDevice m_client;
    FakeDevice m_server;
    uint32_t m_marks{0};
    uint32_t m_ended{0};
};

} // namespace ns3::rdma
