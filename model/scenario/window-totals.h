// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/measurement-window.h"
#include "scenario/run-flows.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** What became of the flows that count. */
struct WindowTotals
{
    uint64_t counted{0};
    uint64_t outside{0};
    uint64_t finished{0};
    uint64_t failed{0};
    uint64_t stopped{0};  ///< by the timeline
    uint64_t censored{0}; ///< none of these at the end of the run
    /**
     * Of the censored flows that were under way: slowdowns that they cannot fall below any more,
     * the least and the greatest. Without one, nothing.
     */
    std::optional<double> leastBound;
    std::optional<double> greatestBound;
};

/**
 * Marks the outcomes of the flows that count, and counts them.
 *
 * @choice a flow that the timeline starts counts by its time in the workload, which is known before
 *         the run: what is waited for must not depend on what happens
 *
 * A censored flow's bound is its age at the end divided by its ideal time, or its slowdown if only
 * its acknowledgement is missing.
 *
 * @param end of the run
 */
WindowTotals JudgeWindow(const MeasurementWindow& window,
                         const FlowList& flows,
                         SimTime end,
                         std::vector<FlowOutcome>& outcomes);

} // namespace ns3::rdma
