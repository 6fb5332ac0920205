// SPDX-License-Identifier: GPL-2.0-only
#include "engine/stock-event-list.h"

#include <algorithm>

namespace ns3::rdma
{

StockEvent
StockEventList::Insert(uint64_t time, uint32_t context, EventImpl* impl)
{
    const auto uid = static_cast<uint32_t>(m_next);
    if (uid < EventId::UID::VALID)
    {
        m_next += EventId::UID::VALID - uid; // Small uids have meanings of their own in an EventId.
    }
    const StockEvent event{time, m_next++, impl, context};
    m_heap.Push(event);
    return event;
}

bool
StockEventList::Remove(const EventId& id)
{
    const auto& events = m_heap.GetEntries();
    const auto found =
        std::find_if(events.begin(),
                     events.end(),
                     [&id](const StockEvent& event)
                     { return event.time == id.GetTs() && event.GetUid() == id.GetUid(); });
    if (found == events.end())
    {
        return false;
    }
    m_heap.Remove(static_cast<size_t>(found - events.begin()));
    return true;
}

} // namespace ns3::rdma
