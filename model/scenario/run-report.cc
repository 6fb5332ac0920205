// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-report.h"

#include "congestion/congestion-control.h"
#include "scenario/run-invariants.h"

#include <algorithm>
#include <map>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_NS = 1000.0;

FlowTotals
CountFlows(const std::vector<FlowOutcome>& outcomes)
{
    FlowTotals totals{.total = outcomes.size()};
    for (const FlowOutcome& flow : outcomes)
    {
        totals.bytes += flow.bytes;
        totals.deliveredBytes += flow.deliveredBytes;
        switch (flow.status)
        {
        case FlowStatus::NOT_STARTED:
            ++totals.notStarted;
            break;
        case FlowStatus::RUNNING:
            ++totals.running;
            break;
        case FlowStatus::FINISHED:
            ++totals.finished;
            break;
        case FlowStatus::FAILED:
            ++totals.failed;
            break;
        case FlowStatus::STOPPED:
            ++totals.stopped;
            break;
        }
    }
    return totals;
}

void
AddLinks(const Fabric& fabric, SimTime end, NetworkTotals& totals)
{
    for (const FabricLink& link : fabric.GetLinks())
    {
        const PortCounters& counters = link.port->GetCounters();
        totals.packetHops += counters.frames;
        totals.wireBytes += counters.wireBytes;
        totals.pauseFrames += counters.pauseFramesSent;
        totals.resumeFrames += counters.resumeFramesSent;
        totals.departureEvents += counters.departureEvents;
        if (link.fromSwitch != nullptr)
        {
            totals.maxQueueBytes = std::max(totals.maxQueueBytes, counters.maxQueueBytes);
        }
        for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
        {
            totals.pausedTime += link.port->GetPausedTime(priority, end);
        }
    }
}

void
AddInterfaces(const Fabric& fabric, NetworkTotals& totals)
{
    for (const Ptr<Rnic>& device : fabric.GetInterfaces())
    {
        const RnicCounters& counters = device->GetCounters();
        totals.dataFrames += counters.dataFramesSent;
        totals.ackFrames += counters.ackFramesSent;
        totals.cnpFrames += counters.cnpFramesSent;
        totals.ceArrivals += counters.ceArrivals;
        for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
        {
            totals.discardedAtInterfaces[reason] += counters.drops[reason];
        }
    }
}

NetworkTotals
CountNetwork(Fabric& fabric, const FlowRunner& runner, SimTime end)
{
    NetworkTotals totals;
    AddLinks(fabric, end, totals);
    AddInterfaces(fabric, totals);
    for (const Ptr<RdmaSwitch>& device : fabric.GetSwitches())
    {
        totals.markedFrames += device->GetCounters().markedFrames;
        totals.settlements += device->GetCounters().settlements;
    }
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        totals.dropped[reason] = fabric.GetLedger().GetDropped(static_cast<DropReason>(reason));
    }
    for (uint32_t flow = 0; flow < runner.GetFlows().size(); ++flow)
    {
        const QueuePairStatistics counters = runner.GetStatistics(flow);
        totals.retransmittedFrames += counters.packetsRetransmitted;
        totals.naksReceived += counters.naksReceived;
        totals.timeouts += counters.timeouts;
    }
    return totals;
}

BusiestLink
FindBusiest(const Fabric& fabric, SimTime end)
{
    BusiestLink busiest;
    for (const FabricLink& link : fabric.GetLinks())
    {
        const double utilisation = GetUtilisation(link, end);
        if (utilisation > busiest.utilisation)
        {
            busiest = {link.from, link.fromPort, link.to, utilisation};
        }
    }
    return busiest;
}

