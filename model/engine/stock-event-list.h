// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/quad-heap.h"

#include "ns3/event-id.h"
#include "ns3/event-impl.h"

#include <cstdint>

namespace ns3::rdma
{

/** A pending ns-3 event; its list holds one reference to the implementation. */
struct StockEvent
{
    uint64_t time;     ///< picoseconds
    uint64_t sequence; ///< insertion; the low 32 bits are the uid that EventId shows
    EventImpl* impl;
    uint32_t context;

    bool IsBefore(const StockEvent& other) const
    {
        return time != other.time ? time < other.time : sequence < other.sequence;
    }

    /** A stock event is removed by search, so it need not know where it stands. */
    void SetHeapIndex(uint32_t) const {}

    uint32_t GetUid() const
    {
        return static_cast<uint32_t>(sequence);
    }
};

/**
 * The ns-3 events of a simulator implementation, by time, then by a sequence that never wraps.
 *
 * ns-3's schedulers sort by the 32-bit uid of an EventId, which wraps after 4.3e9 insertions; here
 * only its comparison within one time may wrap.
 */
class StockEventList
{
  public:
    bool IsEmpty() const
    {
        return m_heap.IsEmpty();
    }

    /** The first event; only when there is one. */
    const StockEvent& First() const
    {
        return m_heap.Top();
    }

    StockEvent TakeFirst()
    {
        return m_heap.Pop();
    }

    /** Puts an event in, with the reference that comes with it. @return as it stands there */
    StockEvent Insert(uint64_t time, uint32_t context, EventImpl* impl);

    /** Takes out the event of an id, searching all. @return whether it was there */
    bool Remove(const EventId& id);

    /** Sets the sequence of the next insertion; not below one that was given. */
    void SetNextSequence(uint64_t sequence)
    {
        m_next = sequence;
    }

    /** Whether a uid came before or is another one, if less than 2^31 insertions lie between. */
    static bool IsUidUpTo(uint32_t uid, uint32_t other)
    {
        return static_cast<int32_t>(uid - other) <= 0;
    }

  private:
    QuadHeap<StockEvent> m_heap;
    uint64_t m_next{EventId::UID::VALID};
};

} // namespace ns3::rdma
