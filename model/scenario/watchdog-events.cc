// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/watchdog-events.h"

#include "base/quantity.h"

#include "ns3/callback.h"

#include <string>

namespace ns3::rdma
{

namespace
{

std::string
Describe(const WatchdogReport& report)
{
    const std::string since = ToString(report.since);
    const std::string dropped = std::to_string(report.dropped.frames) + " frames (" +
                                std::to_string(report.dropped.bytes) + " bytes) dropped";
    if (report.verdict == WatchdogVerdict::RESTORED)
    {
        const bool drops = report.action == WatchdogAction::DROP;
        return "in a storm since " + since + (drops ? "; " + dropped : "");
    }
    const std::string blocked = "blocked since " + since + "; ";
    switch (report.action)
    {
    case WatchdogAction::DROP:
        return blocked + dropped;
    case WatchdogAction::FORWARD:
        return blocked + "pauses are ignored";
    case WatchdogAction::ALERT:
    case WatchdogAction::OFF:
        break;
    }
    return blocked + "nothing is done";
}

} // namespace

void
RecordWatchdogs(Fabric& fabric)
{
    using Sink = Callback<void, std::string, const WatchdogReport&, SimTime>;
    for (const Ptr<RdmaSwitch>& device : fabric.GetSwitches())
    {
        device->TraceConnectWithoutContext(
            "Watchdog",
            Sink{[&events = fabric.GetRunEvents()](
                     std::string name, const WatchdogReport& report, SimTime now)
                 {
                     const bool isDetected = report.verdict == WatchdogVerdict::DETECTED;
                     events.Add({.time = now,
                                 .event = isDetected ? "watchdog_detected" : "watchdog_restored",
                                 .node = name,
                                 .port = report.port,
                                 .priority = report.priority,
                                 .detail = Describe(report)});
                 }});
    }
}

} // namespace ns3::rdma
