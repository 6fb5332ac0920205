// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/settings-check.h"
#include "scenario/run-events.h"

#include "ns3/object.h"

#include <vector>

namespace ns3::rdma
{

class TimelineSite;

/**
 * Something that a scenario does to the running fabric at a time: an entry of its timeline.
 *
 * An action comes before everything else of its instant (EventPhase::CHANGE): a frame whose last
 * bit would arrive then meets the changed fabric, and so do frames and flows that start then.
 * Actions of one instant happen in the order of their entries.
 *
 * A new action is one file, timeline-<name>.cc: a child of this class whose name ends in Action,
 * registered, chosen by its TypeId's name ("LinkDownAction" is "link-down").
 */
class TimelineAction : public Object, public SettingsCheck
{
  public:
    static TypeId GetTypeId();

    SimTime GetAt() const
    {
        return m_at;
    }

    Diagnostics CheckSettings() const override;

    /**
     * Finds what the action is about; once, before the run.
     *
     * @return what does not exist or cannot be done; keys as in CheckSettings
     */
    virtual Diagnostics Prepare(TimelineSite& site) = 0;

    /** Does it. */
    virtual void Apply(SimTime now) = 0;

    /** How long after its time the action is undone; zero: never. */
    virtual SimTime GetDuration() const;

    /** Undoes it; only with a duration. */
    virtual void Undo(SimTime now);

    /** What it does it to: rows of events.csv, without time and name. After Prepare. */
    virtual std::vector<RunEvent> GetRows() const = 0;

  protected:
    /** The attribute "For" of an action that can be undone, into a member of the class. */
    template <typename T>
    static TypeId AddDuration(TypeId tid, SimTime T::*member)
    {
        return tid.AddAttribute("For",
                                "Time after which it is undone; 0s: it stays",
                                SimTimeValue(SimTime{}),
                                MakeSimTimeAccessor(member),
                                MakeSimTimeChecker());
    }

  private:
    SimTime m_at{};
};

} // namespace ns3::rdma
