// SPDX-License-Identifier: GPL-2.0-only
#include "workload/latency-distribution.h"
#include "workload/replay-statistics.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

TEST(LatencyDistribution, FewValuesAreExact)
{
    LatencyDistribution times;
    EXPECT_EQ(times.GetPercentile(500), 0U);
    for (uint64_t value = 1000; value > 0; --value)
    {
        times.Add(value * 7);
    }
    // Nearest rank: the 500th, 950th, 990th, 999th of 1000.
    EXPECT_EQ(times.GetPercentile(500), 500U * 7);
    EXPECT_EQ(times.GetPercentile(950), 950U * 7);
    EXPECT_EQ(times.GetPercentile(999), 999U * 7);
    EXPECT_EQ(times.GetPercentile(1000), 1000U * 7);
    EXPECT_EQ(times.GetMaximum(), 7000U);
}

TEST(LatencyDistribution, ManyValuesAreWithinTheirClass)
{
    LatencyDistribution times;
    std::vector<uint64_t> values;
    uint64_t state = 1;
    for (int i = 0; i < 100'000; ++i)
    {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        values.push_back((state >> 33) * (state >> 60));
        times.Add(values.back());
    }
    std::ranges::sort(values);
    for (const uint32_t rank : {1U, 100U, 500U, 950U, 990U, 999U})
    {
        const uint64_t exact = values[values.size() * rank / 1000 - 1];
        EXPECT_GE(times.GetPercentile(rank), exact);
        EXPECT_LE(times.GetPercentile(rank), exact + exact / 512) << rank;
        EXPECT_TRUE(std::ranges::binary_search(values, times.GetPercentile(rank)));
    }
    EXPECT_EQ(times.GetMaximum(), values.back());
    EXPECT_EQ(times.GetCount(), values.size());
}

TEST(ReplayStatistics, SizesAreCountedByPowersOfTwo)
{
    ReplayStatistics statistics;
    for (const uint64_t bytes : {0ULL, 1ULL, 2ULL, 3ULL, 4ULL, 5ULL, 1ULL << 40, UINT64_MAX + 0ULL})
    {
        statistics.AddMessage(2, bytes, SimTime{bytes});
    }
    statistics.AddMessage(0, 4, {});
    const auto messages = statistics.GetMessages();
    ASSERT_EQ(messages.size(), 8U);
    EXPECT_EQ(messages[0]->opcode, 0);
    EXPECT_EQ(messages[1]->mostBytes, 0U);
    EXPECT_EQ(messages[2]->mostBytes, 1U);
    EXPECT_EQ(messages[4]->leastBytes, 3U);
    EXPECT_EQ(messages[4]->mostBytes, 4U);
    EXPECT_EQ(messages[4]->bytes, 7U);
    EXPECT_EQ(messages[6]->leastBytes, (1ULL << 39) + 1);
}

} // namespace

} // namespace ns3::rdma
