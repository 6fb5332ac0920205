// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/flow-runner.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

enum class FlowStatus : uint8_t
{
    NOT_STARTED, ///< its start lies beyond the end of the run
    RUNNING,
    FINISHED,
    FAILED,
    STOPPED, ///< by the timeline
};

/** What a run has to say of one flow. */
struct FlowOutcome
{
    FlowStatus status{FlowStatus::NOT_STARTED};
    CompletionStatus completion{CompletionStatus::SUCCESS}; ///< why it failed
    uint64_t bytes{0};
    uint64_t deliveredBytes{0};               ///< of whole messages
    bool isDamaged{false};                    ///< real payload: other bytes arrived than were sent
    uint64_t ackedBytes{0};                   ///< of completed work requests
    SimTime delivered{SimTime::Never()};      ///< from its start; Never(): not reached
    SimTime acked{SimTime::Never()};          ///< from its start; Never(): not reached
    SimTime idealDelivered{SimTime::Never()}; ///< Never() before its start
    SimTime idealAcked{SimTime::Never()};     ///< Never() before its start
    SimTime start{};                          ///< its own, or when the timeline started it
    bool isCounted{true};                     ///< whether it starts in the measurement window

    double GetSlowdownDelivered() const
    {
        return static_cast<double>(delivered.ps) / static_cast<double>(idealDelivered.ps);
    }

    double GetSlowdownAcked() const
    {
        return static_cast<double>(acked.ps) / static_cast<double>(idealAcked.ps);
    }

    bool operator==(const FlowOutcome&) const = default;
};

/** All flows of a run, by number. */
std::vector<FlowOutcome> JudgeFlows(const FlowRunner& runner);

/** "finished", "running", "not-started", "stopped", or "failed:" and the completion status. */
std::string ToString(const FlowOutcome& outcome);

/**
 * What keeps an unfinished flow from its end, in words for a person.
 *
 * @param number of the flow
 * @param now    when the run ended
 */
std::string DescribeWait(const Fabric& fabric,
                         const FlowRunner& runner,
                         uint32_t number,
                         SimTime now);

} // namespace ns3::rdma
