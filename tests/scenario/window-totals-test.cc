// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/window-totals.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

constexpr SimTime
Us(uint64_t us)
{
    return SimTime::Microseconds(us);
}

Flow
FlowAt(SimTime start)
{
    Flow flow;
    flow.start = start;
    return flow;
}

FlowOutcome
OutcomeOf(FlowStatus status, SimTime ideal)
{
    FlowOutcome outcome;
    outcome.status = status;
    outcome.idealDelivered = ideal;
    return outcome;
}

} // namespace

TEST(WindowTotals, EachFlowIsCountedOnce)
{
    const FlowList flows{
        FlowAt(Us(0)), FlowAt(Us(10)), FlowAt(Us(11)), FlowAt(Us(12)), FlowAt(Us(90))};
    std::vector<FlowOutcome> outcomes{OutcomeOf(FlowStatus::RUNNING, Us(1)),
                                      OutcomeOf(FlowStatus::FINISHED, Us(1)),
                                      OutcomeOf(FlowStatus::FAILED, Us(1)),
                                      OutcomeOf(FlowStatus::RUNNING, Us(1)),
                                      OutcomeOf(FlowStatus::NOT_STARTED, SimTime::Never())};
    const WindowTotals totals = JudgeWindow({Us(10), Us(90)}, flows, Us(50), outcomes);
    EXPECT_EQ(totals.counted, 3U);
    EXPECT_EQ(totals.outside, 2U);
    EXPECT_EQ(totals.finished, 1U);
    EXPECT_EQ(totals.failed, 1U);
    EXPECT_EQ(totals.censored, 1U);
    EXPECT_FALSE(outcomes[0].isCounted);
    EXPECT_TRUE(outcomes[1].isCounted);
    EXPECT_FALSE(outcomes[4].isCounted);
}

// At 50 us: a flow of 10 us' age and 4 us alone cannot fall below 2.5; one of 48 us and 4 us not
// below 12. A flow that was delivered after 6 us, 4 us alone, and lacks its acknowledgement,
// has 1.5.
TEST(WindowTotals, CensoredFlowsHaveBounds)
{
    const FlowList flows{FlowAt(Us(2)), FlowAt(Us(20)), FlowAt(Us(40)), FlowAt(Us(60))};
    std::vector<FlowOutcome> outcomes(flows.size(), OutcomeOf(FlowStatus::RUNNING, Us(4)));
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        outcomes[i].start = flows[i].start;
    }
    outcomes[1].delivered = Us(6);
    outcomes[3] = OutcomeOf(FlowStatus::NOT_STARTED, SimTime::Never());
    const WindowTotals totals = JudgeWindow({}, flows, Us(50), outcomes);
    EXPECT_EQ(totals.censored, 4U);
    EXPECT_DOUBLE_EQ(totals.leastBound.value(), 1.5);
    EXPECT_DOUBLE_EQ(totals.greatestBound.value(), 12.0);
    outcomes.assign(flows.size(), OutcomeOf(FlowStatus::FINISHED, Us(4)));
    EXPECT_FALSE(JudgeWindow({}, flows, Us(50), outcomes).leastBound);
}

} // namespace ns3::rdma
