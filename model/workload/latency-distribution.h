// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * Percentiles of any number of values in memory that does not grow with it.
 *
 * The first 4096 values are kept as they are. Beyond that they are counted in classes 1/512 wide,
 * each of which remembers the greatest value in it: a percentile is always a value that was added,
 * and no more than 1/512 above the one of that rank.
 */
class LatencyDistribution
{
  public:
    void Add(uint64_t value);

    uint64_t GetCount() const
    {
        return m_count;
    }

    uint64_t GetMaximum() const
    {
        return m_maximum;
    }

    /**
     * The value of the nearest rank; 0 if there is none.
     *
     * @param perMille rank, 0 to 1000: 999 is the 99.9th percentile
     */
    uint64_t GetPercentile(uint32_t perMille) const;

  private:
    static constexpr std::size_t MOST_EXACT = 4096;
    static constexpr unsigned CLASS_BITS = 9;

    struct Class
    {
        uint64_t count{0};
        uint64_t greatest{0};
    };

    static std::size_t ClassOf(uint64_t value);
    void Count(uint64_t value);

    std::vector<uint64_t> m_exact; ///< all values; empty once they are in classes
    std::vector<Class> m_classes;
    uint64_t m_count{0};
    uint64_t m_maximum{0};
};

} // namespace ns3::rdma
