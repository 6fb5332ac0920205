// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-table.h"

#include <array>
#include <charconv>
#include <initializer_list>

namespace ns3::rdma
{

namespace
{

const std::vector<std::string> COLUMNS{
    "tag",
    "verb",
    "test",
    "source",
    "destination",
    "bytes",
    "iterations",
    "t_min_us",
    "t_max_us",
    "t_typical_us",
    "t_avg_us",
    "t_stdev_us",
    "p99_us",
    "p999_us",
    "bw_peak_MiBps",
    "bw_average_MiBps",
    "bw_average_Gbps",
    "message_rate_Mpps",
    "window_us",
};

constexpr std::size_t LATENCY_COLUMNS = 7;
constexpr std::size_t BANDWIDTH_COLUMNS = 5;

/** Six decimals: of a microsecond that is a picosecond. */
std::string
Format(double value)
{
    constexpr int DECIMALS = 6;
    constexpr std::size_t LONGEST = 400; // of the largest double
    std::array<char, LONGEST> text{};
    const auto result = std::to_chars(
        text.data(), text.data() + text.size(), value, std::chars_format::fixed, DECIMALS);
    return {text.data(), result.ptr};
}

void
Append(std::vector<std::string>& row, std::initializer_list<double> values)
{
    for (const double value : values)
    {
        row.push_back(Format(value));
    }
}

void
AppendLatency(std::vector<std::string>& row, const PerftestResult& result)
{
    if (!result.latency)
    {
        row.insert(row.end(), LATENCY_COLUMNS, "");
        return;
    }
    const LatencyFigures& figures = *result.latency;
    Append(row,
           {figures.minimumUs,
            figures.maximumUs,
            figures.typicalUs,
            figures.averageUs,
            figures.deviationUs,
            figures.p99Us,
            figures.p999Us});
}

void
AppendBandwidth(std::vector<std::string>& row, const PerftestResult& result)
{
    constexpr double PS_PER_US = 1e6;
    if (!result.bandwidth)
    {
        row.insert(row.end(), BANDWIDTH_COLUMNS, "");
        return;
    }
    const BandwidthFigures& figures = *result.bandwidth;
    row.push_back(figures.peakMib ? Format(*figures.peakMib) : "");
    Append(row,
           {figures.averageMib,
            figures.averageGb,
            figures.rateMpps,
            static_cast<double>(figures.window.ps) / PS_PER_US});
}

} // namespace

ResultTable
MakePerftestTable(const PerftestPlan& plan,
                  const PerftestLabels& labels,
                  const std::vector<PerftestResult>& results)
{
    ResultTable table{.file = "perftest.csv", .columns = COLUMNS, .rows = {}};
    for (const PerftestResult& result : results)
    {
        std::vector<std::string> row{labels.tag,
                                     std::string{ToString(plan.verb)},
                                     std::string{ToString(plan.kind)},
                                     labels.source,
                                     labels.destination,
                                     std::to_string(result.bytes),
                                     std::to_string(result.messages)};
        AppendLatency(row, result);
        AppendBandwidth(row, result);
        table.rows.push_back(row);
    }
    return table;
}

} // namespace ns3::rdma
