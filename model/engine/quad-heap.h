// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * A priority queue with four children per node, the entries side by side in one array.
 *
 * Four children of 24 to 32 bytes share two cache lines, and the tree is half as deep as a binary
 * one. An entry has `bool IsBefore(const Entry&) const`, a strict total order, and
 * `void SetHeapIndex(uint32_t) const`, called whenever it comes to stand somewhere, so that it can
 * be removed from the middle.
 */
template <typename Entry>
class QuadHeap
{
  public:
    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    size_t GetSize() const
    {
        return m_entries.size();
    }

    /** The first entry in order; only when the heap is not empty. */
    const Entry& Top() const
    {
        return m_entries.front();
    }

    /** All entries, in no order that means anything. */
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    void Push(const Entry& entry)
    {
        m_entries.push_back(entry);
        SiftUp(m_entries.size() - 1, entry);
    }

    /** Takes the first entry; only when the heap is not empty. */
    Entry Pop()
    {
        const Entry top = m_entries.front();
        Remove(0);
        return top;
    }

    /** Takes the entry that stands at an index. */
    void Remove(size_t index)
    {
        const Entry last = m_entries.back();
        m_entries.pop_back();
        if (index == m_entries.size())
        {
            return;
        }
        if (index > 0 && last.IsBefore(m_entries[(index - 1) / ARITY]))
        {
            SiftUp(index, last);
            return;
        }
        SiftDown(index, last);
    }

    void Clear()
    {
        m_entries.clear();
    }

  private:
    static constexpr size_t ARITY = 4;

    void Put(size_t index, const Entry& entry)
    {
        m_entries[index] = entry;
        entry.SetHeapIndex(static_cast<uint32_t>(index));
    }

    void SiftUp(size_t index, const Entry entry)
    {
        while (index > 0)
        {
            const size_t parent = (index - 1) / ARITY;
            if (!entry.IsBefore(m_entries[parent]))
            {
                break;
            }
            Put(index, m_entries[parent]);
            index = parent;
        }
        Put(index, entry);
    }

    void SiftDown(size_t index, const Entry entry)
    {
        const size_t size = m_entries.size();
        for (size_t child = index * ARITY + 1; child < size; child = index * ARITY + 1)
        {
            const size_t end = std::min(child + ARITY, size);
            size_t least = child;
            for (size_t i = child + 1; i < end; ++i)
            {
                least = m_entries[i].IsBefore(m_entries[least]) ? i : least;
            }
            if (!m_entries[least].IsBefore(entry))
            {
                break;
            }
            Put(index, m_entries[least]);
            index = least;
        }
        Put(index, entry);
    }

    std::vector<Entry> m_entries;
};

} // namespace ns3::rdma
