// SPDX-License-Identifier: GPL-2.0-only
#include "trace/size-classes.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

/** The value that so many thousandths of the sorted values do not exceed. */
double
NearestRank(const std::vector<double>& sorted, std::size_t perMille)
{
    const std::size_t rank = (sorted.size() * perMille + 999) / 1000;
    return sorted[std::max<std::size_t>(rank, 1) - 1];
}

} // namespace

Percentiles
ComputePercentiles(std::vector<double> values)
{
    if (values.empty())
    {
        return {};
    }
    std::sort(values.begin(), values.end());
    return {.count = values.size(),
            .p50 = NearestRank(values, 500),
            .p95 = NearestRank(values, 950),
            .p99 = NearestRank(values, 990),
            .p999 = NearestRank(values, 999),
            .max = values.back()};
}

const std::array<SizeClass, 6>&
GetSizeClasses()
{
    static const std::array<SizeClass, 6> CLASSES{{
        {"to 1KB", 0, 1'000},
        {"1KB..10KB", 1'001, 10'000},
        {"10KB..100KB", 10'001, 100'000},
        {"100KB..1MB", 100'001, 1'000'000},
        {"1MB..10MB", 1'000'001, 10'000'000},
        {"above 10MB", 10'000'001, std::numeric_limits<uint64_t>::max()},
    }};
    return CLASSES;
}

} // namespace ns3::rdma
