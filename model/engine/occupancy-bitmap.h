// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * Which slots of a ring are occupied, with a summary of one bit per 64 slots.
 *
 * Finding the next occupied slot reads two words when it is near, and one word per 4096 slots
 * beyond.
 */
class OccupancyBitmap
{
  public:
    static constexpr uint32_t NONE = 0xffffffff;

    /** Makes all slots empty. @param slots a power of two, at least 64 */
    void Reset(uint32_t slots)
    {
        m_words.assign(slots / WORD_BITS, 0);
        m_summary.assign(std::max<uint32_t>(1, slots / (WORD_BITS * WORD_BITS)), 0);
    }

    void Set(uint32_t slot)
    {
        const uint32_t word = slot / WORD_BITS;
        const uint64_t before = m_words[word];
        m_words[word] = before | uint64_t{1} << (slot % WORD_BITS);
        if (before == 0)
        {
            m_summary[word / WORD_BITS] |= uint64_t{1} << (word % WORD_BITS);
        }
    }

    void Clear(uint32_t slot)
    {
        const uint32_t word = slot / WORD_BITS;
        m_words[word] &= ~(uint64_t{1} << (slot % WORD_BITS));
        if (m_words[word] == 0)
        {
            m_summary[word / WORD_BITS] &= ~(uint64_t{1} << (word % WORD_BITS));
        }
    }

    bool IsEmpty() const
    {
        return std::all_of(m_summary.begin(), m_summary.end(), [](uint64_t w) { return w == 0; });
    }

    /** The first occupied slot from a slot on, around the ring; NONE when all are empty. */
    uint32_t FindFrom(uint32_t slot) const
    {
        const uint32_t word = slot / WORD_BITS;
        const uint64_t rest = m_words[word] >> (slot % WORD_BITS);
        if (rest != 0) [[likely]]
        {
            return slot + Lowest(rest);
        }
        const uint32_t next = FindWord((word + 1) & Mask(m_words));
        return next == NONE ? NONE : next * WORD_BITS + Lowest(m_words[next]);
    }

  private:
    static constexpr uint32_t WORD_BITS = 64;

    static uint32_t Lowest(uint64_t word)
    {
        return static_cast<uint32_t>(std::countr_zero(word));
    }

    static uint32_t Mask(const std::vector<uint64_t>& words)
    {
        return static_cast<uint32_t>(words.size()) - 1;
    }

    uint32_t FindWord(uint32_t word) const
    {
        uint32_t group = word / WORD_BITS;
        const uint64_t rest = m_summary[group] >> (word % WORD_BITS);
        if (rest != 0)
        {
            return word + Lowest(rest);
        }
        for (size_t i = 0; i < m_summary.size(); ++i)
        {
            group = (group + 1) & Mask(m_summary);
            if (m_summary[group] != 0)
            {
                return group * WORD_BITS + Lowest(m_summary[group]);
            }
        }
        return NONE;
    }

    std::vector<uint64_t> m_words;   ///< one bit per slot
    std::vector<uint64_t> m_summary; ///< one bit per word that is not zero
};

} // namespace ns3::rdma
