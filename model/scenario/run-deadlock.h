// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/deadlock-finder.h"
#include "scenario/run-observers.h"
#include "scenario/run-report.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Watches a run for deadlocks of pauses.
 *
 * It looks while some port is paused, and only at pauses that have lasted from one look to the
 * next; without pauses it costs nothing. Each deadlock is an event "deadlock_found" of the fabric,
 * at the first link of its cycle; when its frames move again (a watchdog drops some), an event
 * "deadlock_resolved".
 *
 * @choice a look every millisecond: many times the longest pause of one frame at the rates of
 * fabrics, so that what lasts so long is renewed
 */
class RunDeadlock
{
  public:
    static constexpr SimTime INTERVAL = SimTime::Milliseconds(1);

    RunDeadlock(Fabric& fabric, RunObservers& observers);

    /**
     * Looks once more, when the run has ended, and writes into its report what there was.
     *
     * @param now the time of the fabric's events
     */
    void Finish(SimTime now, RunReport& report);

  private:
    void ScheduleAfter(SimTime now);
    void OnLook(SimTime now);
    bool IsAnythingPaused(SimTime now) const;
    void Note(const Deadlock& deadlock, SimTime now);

    Fabric& m_fabric;
    RunObservers& m_observers;
    DeadlockFinder m_finder;
    Event m_look;
    std::vector<BlockedClass> m_cycle; ///< of the deadlock that there is; empty without one
    uint64_t m_count{0};
    std::string m_first; ///< the first deadlock, in words
};

} // namespace ns3::rdma
