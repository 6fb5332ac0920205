// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace ns3::rdma
{

/**
 * Rows that wait until no earlier one can come any more, and then go out in the order of time.
 *
 * Ports are lazy: they tell of starts when somebody looks. Rows of one place come in their order,
 * those of different places do not; equal times go by place, then as they came.
 *
 * @tparam Row has the fields `time` (SimTime) and `place` (a number)
 */
template <typename Row>
class LateRows
{
  public:
    void Add(const Row& row)
    {
        m_rows.push_back(row);
    }

    std::size_t GetCount() const
    {
        return m_rows.size();
    }

    /** Calls write for each row before a time, in order, and forgets them. */
    template <typename Write>
    void TakeBefore(SimTime time, Write write)
    {
        std::ranges::stable_sort(m_rows,
                                 [](const Row& a, const Row& b)
                                 { return std::tie(a.time, a.place) < std::tie(b.time, b.place); });
        const auto end =
            std::ranges::find_if(m_rows, [time](const Row& row) { return !(row.time < time); });
        std::for_each(m_rows.begin(), end, write);
        m_rows.erase(m_rows.begin(), end);
    }

  private:
    std::vector<Row> m_rows;
};

} // namespace ns3::rdma
