// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-entry.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * The events of the wheel's current bucket, sorted, in one array.
 *
 * Filled by Append and Sort, emptied from the front. What is inserted late moves the shorter side
 * of the array.
 */
class FrontEvents
{
  public:
    FrontEvents();

    bool IsEmpty() const
    {
        return m_front == m_back;
    }

    size_t GetSize() const
    {
        return static_cast<size_t>(m_back - m_front);
    }

    /** The first event; only when there is one. */
    const EventEntry& Front() const
    {
        return *m_front;
    }

    const EventEntry* begin() const
    {
        return m_front;
    }

    const EventEntry* end() const
    {
        return m_back;
    }

    /** Drops the first event, and fetches one that runs soon into the cache. */
    void PopFront()
    {
        __builtin_prefetch(m_front[MARGIN].event);
        ++m_front;
    }

    void Clear()
    {
        m_front = m_buffer.data() + MARGIN;
        m_back = m_front;
    }

    /** Puts an event last, whatever its key; Sort must follow. */
    void Append(const EventEntry& entry)
    {
        if (m_back == m_limit) [[unlikely]]
        {
            Grow();
        }
        *m_back++ = entry;
    }

    /**
     * Brings the appended events into order, given that the latest insertion was appended first.
     *
     * Equal cables keep equal orders from one picosecond to the next, so sorted input is the rule
     * and costs one comparison per event.
     *
     * @return the number of different times
     */
    size_t Sort();

    /** How many entries an insertion would move. */
    size_t CountMoves(const EventEntry& entry) const;

    /** Inserts the event whose insertion into the queue is the latest of all. */
    void Insert(const EventEntry& entry);

    /** Puts an event first that is before all the others. */
    void PushFront(const EventEntry& entry);

    /** Takes out an event that is here. */
    void Erase(const EventEntry& entry);

  private:
    static constexpr size_t MARGIN = 8; ///< readable entries at both ends; room for PushFront

    EventEntry* UpperBound(const EventEntry& entry) const;
    void Grow();

    std::vector<EventEntry> m_buffer;
    EventEntry* m_front;
    EventEntry* m_back;
    EventEntry* m_limit; ///< end of the usable part of the buffer
};

} // namespace ns3::rdma
