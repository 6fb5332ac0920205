// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <compare>
#include <cstdint>

namespace ns3::rdma
{

/** A number of bytes. */
struct ByteCount
{
    uint64_t value{0};

    constexpr auto operator<=>(const ByteCount&) const = default;

    constexpr ByteCount& operator+=(ByteCount other)
    {
        value += other.value;
        return *this;
    }

    constexpr ByteCount& operator-=(ByteCount other)
    {
        value -= other.value;
        return *this;
    }
};

constexpr ByteCount
operator+(ByteCount a, ByteCount b)
{
    return {a.value + b.value};
}

constexpr ByteCount
operator-(ByteCount a, ByteCount b)
{
    return {a.value - b.value};
}

/** A data rate in bits per second; 0 where a rate is optional and not given. */
struct BitRate
{
    uint64_t bps{0};

    static constexpr BitRate Mbps(uint64_t n)
    {
        return {n * 1'000'000};
    }

    static constexpr BitRate Gbps(uint64_t n)
    {
        return {n * 1'000'000'000};
    }

    constexpr auto operator<=>(const BitRate&) const = default;
};

/**
 * The time that bytes occupy at a rate, exact for every rate.
 *
 * Picoseconds per byte are kept as the fraction 8e12 / rate in lowest terms; for every Ethernet
 * rate the denominator is 1. For other rates the caller carries the remainder from one
 * transmission of a busy period to the next, so that a busy link never drifts.
 */
class ByteTime
{
  public:
    constexpr explicit ByteTime(BitRate rate)
        : m_numerator{BITS_PER_BYTE_PS},
          m_denominator{rate.bps}
    {
        const uint64_t divisor = Gcd(m_numerator, m_denominator);
        m_numerator /= divisor;
        m_denominator /= divisor;
    }

    /** Picoseconds of a number of bytes, rounded down; the remainder is added to and kept. */
    constexpr SimTime Of(uint64_t bytes, uint64_t& remainder) const
    {
        if (m_denominator == 1) [[likely]]
        {
            return {bytes * m_numerator + remainder};
        }
        // A long pause at a rate such as 10 000 001 b/s has a numerator beyond 64 bits.
        const auto total = static_cast<unsigned __int128>(bytes) * m_numerator + remainder;
        remainder = static_cast<uint64_t>(total % m_denominator);
        return {static_cast<uint64_t>(total / m_denominator)};
    }

    /** Picoseconds of a number of bytes, rounded down. */
    constexpr SimTime Of(uint64_t bytes) const
    {
        uint64_t remainder = 0;
        return Of(bytes, remainder);
    }

    /** The time of the bytes without the remainder that Of would carry; used to look ahead. */
    constexpr SimTime Peek(uint64_t bytes, uint64_t remainder) const
    {
        return Of(bytes, remainder);
    }

  private:
    static constexpr uint64_t BITS_PER_BYTE_PS = 8'000'000'000'000; ///< 8 bits x 1e12 ps/s

    static constexpr uint64_t Gcd(uint64_t a, uint64_t b)
    {
        while (b != 0)
        {
            const uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    uint64_t m_numerator;
    uint64_t m_denominator;
};

} // namespace ns3::rdma
