// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/timeline-action.h"
#include "scenario/timeline-site.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3::rdma
{

/**
 * Carries out the entries of a scenario's timeline, by time, then by entry, and tells of each in
 * events.csv: a row named as the action ("link_down"), or so and "_undone" when its time is over.
 *
 * An entry that lies behind the end of a run never happens, and keeps no run from its end: without
 * a duration a run ends when its flows and applications have.
 */
class Timeline
{
  public:
    /**
     * Prepares all entries and schedules the first; nothing is scheduled without one.
     *
     * @error what the entries name and nobody knows; keys are those of the scenario:
     *        "timeline.1.from"
     */
    static Expected<std::unique_ptr<Timeline>> Make(TimelineSite site);

    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /** Whether something is left to be done, or routes are yet to follow what was done. */
    bool HasPending() const
    {
        return m_next < m_steps.size() || m_site.GetFabric().IsRerouting();
    }

  private:
    struct Step
    {
        SimTime time{};
        uint32_t entry{0};
        bool isUndo{false};
    };

    explicit Timeline(const TimelineSite& site);

    Diagnostics Prepare();
    void Sort();
    void OnTime(SimTime now);
    void Tell(const TimelineAction& action, bool isUndo, SimTime now);

    TimelineSite m_site;
    std::vector<Ptr<TimelineAction>> m_actions;
    std::vector<Step> m_steps; ///< in the order in which they are done
    std::size_t m_next{0};
    Event m_event;
};

} // namespace ns3::rdma
