// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event.h"

#include <cstdint>

namespace ns3::rdma
{

/** A pending event with the key it is sorted by, so that sorting does not touch the event. */
struct EventEntry
{
    uint64_t time;  ///< picoseconds
    uint64_t order; ///< EventOrder
    Event* event;

    /** Time and order as one number; events that agree in it go by insertion. */
    unsigned __int128 Key() const
    {
        return (static_cast<unsigned __int128>(time) << 64) | order;
    }

    /** Whether this event runs before another: time, then order, then insertion. */
    bool IsBefore(const EventEntry& other) const
    {
        const unsigned __int128 mine = Key();
        const unsigned __int128 theirs = other.Key();
        if (mine != theirs) [[likely]]
        {
            return mine < theirs;
        }
        return event->m_sequence < other.event->m_sequence;
    }

    /** Tells the event where in a heap it stands. */
    void SetHeapIndex(uint32_t index) const
    {
        event->m_index = index;
    }

    static EventEntry Of(Event& event)
    {
        return {event.m_time.ps, event.m_order.value, &event};
    }
};

} // namespace ns3::rdma
