// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/timeline.h"

#include "scenario/component-catalog.h"

#include <algorithm>
#include <tuple>

namespace ns3::rdma
{

namespace
{

/** The only timeline of a run; routes that change with it come behind it. */
constexpr uint64_t TIMELINE_ID = 0;

} // namespace

Timeline::Timeline(const TimelineSite& site) : m_site{site}
{
    m_event.Bind<&Timeline::OnTime>(this, EventOrder::Of(EventPhase::CHANGE, TIMELINE_ID));
    for (const ObjectFactory& factory : site.GetScenario().timeline)
    {
        m_actions.push_back(factory.Create<TimelineAction>());
    }
}

Expected<std::unique_ptr<Timeline>>
Timeline::Make(TimelineSite site)
{
    std::unique_ptr<Timeline> timeline{new Timeline{site}};
    const Diagnostics errors = timeline->Prepare();
    if (!errors.empty())
    {
        return errors;
    }
    timeline->Sort();
    if (!timeline->m_steps.empty())
    {
        site.GetFabric().GetEvents().Schedule(timeline->m_event, timeline->m_steps.front().time);
    }
    return timeline;
}

Diagnostics
Timeline::Prepare()
{
    Diagnostics errors;
    for (std::size_t entry = 0; entry < m_actions.size(); ++entry)
    {
        for (Diagnostic& error : m_actions[entry]->Prepare(m_site))
        {
            error.key = "timeline." + std::to_string(entry) + "." + error.key;
            errors.push_back(error);
        }
    }
    return errors;
}

void
Timeline::Sort()
{
    for (uint32_t entry = 0; entry < m_actions.size(); ++entry)
    {
        const TimelineAction& action = *m_actions[entry];
        m_steps.push_back({action.GetAt(), entry, false});
        if (action.GetDuration().ps != 0)
        {
            m_steps.push_back({action.GetAt() + action.GetDuration(), entry, true});
        }
    }
    std::sort(m_steps.begin(),
              m_steps.end(),
              [](const Step& a, const Step& b)
              { return std::tie(a.time, a.entry) < std::tie(b.time, b.entry); });
}

void
Timeline::OnTime(SimTime now)
{
    while (m_next < m_steps.size() && m_steps[m_next].time <= now)
    {
        const Step step = m_steps[m_next++];
        TimelineAction& action = *m_actions[step.entry];
        if (step.isUndo)
        {
            action.Undo(now);
        }
        else
        {
            action.Apply(now);
        }
        Tell(action, step.isUndo, now);
    }
    if (m_next < m_steps.size())
    {
        m_site.GetFabric().GetEvents().Schedule(m_event, m_steps[m_next].time);
    }
}

void
Timeline::Tell(const TimelineAction& action, bool isUndo, SimTime now)
{
    std::string name = ComponentName(action.GetInstanceTypeId().GetName(), "Action");
    std::replace(name.begin(), name.end(), '-', '_');
    for (RunEvent& row : action.GetRows())
    {
        row.time = now;
        row.event = name + (isUndo ? "_undone" : "");
        m_site.GetFabric().GetRunEvents().Add(std::move(row));
    }
}

} // namespace ns3::rdma
