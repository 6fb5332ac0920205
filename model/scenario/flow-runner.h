// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "workload/flow.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** What became of one flow. */
struct FlowRecord
{
    InterfacePair interfaces{};
    Qpn sourceQp{};
    Qpn destinationQp{};
    uint16_t udpSourcePort{0};
    SimTime start{}; ///< the flow's own, unless somebody held and started it
    bool isStarted{false};
    bool isHeld{false};                  ///< it has no start of its own
    bool isStopped{false};               ///< somebody ended it
    uint64_t deliveredBytes{0};          ///< of whole messages
    uint64_t ackedBytes{0};              ///< of completed work requests
    SimTime delivered{SimTime::Never()}; ///< last bit of the last message at the receiver
    SimTime acked{SimTime::Never()};     ///< last completion at the sender
    bool isDamaged{false};               ///< real payload: other bytes arrived than were sent
    CompletionStatus status{CompletionStatus::SUCCESS}; ///< of the first request that failed

    bool IsFinished() const
    {
        return !acked.IsNever();
    }

    bool HasFailed() const
    {
        return status != CompletionStatus::SUCCESS;
    }
};

/** A flow's two times with the fabric to itself, from its start. */
struct FlowIdeals
{
    SimTime delivered{};
    SimTime acked{};
};

/** The bytes of a flow with real payload, at both ends. */
struct FlowMemory
{
    std::vector<std::byte> sent;
    std::vector<std::byte> received;
    MemoryRegion source{};
    MemoryRegion sink{};
};

/**
 * Runs a list of flows over a fabric: a queue pair for each, its messages, and their end.
 *
 * An application of the verbs: on each interface a protection domain, a completion queue and a
 * region; for each flow a connection and RDMA WRITEs. Flows start at their times in the order of
 * their numbers. A flow longer than the longest message becomes several messages, posted at once.
 *
 * With real payload each flow has its own memory at both ends while it runs; what has arrived is
 * compared with what was sent.
 */
class FlowRunner : private CompletionChannel, private DeviceObserver
{
  public:
    /**
     * @param fabric  outlives the runner
     * @param flows   ordered and checked; outlives the runner
     * @param seed    decides the first PSN of each connection
     * @error a flow without a path
     */
    static Expected<std::unique_ptr<FlowRunner>> Make(Fabric& fabric,
                                                      const FlowList& flows,
                                                      uint64_t seed);

    /** Makes the end of some flows enough for the callback; before the run. */
    void Await(FlowRange flows)
    {
        m_awaited = flows;
        m_missing = flows.behind - flows.first;
    }

    /** Whether no flow is left that the callback waits for. */
    bool HasEndedAwaited() const
    {
        return m_missing == 0;
    }

    /** Whether the callback waits for a flow. */
    bool IsAwaited(uint32_t flow) const
    {
        return m_awaited.first <= flow && flow < m_awaited.behind;
    }

    /** Called once, when no flow is left that is waited for and could finish. */
    void SetDoneCallback(std::function<void(SimTime)> callback)
    {
        m_onDone = std::move(callback);
    }

    /** A flow does not start at its time but when Start is called; before the run. */
    void Hold(uint32_t flow)
    {
        m_records[flow].isHeld = true;
    }

    /** Starts a flow that is held, unless it was stopped before. */
    void Start(uint32_t flow, SimTime now);

    /**
     * Ends a flow that has not ended: it never starts, or its sending queue pair enters the error
     * state, so that nothing more of it is sent.
     */
    void Stop(uint32_t flow, SimTime now);

    /** Whom the devices tell of messages that arrive. */
    DeviceObserver& GetObserver()
    {
        return *this;
    }

    const Fabric& GetFabric() const
    {
        return m_fabric;
    }

    const FlowList& GetFlows() const
    {
        return m_flows;
    }

    const std::vector<FlowRecord>& GetRecords() const
    {
        return m_records;
    }

    /** Whether no flow waits for its start any more. */
    bool HasStartedAll() const
    {
        return m_nextFlow == m_flows.size();
    }

    /** Flows that have finished, failed or been stopped. */
    uint64_t GetEndedCount() const
    {
        return m_ended;
    }

    /** The flow's times if it were alone. */
    FlowIdeals GetIdeals(uint32_t flow) const;

    /** Counters of the flow's sending queue pair; all zero before it starts. */
    QueuePairStatistics GetStatistics(uint32_t flow) const;

  private:
    FlowRunner(Fabric& fabric, const FlowList& flows, uint64_t seed);

    /** What the runner holds of an interface. */
    struct Session
    {
        ProtectionDomainId domain{};
        CompletionQueueId completions{};
        MemoryRegion region{}; ///< synthetic, all of the address space
    };

    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override;
    void OnDelivered(uint32_t flow, uint64_t bytes, SimTime now) override;
    void OnAsyncEvent(const AsyncEvent& event, SimTime now) override;
    void OnCompletion(const WorkCompletion& completion, SimTime now);
    void OnStart(SimTime now);
    void OpenSession(Rnic& device);
    void StartFlow(uint32_t number, SimTime now);
    void Connect(uint32_t number, SimTime now);
    Qpn CreateQueuePair(uint32_t interface, uint32_t flow, uint32_t requests);
    void PostMessages(uint32_t number, SimTime now);
    void AddMemory(uint32_t number);
    void CheckMemory(uint32_t number);
    void End(uint32_t flow, SimTime now);

    Fabric& m_fabric;
    const FlowList& m_flows;
    uint64_t m_seed;
    std::vector<Session> m_sessions; ///< by interface
    std::vector<FlowRecord> m_records;
    std::map<uint32_t, FlowMemory> m_memory; ///< of running flows with real payload
    uint32_t m_nextFlow{0};
    uint64_t m_ended{0};
    FlowRange m_awaited;   ///< all without Await
    uint32_t m_missing{0}; ///< awaited flows that have neither finished nor failed
    Event m_start;
    std::function<void(SimTime)> m_onDone;
};

} // namespace ns3::rdma
