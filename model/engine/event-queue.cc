// SPDX-License-Identifier: GPL-2.0-only
#include "engine/event-queue.h"

#include "engine/look-ahead.h"

#include "ns3/abort.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();

/** Entries that an insertion into the sorted array may move: 6 KiB, as dear as a heap of 10 000. */
constexpr size_t MAX_MOVES = 256;

/** Whether a bucket is at or before another one; the cursor starts one before zero. */
bool
IsUpTo(uint64_t bucket, uint64_t other)
{
    return static_cast<int64_t>(bucket - other) <= 0;
}

} // namespace

EventQueue* EventQueue::s_running = nullptr;

Event::~Event()
{
    if (m_queue != nullptr)
    {
        m_queue->Take(*this);
    }
}

EventQueue::EventQueue() : m_farTime{NEVER}
{
    SetGeometry(WheelGeometry{});
}

EventQueue::EventQueue(Host* host) : EventQueue{}
{
    m_host = host;
    m_askHost = host != nullptr;
}

EventQueue::~EventQueue()
{
    Close();
}

void
EventQueue::Close()
{
    for (Event* event : TakeAll())
    {
        event->m_queue = nullptr;
    }
    m_taken = m_sequence - m_eventCount;
    m_watched = 0;
    m_askHost = false;
    m_host = nullptr;
    if (s_running == this)
    {
        s_running = nullptr;
    }
}

std::vector<Event*>
EventQueue::TakeAll()
{
    std::vector<Event*> events;
    events.reserve(GetPendingCount());
    for (const EventEntry& entry : m_front)
    {
        events.push_back(entry.event);
    }
    for (Event*& head : m_slots)
    {
        for (Event* event = head; event != nullptr; event = event->m_next)
        {
            events.push_back(event);
        }
        head = nullptr;
    }
    for (const EventEntry& entry : m_far.GetEntries())
    {
        events.push_back(entry.event);
    }
    m_front.Clear();
    m_far.Clear();
    NoteFarTime();
    return events;
}

void
EventQueue::SetGeometry(WheelGeometry geometry)
{
    const std::vector<Event*> events = TakeAll();
    const uint32_t slots = uint32_t{1} << geometry.slotBits;
    m_geometry = geometry;
    m_mask = slots - 1;
    m_slots.assign(slots, nullptr);
    m_occupied.Reset(slots);
    m_cursor = (m_now.ps >> geometry.widthBits) - 1;
    for (Event* event : events)
    {
        Place(*event);
    }
}

void
EventQueue::PlaceOutside(Event& event)
{
    const uint64_t bucket = event.m_time.ps >> m_geometry.widthBits;
    if (event.m_time.IsNever())
    {
        event.m_queue = nullptr;
        ++m_taken;
        return;
    }
    if (IsUpTo(bucket, m_cursor))
    {
        PlaceFront(event);
        return;
    }
    const uint64_t present = (Now().ps >> m_geometry.widthBits) - 1;
    if (m_front.IsEmpty() && !IsUpTo(present, m_cursor) && m_occupied.IsEmpty())
    {
        m_cursor = present; // Nothing waits in between: the wheel starts here.
        Place(event);
        return;
    }
    PushFar(event);
}

void
EventQueue::PlaceFront(Event& event)
{
    NS_ABORT_MSG_IF(event.m_time < Now(),
                    "event scheduled at " << event.m_time.ps << " ps, now " << Now().ps << " ps");
    const EventEntry entry = EventEntry::Of(event);
    m_tuner.OnLateInsertion();
    if (m_front.IsEmpty())
    {
        m_front.PushFront(entry);
    }
    else if (m_front.CountMoves(entry) <= MAX_MOVES)
    {
        m_front.Insert(entry);
    }
    else
    {
        PushFar(event);
        return;
    }
    event.m_slot = SLOT_FRONT;
    if (m_farTime <= m_front.Front().time)
    {
        TakeFarFirst();
    }
}

void
EventQueue::PushFar(Event& event)
{
    event.m_slot = SLOT_FAR;
    m_far.Push(EventEntry::Of(event));
    NoteFarTime();
}

void
EventQueue::NoteFarTime()
{
    m_farTime = m_far.IsEmpty() ? NEVER : m_far.Top().time;
}

