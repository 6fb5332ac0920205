// SPDX-License-Identifier: GPL-2.0-only
#include "engine/front-events.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

constexpr size_t INITIAL_CAPACITY = 64;

bool
IsBefore(const EventEntry& a, const EventEntry& b)
{
    return a.IsBefore(b);
}

/**
 * Sorts nearly sorted entries; gives up when it has moved too much.
 *
 * @choice eight moves per entry: about what a comparison sort of 256 entries would do
 */
bool
TryInsertionSort(EventEntry* begin, EventEntry* end)
{
    constexpr ptrdiff_t MOVES_PER_ENTRY = 8;
    ptrdiff_t budget = MOVES_PER_ENTRY * (end - begin);
    for (EventEntry* next = begin + 1; next < end; ++next)
    {
        if (!next->IsBefore(next[-1]))
        {
            continue;
        }
        const EventEntry entry = *next;
        EventEntry* hole = next;
        do
        {
            *hole = hole[-1];
            --hole;
        } while (hole != begin && entry.IsBefore(hole[-1]));
        *hole = entry;
        budget -= next - hole;
        if (budget < 0)
        {
            return false;
        }
    }
    return true;
}

} // namespace

FrontEvents::FrontEvents()
    : m_buffer(INITIAL_CAPACITY),
      m_front{m_buffer.data() + MARGIN},
      m_back{m_front},
      m_limit{m_buffer.data() + m_buffer.size() - MARGIN}
{
}

size_t
FrontEvents::Sort()
{
    if (GetSize() < 2)
    {
        return GetSize();
    }
    if (GetSize() == 2)
    {
        if (m_front[1].IsBefore(m_front[0]))
        {
            std::swap(m_front[0], m_front[1]);
        }
        return m_front[0].time == m_front[1].time ? 1 : 2;
    }
    constexpr size_t FEW = 4;
    if (GetSize() > FEW)
    {
        std::reverse(m_front, m_back);
    }
    if (!TryInsertionSort(m_front, m_back))
    {
        std::sort(m_front, m_back, IsBefore);
    }
    size_t times = 1;
    for (const EventEntry* entry = m_front + 1; entry != m_back; ++entry)
    {
        times += entry[0].time != entry[-1].time ? 1 : 0;
    }
    return times;
}

EventEntry*
FrontEvents::UpperBound(const EventEntry& entry) const
{
    return std::upper_bound(
        m_front, m_back, entry, [](const auto& a, const auto& b) { return a.Key() < b.Key(); });
}

size_t
FrontEvents::CountMoves(const EventEntry& entry) const
{
    const EventEntry* place = UpperBound(entry);
    return static_cast<size_t>(std::min(place - m_front, m_back - place));
}

void
FrontEvents::Insert(const EventEntry& entry)
{
    if (m_back == m_limit)
    {
        Grow();
    }
    EventEntry* place = UpperBound(entry);
    if (m_front != m_buffer.data() && place - m_front < m_back - place)
    {
        std::move(m_front, place, m_front - 1);
        --m_front;
        place[-1] = entry;
        return;
    }
    std::move_backward(place, m_back, m_back + 1);
    ++m_back;
    *place = entry;
}

void
FrontEvents::PushFront(const EventEntry& entry)
{
    if (m_front == m_buffer.data())
    {
        Grow();
    }
    *--m_front = entry;
}

void
FrontEvents::Erase(const EventEntry& entry)
{
    EventEntry* place = std::lower_bound(
        m_front, m_back, entry, [](const auto& a, const auto& b) { return a.Key() < b.Key(); });
    while (place->event != entry.event)
    {
        ++place;
    }
    if (place - m_front < m_back - place)
    {
        std::move_backward(m_front, place, place + 1);
        ++m_front;
        return;
    }
    std::move(place + 1, m_back, place);
    --m_back;
}

void
FrontEvents::Grow()
{
    const size_t size = GetSize();
    std::vector<EventEntry> larger(2 * size + INITIAL_CAPACITY);
    std::copy(m_front, m_back, larger.begin() + MARGIN);
    m_buffer.swap(larger);
    m_front = m_buffer.data() + MARGIN;
    m_back = m_front + size;
    m_limit = m_buffer.data() + m_buffer.size() - MARGIN;
}

} // namespace ns3::rdma
