// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/**
 * A packet sequence number: 24 bits, ordered within half of its range.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.1 (packet sequence numbers)
 */
class Psn
{
  public:
    static constexpr uint32_t BITS = 24;
    static constexpr uint32_t MASK = (1U << BITS) - 1;
    static constexpr uint32_t HALF_WINDOW = 1U << (BITS - 1); ///< 2^23: the unambiguous distance

    constexpr Psn() = default;

    /** Takes the low 24 bits of a number. */
    constexpr explicit Psn(uint64_t value) : m_value{static_cast<uint32_t>(value) & MASK} {}

    constexpr uint32_t Get() const
    {
        return m_value;
    }

    /** The PSN n packets later. */
    constexpr Psn Plus(uint64_t n) const
    {
        return Psn{m_value + n};
    }

    /** Packets from one PSN to another, negative when the second comes first. */
    static constexpr int32_t Distance(Psn from, Psn to)
    {
        const uint32_t forward = (to.m_value - from.m_value) & MASK;
        return forward < HALF_WINDOW ? static_cast<int32_t>(forward)
                                     : static_cast<int32_t>(forward) - (1 << BITS);
    }

    static constexpr bool IsBefore(Psn a, Psn b)
    {
        return Distance(a, b) > 0;
    }

    constexpr bool operator==(const Psn&) const = default;

  private:
    uint32_t m_value{0};
};

} // namespace ns3::rdma