/** The first event is in m_front unless that is empty: this moves it there from the heap. */
void
EventQueue::TakeFarFirst()
{
    if (m_far.IsEmpty() || (!m_front.IsEmpty() && m_front.Front().IsBefore(m_far.Top())))
    {
        return;
    }
    const EventEntry entry = m_far.Pop();
    entry.event->m_slot = SLOT_FRONT;
    m_front.PushFront(entry);
    NoteFarTime();
}

void
EventQueue::Move(Event& event, SimTime when)
{
    if (event.m_queue != this)
    {
        event.m_queue->Take(event);
        Schedule(event, when);
        return;
    }
    const uint64_t earliest = std::min(when.ps, event.m_time.ps);
    Unlink(event);
    Insert(event, when);
    if (m_watched != 0 && earliest <= m_watched)
    {
        m_host->OnNextTimeChanged();
    }
}

void
EventQueue::Take(Event& event)
{
    const uint64_t time = event.m_time.ps;
    Unlink(event);
    event.m_queue = nullptr;
    if (m_watched != 0 && time <= m_watched)
    {
        m_host->OnNextTimeChanged();
    }
}

void
EventQueue::Unlink(Event& event)
{
    ++m_taken;
    if (event.m_slot == SLOT_FRONT)
    {
        m_front.Erase(EventEntry::Of(event));
        if (!m_front.IsEmpty() && m_farTime <= m_front.Front().time)
        {
            TakeFarFirst();
        }
        return;
    }
    if (event.m_slot == SLOT_FAR)
    {
        m_far.Remove(event.m_index);
        NoteFarTime();
        return;
    }
    if (event.m_next != nullptr)
    {
        event.m_next->m_previous = event.m_previous;
    }
    if (event.m_previous != nullptr)
    {
        event.m_previous->m_next = event.m_next;
        return;
    }
    m_slots[event.m_slot] = event.m_next;
    if (event.m_next == nullptr)
    {
        m_occupied.Clear(event.m_slot);
    }
}

/** How many buckets after the cursor's the next event in the wheel is; NEVER for none. */
inline uint64_t
EventQueue::GetAhead() const
{
    const auto next = static_cast<uint32_t>((m_cursor + 1) & m_mask);
    const uint32_t slot = m_occupied.FindFrom(next);
    return slot == OccupancyBitmap::NONE ? NEVER : ((slot - next) & m_mask) + 1;
}

SimTime
EventQueue::NextTime() const
{
    if (!m_front.IsEmpty())
    {
        return {m_front.Front().time};
    }
    uint64_t first = m_farTime;
    const uint64_t ahead = GetAhead();
    if (ahead != NEVER)
    {
        const Event* event = m_slots[(m_cursor + ahead) & m_mask];
        for (; event != nullptr; event = event->m_next)
        {
            first = std::min(first, event->m_time.ps);
        }
    }
    return {first};
}

void
EventQueue::Retune()
{
    m_looksAhead = GetPendingCount() >= LookAhead::LEAST_EVENTS;
    const WheelGeometry geometry = m_tuner.Decide(m_geometry, GetPendingCount());
    if (geometry != m_geometry)
    {
        SetGeometry(geometry);
    }
}

/**
 * Enters the next bucket when m_front is empty, unless all that it holds is at or after the limit.
 *
 * @return the only event of the bucket, off the queue, when it is to run at once; otherwise the
 * bucket's events are in m_front, or still further off
 */
Event*
EventQueue::EnterBucket(uint64_t limit)
{
    if (m_tuner.IsDue()) [[unlikely]]
    {
        Retune();
    }
    const uint64_t ahead = GetAhead();
    const uint64_t bucket = m_cursor + ahead;
    if (ahead == NEVER || (m_farTime >> m_geometry.widthBits) <= bucket) [[unlikely]]
    {
        EnterBucketWithFar(ahead, limit);
        return nullptr;
    }
    if ((bucket << m_geometry.widthBits) >= limit)
    {
        return nullptr;
    }
    m_cursor = bucket;
    Event* event = TakeSlot(bucket);
    if (m_looksAhead)
    {
        LookAhead::Fill(m_occupied, m_slots, bucket);
    }
    if (event->m_next == nullptr && event->m_time.ps < limit) [[likely]]
    {
        return event;
    }
    m_front.Clear();
    AppendToFront(event);
    m_tuner.OnMoreTimes(m_front.Sort() - 1);
    return nullptr;
}

