// SPDX-License-Identifier: GPL-2.0-only
#include "workload/perftest-statistics.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** Times whose distances are the given ones, in microseconds. */
std::vector<SimTime>
Posts(const std::vector<uint64_t>& cyclesUs)
{
    std::vector<SimTime> posts{SimTime::Microseconds(100)};
    for (const uint64_t cycle : cyclesUs)
    {
        posts.push_back(posts.back() + SimTime::Microseconds(cycle));
    }
    return posts;
}

/** So many messages, all posted at 0 and completed at the given time. */
BandwidthSamples
Burst(uint64_t bytes, std::size_t messages, SimTime end)
{
    return {.messageBytes = bytes,
            .posted = std::vector<SimTime>(messages),
            .completed = std::vector<SimTime>(messages, end)};
}

TEST(SummarizeLatency, IsHalfACycleOfAPingPong)
{
    const LatencyFigures figures = SummarizeLatency(Posts({4, 4, 4}), 2);
    EXPECT_EQ(figures.samples, 3U);
    EXPECT_DOUBLE_EQ(figures.minimumUs, 2);
    EXPECT_DOUBLE_EQ(figures.typicalUs, 2);
    EXPECT_DOUBLE_EQ(figures.averageUs, 2);
    EXPECT_DOUBLE_EQ(figures.deviationUs, 0);
}

TEST(SummarizeLatency, SumsUpUnequalCycles)
{
    // Sorted 1 2 4 5 8: median 4, mean 4, deviation sqrt((9 + 4 + 0 + 1 + 16) / 5) = sqrt(6).
    const LatencyFigures figures = SummarizeLatency(Posts({5, 1, 8, 2, 4}), 1);
    EXPECT_DOUBLE_EQ(figures.minimumUs, 1);
    EXPECT_DOUBLE_EQ(figures.maximumUs, 8);
    EXPECT_DOUBLE_EQ(figures.typicalUs, 4);
    EXPECT_DOUBLE_EQ(figures.averageUs, 4);
    EXPECT_DOUBLE_EQ(figures.deviationUs, 2.449489742783178);
}

TEST(SummarizeLatency, PercentilesAreSamples)
{
    std::vector<uint64_t> cycles;
    for (uint64_t cycle = 1; cycle <= 1000; ++cycle)
    {
        cycles.push_back(cycle);
    }
    const LatencyFigures figures = SummarizeLatency(Posts(cycles), 1);
    EXPECT_DOUBLE_EQ(figures.p99Us, 990); // nearest rank: ceil(0.99 x 1000)
    EXPECT_DOUBLE_EQ(figures.p999Us, 999);
}

TEST(SummarizeBandwidth, CountsBinaryBytesAndDecimalBits)
{
    // 65536 B x 1000 in 1 ms = 65.536 GB/s = 62500 x 2^20 B/s = 524.288 x 10^9 bit/s.
    const auto figures = SummarizeBandwidth(Burst(65536, 1000, SimTime::Milliseconds(1)));
    ASSERT_TRUE(figures);
    EXPECT_DOUBLE_EQ(figures->averageMib, 62500);
    EXPECT_DOUBLE_EQ(figures->averageGb, 524.288);
    EXPECT_DOUBLE_EQ(figures->rateMpps, 1);
    EXPECT_EQ(figures->window, SimTime::Milliseconds(1));
    ASSERT_TRUE(figures->peakMib);
    EXPECT_NEAR(*figures->peakMib, 62500, 1e-6);
}

TEST(SummarizeBandwidth, RateIsWhatCompletedInTheWindow)
{
    BandwidthSamples samples = Burst(8, 4, SimTime::Microseconds(5));
    samples.posted.assign(4, SimTime::Microseconds(3));
    const auto figures = SummarizeBandwidth(samples);
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->window, SimTime::Microseconds(2));
    EXPECT_DOUBLE_EQ(figures->rateMpps, 2); // 4 in 2 us
}

TEST(SummarizeBandwidth, PeakIsTheBestRunOfMessages)
{
    // The third message takes 1 us, all others more: 2^20 B in 1 us are 10^6 MiB/s.
    const BandwidthSamples samples{
        .messageBytes = 1048576,
        .posted = {SimTime::Microseconds(0), SimTime::Microseconds(10), SimTime::Microseconds(20)},
        .completed = {
            SimTime::Microseconds(9), SimTime::Microseconds(19), SimTime::Microseconds(21)}};
    const auto figures = SummarizeBandwidth(samples);
    ASSERT_TRUE(figures);
    EXPECT_NEAR(*figures->peakMib, 1e6, 1e-3);
    EXPECT_NEAR(figures->averageMib, 3e6 / 21, 1e-3);
}

TEST(SummarizeBandwidth, NothingMeasuredIsNoZero)
{
    EXPECT_FALSE(SummarizeBandwidth(BandwidthSamples{}));
    EXPECT_FALSE(SummarizeBandwidth(Burst(8, 2, SimTime{})));
    const auto many = SummarizeBandwidth(Burst(8, PEAK_MESSAGES + 1, SimTime::Seconds(1)));
    ASSERT_TRUE(many);
    EXPECT_FALSE(many->peakMib);
}

} // namespace

} // namespace ns3::rdma
