// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"

#include <algorithm>
#include <vector>

namespace ns3::rdma
{

/**
 * Events that only look at a run. They come again and again, but must not keep each other, and so
 * the run, alive when nothing else is left to happen.
 */
class RunObservers
{
  public:
    explicit RunObservers(EventQueue& events) : m_events{events} {}

    /** Makes an event known as an observer's; it lives as long as the run. */
    void Add(const Event& event)
    {
        m_observers.push_back(&event);
    }

    /** Schedules an observer's event, unless only observers are left. */
    void Continue(Event& event, SimTime when)
    {
        const auto pending = std::count_if(
            m_observers.begin(), m_observers.end(), [](const Event* e) { return e->IsPending(); });
        if (m_events.GetPendingCount() > static_cast<std::size_t>(pending))
        {
            m_events.Schedule(event, when);
        }
    }

  private:
    EventQueue& m_events;
    std::vector<const Event*> m_observers;
};

} // namespace ns3::rdma
