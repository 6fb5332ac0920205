// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * Times of events that are numbered from 0: all of them, or every second, fourth, eighth ... so
 * that no more than a fixed number is kept.
 *
 * What two of them keep has numbers in common, however many events each has seen.
 */
class SampledTimes
{
  public:
    void Add(int64_t timeNs)
    {
        if ((m_count++ & ((uint64_t{1} << m_shift) - 1)) != 0)
        {
            return;
        }
        if (m_times.size() == MOST)
        {
            for (std::size_t i = 0; i < MOST / 2; ++i)
            {
                m_times[i] = m_times[2 * i];
            }
            m_times.resize(MOST / 2);
            ++m_shift;
        }
        // The number of the event is a multiple of twice the old step: MOST is even.
        m_times.push_back(timeNs);
    }

    /** Calls with the times of events that both have. */
    template <typename Visit>
    static void ForCommon(const SampledTimes& a, const SampledTimes& b, Visit visit)
    {
        const unsigned shift = std::max(a.m_shift, b.m_shift);
        const std::size_t stepA = std::size_t{1} << (shift - a.m_shift);
        const std::size_t stepB = std::size_t{1} << (shift - b.m_shift);
        for (std::size_t i = 0; i * stepA < a.m_times.size() && i * stepB < b.m_times.size(); ++i)
        {
            visit(a.m_times[i * stepA], b.m_times[i * stepB]);
        }
    }

  private:
    static constexpr std::size_t MOST = 1024;

    std::vector<int64_t> m_times;
    uint64_t m_count{0};
    unsigned m_shift{0};
};

} // namespace ns3::rdma
