// SPDX-License-Identifier: GPL-2.0-only
#include "link/pause-keeper.h"

#include <algorithm>
#include <tuple>

namespace ns3::rdma
{

namespace
{

/** Orders a heap so that the earliest entry is in front; equal times by port and priority. */
bool
IsLater(const PauseKeeper::Entry& a, const PauseKeeper::Entry& b)
{
    return std::tie(a.refreshAt, a.port, a.priority) > std::tie(b.refreshAt, b.port, b.priority);
}

std::size_t
Index(uint16_t port, uint8_t priority)
{
    return port * std::size_t{PRIORITY_COUNT} + priority;
}

} // namespace

void
PauseKeeper::Pause(uint16_t port, uint8_t priority, SimTime now)
{
    m_count += IsPaused(port, priority) ? 0 : 1;
    m_paused[port] |= PriorityBit(priority);
    m_current.resize(m_refreshAfter.size() * PRIORITY_COUNT);
    m_current[Index(port, priority)] = now + m_refreshAfter[port];
    m_heap.push_back({now + m_refreshAfter[port], port, priority});
    std::ranges::push_heap(m_heap, IsLater);
}

void
PauseKeeper::Resume(uint16_t port, uint8_t priority)
{
    m_count -= IsPaused(port, priority) ? 1 : 0;
    m_paused[port] &= static_cast<PriorityMask>(~PriorityBit(priority));
}

void
PauseKeeper::DropStale()
{
    const auto isStale = [this](const Entry& entry)
    {
        return !IsPaused(entry.port, entry.priority) ||
               m_current[Index(entry.port, entry.priority)] != entry.refreshAt;
    };
    while (!m_heap.empty() && isStale(m_heap.front()))
    {
        std::ranges::pop_heap(m_heap, IsLater);
        m_heap.pop_back();
    }
}

SimTime
PauseKeeper::NextRefresh()
{
    DropStale();
    return m_heap.empty() ? SimTime::Never() : m_heap.front().refreshAt;
}

std::optional<PauseKeeper::Entry>
PauseKeeper::PopDue(SimTime now)
{
    if (NextRefresh() > now)
    {
        return std::nullopt;
    }
    const Entry entry = m_heap.front();
    std::ranges::pop_heap(m_heap, IsLater);
    m_heap.pop_back();
    return entry;
}

} // namespace ns3::rdma
