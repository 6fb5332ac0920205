// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * The figures of one latency test.
 *
 * @spec perftest, print_report_lat: t_typical is the median; percentiles here are nearest-rank
 */
struct LatencyFigures
{
    uint64_t samples{0};
    double minimumUs{0};
    double maximumUs{0};
    double typicalUs{0};
    double averageUs{0};
    double deviationUs{0}; ///< of the samples from their average (population)
    double p99Us{0};
    double p999Us{0};

    bool operator==(const LatencyFigures&) const = default;
};

/**
 * Sums up the times between posts.
 *
 * @param posts when each iteration began, ascending, two at least
 * @param parts of a cycle that a latency is: 2 where a cycle is a message there and one back
 */
LatencyFigures SummarizeLatency(const std::vector<SimTime>& posts, uint32_t parts);

/** When each message of a bandwidth test was posted and when it completed. */
struct BandwidthSamples
{
    uint64_t messageBytes{0};
    std::vector<SimTime> posted;    ///< in the order of posting
    std::vector<SimTime> completed; ///< in the order of completion; as many
};

/**
 * The figures of one bandwidth test.
 *
 * MiB/s counts 2^20 bytes, Gb/s 10^9 bits; all that has completed divided by the time that it took.
 */
struct BandwidthFigures
{
    SimTime window{};              ///< from the first post to the last completion
    double averageMib{0};          ///< MiB/s
    double averageGb{0};           ///< Gb/s
    double rateMpps{0};            ///< 10^6 messages a second
    std::optional<double> peakMib; ///< MiB/s; not computed beyond PEAK_MESSAGES

    bool operator==(const BandwidthFigures&) const = default;
};

/** Above so many messages perftest computes no peak. @spec perftest, --noPeak */
constexpr std::size_t PEAK_MESSAGES = 20000;

/**
 * Sums up a bandwidth test; nullopt if nothing was measured: no message, or no time has passed.
 *
 * The peak is the most that any run of consecutive messages achieved, from the post of its first to
 * the completion of its last.
 */
std::optional<BandwidthFigures> SummarizeBandwidth(const BandwidthSamples& samples);

} // namespace ns3::rdma
