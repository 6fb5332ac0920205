// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/run-observers.h"
#include "scenario/scenario.h"

#include <ostream>
#include <string>

namespace ns3::rdma
{

/** How and where a run tells how far it is. */
struct ProgressStyle
{
    std::ostream* stream{nullptr}; ///< null: nothing is told
    bool isTerminal{false};        ///< whether a line can be written over
};

/**
 * Looks at the clock and at Ctrl-C from time to time, and tells how far a run is.
 *
 * It is an event that observes: it changes nothing of the model, and ends when no other event is
 * left. Its interval in simulated time follows the wall clock, so that it neither costs time nor
 * lets the user wait.
 */
class RunProgress
{
  public:
    /**
     * @param fabric    outlives the progress
     * @param observers receives its event
     */
    RunProgress(Fabric& fabric,
                const Scenario& scenario,
                RunObservers& observers,
                const ProgressStyle& style);

    /** Begins to look; at the start of the simulation. */
    void Start();

    /** Removes the line from a terminal. */
    void Finish();

    /** Whether it stopped the simulator because of Ctrl-C. */
    bool HasInterrupted() const
    {
        return m_hasInterrupted;
    }

  private:
    void OnLook(SimTime now);
    void Tell(SimTime now, double wall);
    double GetShareDone(SimTime now) const;

    Fabric& m_fabric;
    RunObservers& m_observers;
    SimTime m_duration;
    uint64_t m_totalBytes{0}; ///< of all flows: the end of a run without a duration
    ProgressStyle m_style;
    Event m_look;
    SimTime m_interval;
    double m_started{0.0};  ///< wall clock
    double m_lastLook{0.0}; ///< wall clock
    double m_lastTell{0.0}; ///< wall clock
    uint64_t m_eventsTold{0};
    std::size_t m_lineLength{0};
    bool m_hasInterrupted{false};
};

} // namespace ns3::rdma
