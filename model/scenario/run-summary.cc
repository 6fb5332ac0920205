// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-summary.h"

#include "base/quantity.h"
#include "scenario/text-table.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <sstream>

namespace ns3::rdma
{

namespace
{

std::string
Fixed(double value, int decimals)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << value;
    return text.str();
}

std::string
Microseconds(double ns)
{
    constexpr double NS_PER_US = 1000.0;
    return Fixed(ns / NS_PER_US, 1) + "us";
}

std::string
FlowLine(const FlowTotals& flows)
{
    std::string line =
        std::to_string(flows.finished) + " of " + std::to_string(flows.total) + " finished";
    const auto add = [&line](uint64_t count, const char* what)
    { line += count == 0 ? "" : ", " + std::to_string(count) + what; };
    add(flows.running, " running");
    add(flows.notStarted, " not started");
    add(flows.stopped, " stopped");
    add(flows.failed, " failed");
    return line + "; " + FormatCount(static_cast<double>(flows.ackedBytes)) + "B of " +
           FormatCount(static_cast<double>(flows.bytes)) + "B acknowledged";
}

/** What the run was for: its flows, or its applications where there are no flows. */
std::vector<std::string>
WorkLine(const RunReport& report)
{
    const auto ended = std::count_if(report.applications.begin(),
                                     report.applications.end(),
                                     [](const auto& outcome)
                                     { return outcome.hasEnded && outcome.failure.empty(); });
    const std::string applications = std::to_string(ended) + " of " +
                                     std::to_string(report.applications.size()) +
                                     " applications done";
    if (report.flows.total == 0)
    {
        return {"work", applications};
    }
    return {"flows",
            FlowLine(report.flows) + (report.applications.empty() ? "" : "; " + applications)};
}

std::string
SpeedLine(const RunReport& report, const RunPerformance& performance)
{
    constexpr uint64_t BYTES_PER_MB = 1'000'000;
    const auto events = static_cast<double>(performance.events);
    const auto hops = static_cast<double>(report.network.packetHops);
    return Fixed(performance.wallSeconds, 2) + "s; " + FormatCount(events) + " events, " +
           FormatCount(hops) + " packet-hops (" +
           (hops > 0 ? Fixed(events / hops, 2) : std::string{"-"}) + " events each), " +
           FormatCount(performance.PerSecond(performance.events)) + " events/s; up to " +
           std::to_string(performance.peakMemoryBytes / BYTES_PER_MB + 1) + " MB of memory";
}

std::string
DropLine(const NetworkTotals& network)
{
    std::string line;
    for (std::size_t reason = 0; reason < DROP_REASON_COUNT; ++reason)
    {
        if (network.dropped[reason].frames != 0)
        {
            line += (line.empty() ? "" : ", ") + std::to_string(network.dropped[reason].frames) +
                    " " + std::string{ToString(static_cast<DropReason>(reason))};
        }
    }
    return line.empty() ? "none" : line;
}

void
PrintDistributions(std::ostream& out, const MeasurementWindow& window, const RunReport& report)
{
    if (report.bySize.empty())
    {
        return;
    }
    std::vector<std::vector<std::string>> rows{
        {"size", "flows", "slowdown p50", "p95", "p99", "max", "fct p50", "p99"}};
    const auto add = [&rows](const FlowDistribution& sizes)
    {
        constexpr int DECIMALS = 3;
        rows.push_back({sizes.sizes.name,
                        std::to_string(sizes.ackedNs.count),
                        Fixed(sizes.slowdownAcked.p50, DECIMALS),
                        Fixed(sizes.slowdownAcked.p95, DECIMALS),
                        Fixed(sizes.slowdownAcked.p99, DECIMALS),
                        Fixed(sizes.slowdownAcked.max, DECIMALS),
                        Microseconds(sizes.ackedNs.p50),
                        Microseconds(sizes.ackedNs.p99)});
    };
    add(report.allSizes);
    for (const FlowDistribution& sizes : report.bySize)
    {
        add(sizes);
    }
    out << "  flow completion, from start to last acknowledgement"
        << (window.IsWhole() ? "" : ", of " + Describe(window)) << ":\n"
        << FormatTable(rows, "    ");
    const WindowTotals& totals = report.window;
    if (!window.IsWhole())
    {
        out << "    " << totals.counted << " flows count, " << totals.outside << " do not; "
            << totals.censored << " of those that count have not ended\n";
    }
}

} // namespace

std::string
FormatCount(double value)
{
    constexpr std::array<const char*, 5> PREFIXES{"", "k", "M", "G", "T"};
    constexpr double STEP = 1000.0;
    constexpr double ALMOST_STEP = 999.5; // would be printed as 1000
    std::size_t prefix = 0;
    while (value >= ALMOST_STEP && prefix + 1 < PREFIXES.size())
    {
        value /= STEP;
        ++prefix;
    }
    std::ostringstream text;
    text << std::setprecision(3) << value << PREFIXES[prefix];
    return text.str();
}

std::string
FormatTime(SimTime time)
{
    constexpr uint64_t TEN = 10;
    constexpr uint64_t FIRST_TOO_LONG = 10'000;
    uint64_t step = 1;
    while (time.ps / step >= FIRST_TOO_LONG)
    {
        step *= TEN;
    }
    return ToString(SimTime{time.ps / step * step});
}

void
PrintSummary(std::ostream& out,
             const Scenario& scenario,
             const RunReport& report,
             const RunPerformance& performance)
{
    constexpr double PERCENT = 100.0;
    const NetworkTotals& network = report.network;
    out << scenario.name << (report.partialReason.empty() ? "" : " (partial)") << ":\n"
        << FormatTable({WorkLine(report),
                        {"simulated", FormatTime(report.end)},
                        {"took", SpeedLine(report, performance)},
                        {"drops", DropLine(network)},
                        {"pauses",
                         std::to_string(network.pauseFrames) + " PAUSE and " +
                             std::to_string(network.resumeFrames) + " resume frames, " +
                             FormatTime(network.pausedTime) + " paused in all"},
                        {"congestion",
                         std::to_string(network.markedFrames) + " frames marked, " +
                             std::to_string(network.cnpFrames) + " CNPs, " +
                             std::to_string(network.retransmittedFrames) + " packets sent again"},
                        {"limited by",
                         report.busiest.from + " port " + std::to_string(report.busiest.fromPort) +
                             " to " + report.busiest.to + ", " +
                             Fixed(report.busiest.utilisation * PERCENT, 1) + "% busy"}},
                       "  ");
    PrintDistributions(out, scenario.window, report);
}

} // namespace ns3::rdma