FlowDistribution
Distribute(const std::vector<FlowOutcome>& outcomes, const SizeClass& sizes)
{
    std::vector<double> deliveredNs;
    std::vector<double> ackedNs;
    std::vector<double> slowdownDelivered;
    std::vector<double> slowdownAcked;
    for (const FlowOutcome& flow : outcomes)
    {
        if (flow.isCounted && flow.status == FlowStatus::FINISHED && sizes.Holds(flow.bytes))
        {
            deliveredNs.push_back(static_cast<double>(flow.delivered.ps) / PS_PER_NS);
            ackedNs.push_back(static_cast<double>(flow.acked.ps) / PS_PER_NS);
            slowdownDelivered.push_back(flow.GetSlowdownDelivered());
            slowdownAcked.push_back(flow.GetSlowdownAcked());
        }
    }
    return {sizes,
            ComputePercentiles(std::move(deliveredNs)),
            ComputePercentiles(std::move(ackedNs)),
            ComputePercentiles(std::move(slowdownDelivered)),
            ComputePercentiles(std::move(slowdownAcked))};
}

/** What makes a message one of a kind. */
std::string
KindOf(const std::string& line)
{
    const auto colon = line.find(": ");
    std::string kind = colon == std::string::npos ? line : line.substr(colon);
    std::erase_if(kind, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
    return kind;
}

} // namespace

double
GetUtilisation(const FabricLink& link, SimTime end)
{
    const SimTime busy = link.port->GetBusyTime();
    return end.ps == 0 ? 0.0 : static_cast<double>(busy.ps) / static_cast<double>(end.ps);
}

RunReport
MakeReport(const Scenario& scenario, Fabric& fabric, const FlowRunner& runner, SimTime end)
{
    RunReport report{.end = end, .outcomes = JudgeFlows(runner)};
    report.window = JudgeWindow(scenario.window, runner.GetFlows(), end, report.outcomes);
    report.flows = CountFlows(report.outcomes);
    report.network = CountNetwork(fabric, runner, end);
    for (const Ptr<Rnic>& device : fabric.GetInterfaces())
    {
        report.flows.ackedBytes += device->GetCounters().bytesAcked;
    }
    report.busiest = FindBusiest(fabric, end);
    const auto& classes = GetSizeClasses();
    report.allSizes =
        Distribute(report.outcomes, {"all", classes.front().fromBytes, classes.back().toBytes});
    for (const SizeClass& sizes : classes)
    {
        FlowDistribution distribution = Distribute(report.outcomes, sizes);
        if (distribution.ackedNs.count != 0)
        {
            report.bySize.push_back(std::move(distribution));
        }
    }
    for (const RunEvent& event : fabric.GetRunEvents().Get())
    {
        ++report.events[event.event];
    }
    report.broken = CheckBooks(GatherBooks(fabric, runner, report.outcomes, end));

    report.notes = scenario.notes;
    report.notes.insert(report.notes.end(), fabric.GetNotes().begin(), fabric.GetNotes().end());
    report.warnings = scenario.warnings;
    report.warnings.insert(
        report.warnings.end(), fabric.GetWarnings().begin(), fabric.GetWarnings().end());
    const bool needsMarks =
        scenario.congestion.Create<CongestionControl>()->GetFeedback() == Feedback::ECN;
    if (needsMarks && report.network.markedFrames == 0)
    {
        report.warnings.push_back("congestion control never acted: it waits for ECN marks, and no "
                                  "packet was marked");
    }
    return report;
}

std::vector<std::string>
AggregateLines(const std::vector<std::string>& lines)
{
    constexpr std::size_t SHOWN = 3;
    std::vector<std::string> kinds;
    std::map<std::string, std::vector<std::string>> linesOfKind;
    for (const std::string& line : lines)
    {
        const std::string kind = KindOf(line);
        if (linesOfKind[kind].empty())
        {
            kinds.push_back(kind);
        }
        linesOfKind[kind].push_back(line);
    }
    std::vector<std::string> shortened;
    for (const std::string& kind : kinds)
    {
        const std::vector<std::string>& all = linesOfKind[kind];
        const std::size_t shown = std::min(all.size(), SHOWN);
        shortened.insert(shortened.end(), all.begin(), all.begin() + static_cast<long>(shown));
        if (all.size() > shown)
        {
            shortened.push_back("and " + std::to_string(all.size() - shown) + " more of that kind");
        }
    }
    return shortened;
}

} // namespace ns3::rdma
