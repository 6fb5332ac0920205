// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * Owners and the times at which they want attention, earliest first; equal times in the order in
 * which they were added.
 *
 * An owner whose deadline has changed leaves a stale entry, which it recognises when it comes up.
 */
template <typename Owner>
class DeadlineHeap
{
  public:
    struct Entry
    {
        SimTime time{};
        uint64_t sequence{0};
        Owner* owner{nullptr};
    };

    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    SimTime NextTime() const
    {
        return m_entries.empty() ? SimTime::Never() : m_entries.front().time;
    }

    void Push(SimTime time, Owner& owner)
    {
        m_entries.push_back({time, m_sequence++, &owner});
        std::push_heap(m_entries.begin(), m_entries.end(), IsLater);
    }

    Entry Pop()
    {
        std::pop_heap(m_entries.begin(), m_entries.end(), IsLater);
        const Entry entry = m_entries.back();
        m_entries.pop_back();
        return entry;
    }

    /** Takes out all entries of an owner that goes away. */
    void Remove(const Owner* owner)
    {
        std::erase_if(m_entries, [owner](const Entry& entry) { return entry.owner == owner; });
        std::make_heap(m_entries.begin(), m_entries.end(), IsLater);
    }

    /** The earliest entry; there must be one. */
    const Entry& Top() const
    {
        return m_entries.front();
    }

  private:
    static bool IsLater(const Entry& a, const Entry& b)
    {
        return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }

    std::vector<Entry> m_entries;
    uint64_t m_sequence{0};
};

} // namespace ns3::rdma
