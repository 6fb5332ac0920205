// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace ns3::rdma
{

/**
 * A point in simulated time, or a span of it, in whole picoseconds.
 *
 * A byte at 800 Gb/s lasts 10 ps, so every standard Ethernet rate has a whole number of
 * picoseconds per byte. 64 bits hold 213 days.
 *
 * @choice unsigned: no quantity of the model is negative, and an unsigned key sorts without a
 * sign fix-up in the event queue.
 */
struct SimTime
{
    uint64_t ps{0}; ///< picoseconds

    /** The time that never comes; also "no deadline". */
    static constexpr SimTime Never()
    {
        return {std::numeric_limits<uint64_t>::max()};
    }

    static constexpr SimTime Nanoseconds(uint64_t ns)
    {
        return {ns * 1000};
    }

    static constexpr SimTime Microseconds(uint64_t us)
    {
        return {us * 1'000'000};
    }

    static constexpr SimTime Milliseconds(uint64_t ms)
    {
        return {ms * 1'000'000'000};
    }

    static constexpr SimTime Seconds(uint64_t s)
    {
        return {s * 1'000'000'000'000};
    }

    constexpr bool IsNever() const
    {
        return *this == Never();
    }

    /** Seconds as a floating-point number: for output only, never for ordering. */
    constexpr double ToSeconds() const
    {
        return static_cast<double>(ps) * 1e-12;
    }

    constexpr auto operator<=>(const SimTime&) const = default;

    constexpr SimTime& operator+=(SimTime other)
    {
        ps += other.ps;
        return *this;
    }
};

constexpr SimTime
operator+(SimTime a, SimTime b)
{
    return {a.ps + b.ps};
}

/** The span from b to a; a must not be before b. */
constexpr SimTime
operator-(SimTime a, SimTime b)
{
    return {a.ps - b.ps};
}

constexpr SimTime
operator*(SimTime a, uint64_t n)
{
    return {a.ps * n};
}

constexpr SimTime
operator*(uint64_t n, SimTime a)
{
    return a * n;
}

} // namespace ns3::rdma
