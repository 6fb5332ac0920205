// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_US = 1e6;
constexpr double BYTES_PER_MIB = 1048576;
constexpr double BITS_PER_BYTE = 8;

double
ToMibPerSecond(uint64_t messages, uint64_t messageBytes, SimTime time)
{
    return static_cast<double>(messages) * static_cast<double>(messageBytes) / BYTES_PER_MIB /
           time.ToSeconds();
}

/** The best of all runs of consecutive messages, in messages per picosecond. */
double
FindPeak(const BandwidthSamples& samples)
{
    double best = 0;
    for (std::size_t first = 0; first < samples.posted.size(); ++first)
    {
        for (std::size_t last = first; last < samples.completed.size(); ++last)
        {
            const uint64_t messages = last - first + 1;
            const SimTime time = samples.completed[last] - samples.posted[first];
            best = std::max(best, static_cast<double>(messages) / static_cast<double>(time.ps));
        }
    }
    return best;
}

} // namespace

LatencyFigures
SummarizeLatency(const std::vector<SimTime>& posts, uint32_t parts)
{
    std::vector<uint64_t> cycles;
    cycles.reserve(posts.size() - 1);
    for (std::size_t i = 1; i < posts.size(); ++i)
    {
        cycles.push_back((posts[i] - posts[i - 1]).ps);
    }
    std::sort(cycles.begin(), cycles.end());
    const auto toUs = [parts](double ps) { return ps / parts / PS_PER_US; };
    const auto at = [&cycles, &toUs](double share)
    {
        const auto rank =
            static_cast<std::size_t>(std::ceil(share * static_cast<double>(cycles.size())));
        return toUs(static_cast<double>(cycles[std::max<std::size_t>(rank, 1) - 1]));
    };
    double sum = 0;
    for (const uint64_t cycle : cycles)
    {
        sum += static_cast<double>(cycle);
    }
    const double mean = sum / static_cast<double>(cycles.size());
    double squares = 0;
    for (const uint64_t cycle : cycles)
    {
        squares += (static_cast<double>(cycle) - mean) * (static_cast<double>(cycle) - mean);
    }
    return {.samples = cycles.size(),
            .minimumUs = at(0),
            .maximumUs = at(1),
            .typicalUs = at(0.5),
            .averageUs = toUs(mean),
            .deviationUs = toUs(std::sqrt(squares / static_cast<double>(cycles.size()))),
            .p99Us = at(0.99),
            .p999Us = at(0.999)};
}

std::optional<BandwidthFigures>
SummarizeBandwidth(const BandwidthSamples& samples)
{
    if (samples.completed.empty() || samples.completed.back() <= samples.posted.front())
    {
        return std::nullopt;
    }
    const uint64_t messages = samples.completed.size();
    BandwidthFigures figures;
    figures.window = samples.completed.back() - samples.posted.front();
    figures.averageMib = ToMibPerSecond(messages, samples.messageBytes, figures.window);
    const double perSecond = static_cast<double>(messages) / figures.window.ToSeconds();
    figures.averageGb = perSecond * static_cast<double>(samples.messageBytes) * BITS_PER_BYTE / 1e9;
    figures.rateMpps = perSecond / 1e6;
    if (messages <= PEAK_MESSAGES)
    {
        figures.peakMib =
            FindPeak(samples) * 1e12 * static_cast<double>(samples.messageBytes) / BYTES_PER_MIB;
    }
    return figures;
}

} // namespace ns3::rdma
