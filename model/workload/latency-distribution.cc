// SPDX-License-Identifier: GPL-2.0-only
#include "workload/latency-distribution.h"

#include <algorithm>
#include <bit>

namespace ns3::rdma
{

std::size_t
LatencyDistribution::ClassOf(uint64_t value)
{
    // Below 2^9 each value is a class; above, 2^9 classes for each power of two.
    const auto bits = static_cast<unsigned>(std::bit_width(value));
    if (bits <= CLASS_BITS)
    {
        return value;
    }
    const unsigned shift = bits - CLASS_BITS - 1;
    return (std::size_t{shift + 1} << CLASS_BITS) + (value >> shift) - (1U << CLASS_BITS);
}

void
LatencyDistribution::Count(uint64_t value)
{
    const std::size_t index = ClassOf(value);
    if (index >= m_classes.size())
    {
        m_classes.resize(index + 1);
    }
    Class& counted = m_classes[index];
    ++counted.count;
    counted.greatest = std::max(counted.greatest, value);
}

void
LatencyDistribution::Add(uint64_t value)
{
    m_maximum = std::max(m_maximum, value);
    if (++m_count <= MOST_EXACT)
    {
        m_exact.push_back(value);
        return;
    }
    for (const uint64_t exact : m_exact)
    {
        Count(exact);
    }
    m_exact.clear();
    Count(value);
}

uint64_t
LatencyDistribution::GetPercentile(uint32_t perMille) const
{
    constexpr uint64_t WHOLE = 1000;
    if (m_count == 0)
    {
        return 0;
    }
    const auto product = static_cast<unsigned __int128>(m_count) * perMille;
    const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>((product + WHOLE - 1) / WHOLE));
    if (!m_exact.empty())
    {
        std::vector<uint64_t> sorted = m_exact;
        std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(rank - 1));
        return sorted[rank - 1];
    }
    uint64_t seen = 0;
    for (const Class& counted : m_classes)
    {
        seen += counted.count;
        if (seen >= rank)
        {
            return counted.greatest;
        }
    }
    return m_maximum;
}

} // namespace ns3::rdma
