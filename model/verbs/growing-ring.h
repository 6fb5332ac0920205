// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ns3::rdma
{

/**
 * A first-in first-out queue whose slots are used again, with what they own.
 *
 * It holds no memory until something is put in and doubles as needed; nothing is allocated once it
 * has reached its greatest length. An idle queue of a large capacity costs nothing so.
 */
template <typename T>
class GrowingRing
{
  public:
    bool IsEmpty() const
    {
        return m_count == 0;
    }

    std::size_t GetCount() const
    {
        return m_count;
    }

    /** Adds a slot behind the last; it still holds an old value. */
    T& PushBack()
    {
        if (m_count == m_slots.size())
        {
            std::ranges::rotate(m_slots, m_slots.begin() + static_cast<std::ptrdiff_t>(m_first));
            m_first = 0;
            m_slots.resize(std::max<std::size_t>(1, 2 * m_slots.size()));
        }
        // The number of slots is a power of two.
        return m_slots[(m_first + m_count++) & (m_slots.size() - 1)];
    }

    /** The oldest; there must be one. */
    T& Front()
    {
        return m_slots[m_first];
    }

    const T& Front() const
    {
        return m_slots[m_first];
    }

    /** Takes the newest back; there must be one. */
    void PopBack()
    {
        --m_count;
    }

    /** Gives the slot of the oldest back; there must be one. */
    void PopFront()
    {
        m_first = (m_first + 1) & (m_slots.size() - 1);
        --m_count;
    }

  private:
    std::vector<T> m_slots;
    std::size_t m_first{0}; ///< index of the oldest
    std::size_t m_count{0};
};

} // namespace ns3::rdma
