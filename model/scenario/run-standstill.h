// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/application-runner.h"
#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/run-observers.h"
#include "scenario/timeline.h"

namespace ns3::rdma
{

/**
 * Ends a run without a duration in which events go on but nothing gets any further, as in a
 * deadlock of pauses that are renewed for ever.
 *
 * It counts the frames that have reached a host. If none was added between two looks and no flow
 * or application is left to start, none has plans, and no entry of the timeline is to come, the
 * simulator is stopped; what waits is then unfinished.
 *
 * @choice a look every second of simulated time, or twice the time in which a connection spends
 * all of its retries, in which a watchdog detects a storm, or in which an application waits, if
 * that is longer
 */
class RunStandstill
{
  public:
    RunStandstill(Fabric& fabric,
                  const FlowRunner& runner,
                  const ApplicationRunner& applications,
                  RunObservers& observers);

    /** Looks go on while a timeline has something left to do; it outlives this. */
    void WaitFor(const Timeline& timeline)
    {
        m_timeline = &timeline;
    }

    /** Begins to look; at the start of a simulation that has no duration. */
    void Start();

  private:
    void OnLook(SimTime now);
    uint64_t CountArrived() const;

    Fabric& m_fabric;
    const FlowRunner& m_runner;
    const ApplicationRunner& m_applications;
    RunObservers& m_observers;
    const Timeline* m_timeline{nullptr};
    Event m_look;
    SimTime m_interval;
    uint64_t m_arrived{0};
};

} // namespace ns3::rdma
