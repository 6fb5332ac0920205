// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-flows.h"

#include "base/quantity.h"

namespace ns3::rdma
{

namespace
{

FlowStatus
GetStatus(const FlowRecord& record)
{
    if (record.isStopped)
    {
        return FlowStatus::STOPPED;
    }
    if (record.HasFailed())
    {
        return FlowStatus::FAILED;
    }
    if (record.IsFinished())
    {
        return FlowStatus::FINISHED;
    }
    return record.isStarted ? FlowStatus::RUNNING : FlowStatus::NOT_STARTED;
}

SimTime
Since(SimTime start, SimTime when)
{
    return when.IsNever() ? when : when - start;
}

} // namespace

std::vector<FlowOutcome>
JudgeFlows(const FlowRunner& runner)
{
    std::vector<FlowOutcome> outcomes;
    outcomes.reserve(runner.GetFlows().size());
    for (uint32_t number = 0; number < runner.GetFlows().size(); ++number)
    {
        const Flow& flow = runner.GetFlows()[number];
        const FlowRecord& record = runner.GetRecords()[number];
        FlowOutcome outcome{.status = GetStatus(record),
                            .completion = record.status,
                            .bytes = flow.bytes,
                            .deliveredBytes = record.deliveredBytes,
                            .isDamaged = record.isDamaged,
                            .ackedBytes = record.ackedBytes,
                            .delivered = Since(record.start, record.delivered),
                            .acked = Since(record.start, record.acked),
                            .start = record.start};
        if (record.isStarted)
        {
            const FlowIdeals ideals = runner.GetIdeals(number);
            outcome.idealDelivered = ideals.delivered;
            outcome.idealAcked = ideals.acked;
        }
        outcomes.push_back(outcome);
    }
    return outcomes;
}

std::string
ToString(const FlowOutcome& outcome)
{
    switch (outcome.status)
    {
    case FlowStatus::NOT_STARTED:
        return "not-started";
    case FlowStatus::RUNNING:
        return "running";
    case FlowStatus::FINISHED:
        return "finished";
    case FlowStatus::STOPPED:
        return "stopped";
    case FlowStatus::FAILED:
        return "failed:" + std::string{ToString(outcome.completion)};
    }
    return "unknown";
}

std::string
DescribeWait(const Fabric& fabric, const FlowRunner& runner, uint32_t number, SimTime now)
{
    const Flow& flow = runner.GetFlows()[number];
    const FlowRecord& record = runner.GetRecords()[number];
    if (!record.isStarted)
    {
        return record.isHeld ? "waits for the timeline to start it"
                             : "waits for its start at " + ToString(flow.start);
    }
    const QueuePairStatistics counters = runner.GetStatistics(number);
    const Rnic& source = *fabric.GetInterfaces()[record.interfaces.source];
    if (source.GetPort().GetPauses().Get(flow.priority).Holds(now))
    {
        return "waits for " + source.GetName() + " to be resumed in priority " +
               std::to_string(flow.priority);
    }
    return "waits for the acknowledgement of " + std::to_string(flow.bytes - counters.bytesAcked) +
           " of " + std::to_string(flow.bytes) + " bytes after " +
           std::to_string(counters.packetsSent) + " packets, " + std::to_string(counters.timeouts) +
           " timeouts and " + std::to_string(counters.naksReceived) + " NAKs";
}

} // namespace ns3::rdma
