// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "engine/stock-event-list.h"

#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace ns3::rdma
{

/**
 * The simulator implementation of the fabric: ns-3's whole contract, and intrusive events beside.
 *
 * Stock ns-3 models run on it unchanged. Within one picosecond all ns-3 events run first, in the
 * order of their insertion, then all events of the fabric's EventQueue in theirs; this is repeated
 * until none of either is left. Stop(t) is an ns-3 event and hence comes before the fabric's
 * events of t; a Stop() from a fabric event takes effect after the fabric's events of that
 * picosecond. While fabric events run the context is Simulator::NO_CONTEXT.
 *
 * Chosen by the global value SimulatorImplementationType. The resolution of Time must be
 * picoseconds.
 *
 * SetScheduler is accepted and changes nothing: any scheduler gives the same order, and those of
 * ns-3 would sort by a uid that wraps after 4.3e9 events.
 *
 * Not modelled: removal of ns-3 events in less than linear time; cancelling costs nothing.
 */
class FabricSimulatorImpl : public SimulatorImpl
{
  public:
    static TypeId GetTypeId();

    FabricSimulatorImpl();
    ~FabricSimulatorImpl() override;

    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    void Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    /** ns-3's events and the fabric's that have run. */
    uint64_t GetEventCount() const override;

    EventQueue& GetEventQueue()
    {
        return m_queue;
    }

    /**
     * Sets the 64-bit number of the next ns-3 event, to reach its limits without running up to
     * them.
     *
     * @param sequence not below a number that was given to an event
     */
    void SetNextSequence(uint64_t sequence)
    {
        m_events.SetNextSequence(sequence);
    }

  private:
    /** An event that another thread has handed over. */
    struct ForeignEvent
    {
        uint32_t context;
        uint64_t delay; ///< picoseconds, from when the event is taken over
        EventImpl* impl;
    };

    void DoDispose() override;

    StockEvent Insert(uint64_t time, uint32_t context, EventImpl* event);
    void TakeForeignEvents();
    SimTime GetStockTime() const;
    void RunFirst();
    bool RunFabricBefore(SimTime limit);

    EventQueue m_queue; ///< also keeps the time
    StockEventList m_events;
    std::list<EventId> m_destroyEvents;

    bool m_stop{false};
    uint64_t m_stockTime{0};          ///< when the last ns-3 event ran
    uint32_t m_stockUid;              ///< its uid
    uint32_t m_context;               ///< of the running event
    uint64_t m_stockCount{0};         ///< ns-3 events that have run
    std::thread::id m_mainThread;     ///< the one that runs the events
    std::atomic<bool> m_hasForeign{}; ///< whether m_foreign may hold something
    std::mutex m_foreignMutex;
    std::vector<ForeignEvent> m_foreign;
};

} // namespace ns3::rdma
