// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/** Width and number of the buckets of a timing wheel. */
struct WheelGeometry
{
    static constexpr uint32_t MIN_SLOT_BITS = 6;  ///< one word of the occupancy bitmap
    static constexpr uint32_t MAX_SLOT_BITS = 17; ///< 1 MiB of list heads: a core's second cache
    static constexpr uint32_t MAX_WIDTH_BITS = 50;

    uint32_t widthBits{13}; ///< a bucket spans 2^widthBits picoseconds
    uint32_t slotBits{8};   ///< the wheel has 2^slotBits buckets

    bool operator==(const WheelGeometry&) const = default;
};

/**
 * Watches a timing wheel at work and says what geometry would serve it better.
 *
 * Three things are measured over an epoch of buckets: different times per bucket (events of one
 * time cannot be parted, so they count once), insertions into the current bucket, and the delays
 * of a sample of insertions. The width follows the first two, the number of buckets the span that
 * holds most delays. Geometry is a matter of speed only.
 */
class WheelTuner
{
  public:
    /** Insertions per sampled one. */
    static constexpr uint64_t SAMPLE_PERIOD = 16;

    /** Notes the delay of a sampled insertion, in picoseconds. */
    void OnSample(uint64_t delay)
    {
        const auto bits = static_cast<uint32_t>(std::bit_width(delay));
        if (bits <= MAX_DELAY_BITS)
        {
            ++m_delays[bits];
            ++m_samples;
        }
    }

    /** Notes an insertion into the current bucket. */
    void OnLateInsertion()
    {
        ++m_late;
    }

    /** Notes that a bucket was entered. */
    void OnBucket()
    {
        --m_bucketsLeft;
    }

    /** Notes how many different times the last bucket had, beyond one. */
    void OnMoreTimes(size_t times)
    {
        m_moreTimes += times;
    }

    /** Whether the epoch is over. */
    bool IsDue() const
    {
        return m_bucketsLeft == 0;
    }

    /** Ends the epoch. @return the geometry for the next one, often the same */
    WheelGeometry Decide(WheelGeometry current, size_t pending);

  private:
    static constexpr uint64_t SHORTEST_EPOCH = 256; ///< buckets
    static constexpr uint32_t MAX_DELAY_BITS = 62;  ///< 53 days; SimTime::Never() is beyond

    uint32_t ChooseWidth(uint32_t widthBits) const;
    uint32_t ChooseSpan() const;

    std::array<uint64_t, MAX_DELAY_BITS + 1> m_delays{}; ///< sampled delays by their number of bits
    uint64_t m_samples{0};
    uint64_t m_late{0};
    uint64_t m_moreTimes{0};
    uint64_t m_epoch{SHORTEST_EPOCH}; ///< length of the current epoch, in buckets
    uint64_t m_bucketsLeft{SHORTEST_EPOCH};
};

} // namespace ns3::rdma
