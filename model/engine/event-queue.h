// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "engine/event-entry.h"
#include "engine/event.h"
#include "engine/front-events.h"
#include "engine/occupancy-bitmap.h"
#include "engine/quad-heap.h"
#include "engine/wheel-tuner.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * The fabric's events, in (time, order, insertion) order.
 *
 * The model sees only this class. Who drives it is the simulator implementation's business:
 * FabricSimulatorImpl drains it directly, a stock ns-3 implementation through one ns-3 event.
 *
 * Events wait in a wheel of 2^n buckets of 2^w picoseconds each, unsorted, so that putting one in
 * and taking one out cost the same at any population. When time enters a bucket, its events move
 * to a sorted array, from which they run. Events beyond the wheel, and the few that would be dear
 * to insert into the array, wait in a heap. Width and number of the buckets follow the traffic;
 * they never change the order.
 *
 * Not modelled: events from other threads; those enter through the simulator implementation.
 */
class EventQueue
{
  public:
    /** The stock simulator implementation behind a queue, when it is not FabricSimulatorImpl. */
    class Host
    {
      public:
        virtual ~Host() = default;

        /** The simulated time while no event of the queue runs. */
        virtual SimTime GetHostTime() const = 0;

        /** The watched time is no longer the time of the first event. Not called by RunAllAt. */
        virtual void OnNextTimeChanged() = 0;
    };

    EventQueue();
    /** A queue with a host, which outlives it. */
    explicit EventQueue(Host* host);
    ~EventQueue();

    EventQueue(const EventQueue&) = delete;
    EventQueue& operator=(const EventQueue&) = delete;

    /** The queue of the running simulator implementation; made on first use, gone on Destroy. */
    static EventQueue& Get();

    /** The simulated time, in events of the queue and in stock ns-3 events alike. */
    SimTime Now() const
    {
        return m_askHost ? m_host->GetHostTime() : m_now;
    }

    /**
     * Puts an event at a time not before Now(), moving it if it is pending.
     *
     * A moved event counts as inserted now. Never() takes the event off the queue.
     */
    void Schedule(Event& event, SimTime when)
    {
        if (event.m_queue != nullptr) [[unlikely]]
        {
            Move(event, when);
            return;
        }
        Insert(event, when);
        if (when.ps < m_watched) [[unlikely]]
        {
            m_host->OnNextTimeChanged();
        }
    }

    /** Takes an event off the queue that holds it; nothing happens if it is not pending. */
    void Cancel(Event& event)
    {
        if (event.m_queue != nullptr)
        {
            event.m_queue->Take(event);
        }
    }

    /** Fabric events that have run so far. */
    uint64_t GetEventCount() const
    {
        return m_eventCount;
    }

    /** Events that wait. */
    size_t GetPendingCount() const
    {
        return m_sequence - m_eventCount - m_taken;
    }

    bool IsEmpty() const
    {
        return GetPendingCount() == 0;
    }

    /** Time of the first event; Never() when there is none. Linear in the events of one bucket. */
    SimTime NextTime() const;

    /** Runs the first event. @return false when there is none */
    bool RunNext();

    /** Sets the time and runs the events of this time, also those that they add. */
    void RunAllAt(SimTime time);

    /**
     * Runs the events before a limit, whole picoseconds at a time.
     *
     * @return true when no event before the limit is left; false when LowerLimit() or Interrupt()
     * made it return, and the caller has to look again at what he knows
     */
    bool RunBefore(SimTime limit);

    /** Lowers the limit of the RunBefore that is running; takes effect between picoseconds. */
    void LowerLimit(SimTime limit)
    {
        m_limit = limit.ps < m_limit ? limit.ps : m_limit;
    }

    /** Makes RunBefore return after the current picosecond; from any thread. */
    void Interrupt()
    {
        m_interrupt.store(true, std::memory_order_release);
    }

    /** Moves the time on without an event; not beyond the first one. */
    void AdvanceTo(SimTime time)
    {
        m_now = time;
    }

    /** Has the host told when the first event is no longer at this time; zero: never. */
    void Watch(SimTime time)
    {
        m_watched = time.ps;
    }

    /** Drops all events and the host, and is no longer the running queue. */
    void Close();

    WheelGeometry GetGeometry() const
    {
        return m_geometry;
    }

    /** Sets width and number of the buckets until the traffic asks for others; keeps all events. */
    void SetGeometry(WheelGeometry geometry);

  private:
    friend class Event;

    static constexpr uint32_t SLOT_FRONT = 0xffffffff; ///< in m_front
    static constexpr uint32_t SLOT_FAR = 0xfffffffe;   ///< in m_far

    void Insert(Event& event, SimTime when)
    {
        event.m_time = when;
        event.m_queue = this;
        event.m_sequence = ++m_sequence;
        if (m_sequence % WheelTuner::SAMPLE_PERIOD == 0) [[unlikely]]
        {
            m_tuner.OnSample(when.ps - m_now.ps);
        }
        Place(event);
    }

    void Place(Event& event)
    {
        const uint64_t bucket = event.m_time.ps >> m_geometry.widthBits;
        if (bucket - m_cursor - 1 >= m_mask) [[unlikely]]
        {
            PlaceOutside(event);
            return;
        }
        const auto slot = static_cast<uint32_t>(bucket & m_mask);
        Event*& head = m_slots[slot];
        event.m_slot = slot;
        event.m_previous = nullptr;
        event.m_next = head;
        if (head != nullptr)
        {
            head->m_previous = &event;
        }
        else
        {
            m_occupied.Set(slot);
        }
        head = &event;
    }

    void PlaceOutside(Event& event);
    void PlaceFront(Event& event);
    void PushFar(Event& event);
    void Move(Event& event, SimTime when);
    void Take(Event& event);
    void Unlink(Event& event);
    Event* EnterBucket(uint64_t limit);
    void EnterBucketWithFar(uint64_t ahead, uint64_t limit);
    Event* TakeSlot(uint64_t bucket);
    uint64_t GetAhead() const;
    void Retune();
    void TakeFarFirst();
    void AppendToFront(Event* event);
    void SettleFront(uint64_t time);
    void Fire(Event& event, SimTime time);
    void FireFront(SimTime time);
    void NoteFarTime();
    std::vector<Event*> TakeAll();

    static EventQueue* s_running;

    SimTime m_now{};
    uint64_t m_sequence{0};
    uint64_t m_cursor; ///< number of the bucket in m_front; the wheel holds those after it
    uint64_t m_mask{0};
    WheelGeometry m_geometry;
    bool m_askHost{false};    ///< whether no event runs and the host keeps the time
    bool m_looksAhead{false}; ///< whether more events wait than the cache holds
    std::atomic<bool> m_interrupt{false};
    uint64_t m_watched{0}; ///< an event before this time concerns the host
    uint64_t m_limit{0};   ///< RunBefore's
    uint64_t m_farTime;    ///< time of the first event in m_far
    uint64_t m_eventCount{0};
    uint64_t m_taken{0};         ///< events that were inserted and did not run
    FrontEvents m_front;         ///< all events up to the cursor's bucket, but those in m_far
    std::vector<Event*> m_slots; ///< heads of lists, the latest insertion first
    OccupancyBitmap m_occupied;
    QuadHeap<EventEntry> m_far;
    WheelTuner m_tuner;
    Host* m_host{nullptr};
};

} // namespace ns3::rdma
