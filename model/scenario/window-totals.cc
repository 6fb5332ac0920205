// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/window-totals.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** The slowdown that an unfinished flow has at least; nothing if it has not started. */
std::optional<double>
FindBound(const FlowOutcome& outcome, SimTime end)
{
    if (outcome.status != FlowStatus::RUNNING || end < outcome.start)
    {
        return std::nullopt;
    }
    if (!outcome.delivered.IsNever())
    {
        return outcome.GetSlowdownDelivered();
    }
    const SimTime age = end - outcome.start;
    return static_cast<double>(age.ps) / static_cast<double>(outcome.idealDelivered.ps);
}

} // namespace

WindowTotals
JudgeWindow(const MeasurementWindow& window,
            const FlowList& flows,
            SimTime end,
            std::vector<FlowOutcome>& outcomes)
{
    WindowTotals totals;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
    {
        FlowOutcome& outcome = outcomes[i];
        outcome.isCounted = window.Holds(flows[i].start);
        if (!outcome.isCounted)
        {
            ++totals.outside;
            continue;
        }
        ++totals.counted;
        totals.finished += outcome.status == FlowStatus::FINISHED ? 1 : 0;
        totals.failed += outcome.status == FlowStatus::FAILED ? 1 : 0;
        totals.stopped += outcome.status == FlowStatus::STOPPED ? 1 : 0;
        const auto bound = FindBound(outcome, end);
        if (bound)
        {
            totals.leastBound = std::min(totals.leastBound.value_or(*bound), *bound);
            totals.greatestBound = std::max(totals.greatestBound.value_or(*bound), *bound);
        }
    }
    totals.censored = totals.counted - totals.finished - totals.failed - totals.stopped;
    return totals;
}

} // namespace ns3::rdma