/** EnterBucket when events beyond the wheel have come as near as the first in it. */
void
EventQueue::EnterBucketWithFar(uint64_t ahead, uint64_t limit)
{
    if (m_farTime >= limit && ahead == NEVER)
    {
        return;
    }
    const uint64_t farBucket = m_farTime >> m_geometry.widthBits;
    const uint64_t ringBucket = m_cursor + ahead;
    const bool ringFirst = ahead != NEVER && IsUpTo(ringBucket, farBucket);
    const uint64_t bucket = ringFirst                     ? ringBucket
                            : IsUpTo(farBucket, m_cursor) ? m_cursor
                                                          : farBucket;
    if ((bucket << m_geometry.widthBits) >= limit)
    {
        return;
    }
    m_cursor = bucket;
    m_front.Clear();
    if (ringFirst)
    {
        AppendToFront(TakeSlot(bucket));
    }
    while (m_farTime != NEVER && IsUpTo(m_farTime >> m_geometry.widthBits, bucket))
    {
        const EventEntry entry = m_far.Pop();
        entry.event->m_slot = SLOT_FRONT;
        m_front.Append(entry);
        NoteFarTime();
    }
    m_tuner.OnMoreTimes(m_front.Sort() - 1);
}

/** Empties the slot of a bucket. @return its list of events */
inline Event*
EventQueue::TakeSlot(uint64_t bucket)
{
    const auto slot = static_cast<uint32_t>(bucket & m_mask);
    Event* event = m_slots[slot];
    m_slots[slot] = nullptr;
    m_occupied.Clear(slot);
    m_tuner.OnBucket();
    return event;
}

/** Moves a list of events behind those in m_front. */
void
EventQueue::AppendToFront(Event* event)
{
    for (; event != nullptr; event = event->m_next)
    {
        event->m_slot = SLOT_FRONT;
        m_front.Append(EventEntry::Of(*event));
        event->Prefetch();
    }
}

/** Keeps the first event of all in m_front after one of a time was taken from there. */
inline void
EventQueue::SettleFront(uint64_t time)
{
    const uint64_t next = m_front.IsEmpty() ? time : m_front.Front().time;
    if (m_farTime <= next) [[unlikely]]
    {
        TakeFarFirst();
    }
}

/** Runs an event that is in no place any more. */
inline void
EventQueue::Fire(Event& event, SimTime time)
{
    event.m_queue = nullptr;
    ++m_eventCount;
    event.m_call(event.m_owner, time);
}

/** Runs the first event of m_front, which is not empty. */
inline void
EventQueue::FireFront(SimTime time)
{
    Event* event = m_front.Front().event;
    m_front.PopFront();
    if (m_looksAhead && !m_front.IsEmpty())
    {
        m_front.Front().event->Prepare();
    }
    SettleFront(time.ps);
    Fire(*event, time);
}

bool
EventQueue::RunNext()
{
    Event* single = m_front.IsEmpty() ? EnterBucket(NEVER) : nullptr;
    if (single != nullptr)
    {
        m_now = single->m_time;
        Fire(*single, m_now);
        return true;
    }
    if (m_front.IsEmpty())
    {
        return false;
    }
    m_now = {m_front.Front().time};
    FireFront(m_now);
    return true;
}

void
EventQueue::RunAllAt(SimTime time)
{
    const bool askHost = m_askHost;
    const uint64_t watched = m_watched;
    m_askHost = false;
    m_watched = 0;
    m_now = time;
    while (!RunBefore(SimTime{time.ps + 1}))
    {
    }
    m_askHost = askHost;
    m_watched = watched;
}

bool
EventQueue::RunBefore(SimTime limit)
{
    m_limit = limit.ps;
    do
    {
        Event* single = m_front.IsEmpty() ? EnterBucket(m_limit) : nullptr;
        if (single != nullptr)
        {
            m_now = single->m_time;
            Fire(*single, m_now);
        }
        else if (!m_front.IsEmpty() && m_front.Front().time < m_limit)
        {
            m_now = {m_front.Front().time};
        }
        else
        {
            return m_limit == limit.ps;
        }
        const SimTime time = m_now;
        while (!m_front.IsEmpty() && m_front.Front().time == time.ps)
        {
            FireFront(time);
        }
    } while (!m_interrupt.load(std::memory_order_relaxed));
    m_interrupt.store(false, std::memory_order_relaxed);
    return false;
}

} // namespace ns3::rdma
