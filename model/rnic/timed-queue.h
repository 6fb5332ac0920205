// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** Values and the times at which they are due, earliest first; equal times as they were added. */
template <typename Value>
class TimedQueue
{
  public:
    SimTime NextTime() const
    {
        return m_entries.empty() ? SimTime::Never() : m_entries.front().time;
    }

    void Push(SimTime time, Value value)
    {
        m_entries.push_back({time, m_sequence++, std::move(value)});
        std::push_heap(m_entries.begin(), m_entries.end(), IsLater);
    }

    /** Takes the first value; there must be one. */
    Value Pop()
    {
        std::pop_heap(m_entries.begin(), m_entries.end(), IsLater);
        Value value = std::move(m_entries.back().value);
        m_entries.pop_back();
        return value;
    }

    /** Takes out all values for which a predicate holds. */
    template <typename Predicate>
    void RemoveIf(Predicate isUnwanted)
    {
        std::erase_if(m_entries,
                      [&isUnwanted](const Entry& entry) { return isUnwanted(entry.value); });
        std::make_heap(m_entries.begin(), m_entries.end(), IsLater);
    }

    /** Shows all values, in no order. */
    template <typename Visitor>
    void ForEach(Visitor visit) const
    {
        for (const Entry& entry : m_entries)
        {
            visit(entry.value);
        }
    }

  private:
    struct Entry
    {
        SimTime time{};
        uint64_t sequence{0};
        Value value{};
    };

    static bool IsLater(const Entry& a, const Entry& b)
    {
        return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }

    std::vector<Entry> m_entries;
    uint64_t m_sequence{0};
};

} // namespace ns3::rdma
