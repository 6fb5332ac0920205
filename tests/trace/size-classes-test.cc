// SPDX-License-Identifier: GPL-2.0-only
#include "trace/size-classes.h"

#include <gtest/gtest.h>
#include <limits>

namespace ns3::rdma
{

// Nearest rank: the value at rank ceil(p / 100 x n). For 1 .. 200 that is 100, 190, 198.
TEST(SizeClasses, PercentilesAreMeasuredValues)
{
    std::vector<double> values;
    for (int value = 200; value >= 1; --value)
    {
        values.push_back(value);
    }
    EXPECT_EQ(ComputePercentiles(values), (Percentiles{200, 100, 190, 198, 200, 200}));
}

// Of three values rank ceil(1.5) = 2 is the median, and ceil(2.85) = 3 the 95th percentile.
TEST(SizeClasses, PercentilesOfFewValues)
{
    EXPECT_EQ(ComputePercentiles({3, 1, 2}), (Percentiles{3, 2, 3, 3, 3, 3}));
    EXPECT_EQ(ComputePercentiles({7}), (Percentiles{1, 7, 7, 7, 7, 7}));
    EXPECT_EQ(ComputePercentiles({}), Percentiles{});
}

TEST(SizeClasses, EverySizeIsInExactlyOneClass)
{
    for (const uint64_t bytes : {uint64_t{0},
                                 uint64_t{1},
                                 uint64_t{1'000},
                                 uint64_t{1'001},
                                 uint64_t{100'000},
                                 uint64_t{100'001},
                                 uint64_t{10'000'000},
                                 uint64_t{10'000'001},
                                 std::numeric_limits<uint64_t>::max()})
    {
        int classes = 0;
        for (const SizeClass& sizes : GetSizeClasses())
        {
            classes += sizes.Holds(bytes) ? 1 : 0;
        }
        EXPECT_EQ(classes, 1) << bytes;
    }
}

} // namespace ns3::rdma
