// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

class EventQueue;

/**
 * Which of several things at one picosecond happens first.
 *
 * A departure at t frees the buffer that an arrival at t may take, and a timer that expires at t
 * sees what arrived at t (@choice: as a switch that checks its timers last).
 */
enum class EventPhase : uint8_t
{
    CHANGE = 0, ///< of the fabric itself, from outside: before all that happens in it
    DEPARTURE = 1,
    ARRIVAL = 2,
    TIMER = 3,
    SAMPLE = 4, ///< observers, after all that changes state
};

/**
 * Orders events of one time: by phase, then by the owner's stable number.
 *
 * The number comes from the topology, never from the order in which objects were made, so that
 * results do not depend on it. An owner has at most one pending event of a phase, so the order of
 * two fabric events is never undefined; equal orders (foreign owners) go by insertion.
 */
struct EventOrder
{
    uint64_t value{0};

    static constexpr unsigned OWNER_BITS = 56;

    static constexpr EventOrder Of(EventPhase phase, uint64_t ownerId)
    {
        return {(static_cast<uint64_t>(phase) << OWNER_BITS) | ownerId};
    }

    constexpr auto operator<=>(const EventOrder&) const = default;
};

/**
 * An event that its owner holds as a member and schedules again and again; nothing is allocated.
 *
 * The event takes itself off the queue when it is destroyed. Bind it once:
 * @code
 *   m_arrival.Bind<&EthernetPort::OnArrival>(this, EventOrder::Of(EventPhase::ARRIVAL, id));
 * @endcode
 */
class Event
{
  public:
    Event() = default;
    ~Event();

    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    /** Says whom the event calls, with the time, and how it is ordered among equals. */
    template <auto Method, typename Owner>
    void Bind(Owner* owner, EventOrder order)
    {
        m_owner = owner;
        m_call = [](void* self, SimTime now) { (static_cast<Owner*>(self)->*Method)(now); };
        m_order = order;
    }

    /**
     * Names a method of the owner that has the cache filled for the handler; it is called shortly
     * before the handler, or not at all, and must change nothing. Bind comes first.
     */
    template <auto Method, typename Owner>
    void BindPrepare()
    {
        m_prepare = [](const void* self) { (static_cast<const Owner*>(self)->*Method)(); };
    }

    /** What the handler will touch first, to be fetched into the cache ahead; null: nothing. */
    void SetHint(const void* hint)
    {
        m_hint = hint;
    }

    bool IsPending() const
    {
        return m_queue != nullptr;
    }

    /** When the event will fire; Never() when it is not pending. */
    SimTime GetTime() const
    {
        return m_queue != nullptr ? m_time : SimTime::Never();
    }

    /** The last time that it was scheduled for; 0 if it never was. */
    SimTime GetLastTime() const
    {
        return m_time;
    }

  private:
    friend class EventQueue;

    /** Has the memory fetched that the handler begins with, while other events run. */
    void Prefetch() const
    {
        constexpr std::size_t CACHE_LINE = 64;
        const auto* owner = static_cast<const std::byte*>(m_owner);
        __builtin_prefetch(owner);
        __builtin_prefetch(owner + CACHE_LINE);
        __builtin_prefetch(m_hint);
    }

    /** Has the event itself fetched, so that Prefetch need not wait for it. */
    void PrefetchSelf() const
    {
        __builtin_prefetch(this);
        __builtin_prefetch(&m_prepare);
    }

    /** Has the owner look ahead, when what Prefetch asked for has come. */
    void Prepare() const
    {
        if (m_prepare != nullptr)
        {
            m_prepare(m_owner);
        }
    }

    friend class FrontEvents;
    friend class LookAhead;
    friend struct EventEntry;

    SimTime m_time{};
    EventOrder m_order{};
    Event* m_next{nullptr};       ///< in its slot of the wheel
    Event* m_previous{nullptr};   ///< in its slot of the wheel; null at the head
    EventQueue* m_queue{nullptr}; ///< the queue that holds the event, or null
    void (*m_call)(void*, SimTime){nullptr};
    void* m_owner{nullptr};
    const void* m_hint{nullptr};
    void (*m_prepare)(const void*){nullptr};
    uint32_t m_slot{0};     ///< slot of the wheel, or another place in the queue
    uint32_t m_index{0};    ///< position in the heap of far events
    uint64_t m_sequence{0}; ///< insertion, 64 bits: the last resort among equal orders
};

} // namespace ns3::rdma
