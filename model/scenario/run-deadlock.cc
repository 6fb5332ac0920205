// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-deadlock.h"

#include "base/quantity.h"

#include "ns3/callback.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Apart from the other observers. */
constexpr uint64_t DEADLOCK_ID = uint64_t{1} << 43;

} // namespace

RunDeadlock::RunDeadlock(Fabric& fabric, RunObservers& observers)
    : m_fabric{fabric},
      m_observers{observers},
      m_finder{fabric}
{
    m_look.Bind<&RunDeadlock::OnLook>(this, EventOrder::Of(EventPhase::SAMPLE, DEADLOCK_ID));
    observers.Add(m_look);
    using Sink = Callback<void, std::string, uint16_t, uint8_t, uint16_t, SimTime>;
    for (const Ptr<RdmaSwitch>& device : fabric.GetSwitches())
    {
        device->TraceConnectWithoutContext(
            "Pfc",
            Sink{[this](std::string, uint16_t, uint8_t, uint16_t quanta, SimTime now)
                 {
                     if (quanta != 0 && !m_look.IsPending())
                     {
                         ScheduleAfter(now);
                     }
                 }});
    }
}

void
RunDeadlock::ScheduleAfter(SimTime now)
{
    m_observers.Continue(m_look, {(now.ps / INTERVAL.ps + 1) * INTERVAL.ps});
}

void
RunDeadlock::OnLook(SimTime now)
{
    Note(m_finder.Find(now, INTERVAL), now);
    if (IsAnythingPaused(now))
    {
        ScheduleAfter(now);
    }
}

bool
RunDeadlock::IsAnythingPaused(SimTime now) const
{
    const auto isPaused = [now](const FabricLink& link)
    {
        for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
        {
            if (link.fromSwitch != nullptr && link.port->GetPauses().Get(priority).until > now)
            {
                return true;
            }
        }
        return false;
    };
    return std::any_of(m_fabric.GetLinks().begin(), m_fabric.GetLinks().end(), isPaused);
}

void
RunDeadlock::Note(const Deadlock& deadlock, SimTime now)
{
    const bool wasFound = !m_cycle.empty();
    if (wasFound == deadlock.IsFound())
    {
        return;
    }
    const BlockedClass first = wasFound ? m_cycle.front() : deadlock.cycle.front();
    const FabricLink& link = m_fabric.GetLinks()[first.direction];
    m_fabric.GetRunEvents().Add({.time = now,
                                 .event = wasFound ? "deadlock_resolved" : "deadlock_found",
                                 .node = link.from,
                                 .port = link.fromPort,
                                 .priority = first.priority,
                                 .detail = wasFound ? ""
                                                    : m_finder.Describe(deadlock) + "; " +
                                                          std::to_string(deadlock.blocked) +
                                                          " links blocked"});
    if (!wasFound && ++m_count == 1)
    {
        m_first = ToString(now) + ": " + m_finder.Describe(deadlock);
    }
    m_cycle = deadlock.cycle;
}

void
RunDeadlock::Finish(SimTime now, RunReport& report)
{
    // What has ended since the last look is not told: if nothing but observers was left to happen,
    // now is a time of theirs.
    const Deadlock deadlock = m_finder.Find(now);
    if (deadlock.IsFound())
    {
        Note(deadlock, now);
        report.deadlock = m_finder.Describe(deadlock);
    }
    if (m_count != 0)
    {
        report.warnings.push_back(std::to_string(m_count) +
                                  (m_count == 1 ? " deadlock" : " deadlocks") +
                                  " of pauses, the first at " + m_first);
    }
}

} // namespace ns3::rdma
