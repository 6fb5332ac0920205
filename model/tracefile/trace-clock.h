// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>

namespace ns3::rdma
{

/** The clock that times of a thread file are read from. */
struct TraceClock
{
    static constexpr uint64_t NANOSECONDS = 1'000'000'000; ///< ticks per second of a plain clock

    uint64_t ticksPerSecond{NANOSECONDS}; ///< 1 .. MAX_TICKS
    int64_t originTicks{0};               ///< what it showed at TraceProcess::originNs

    /** Beyond it a remainder times a billion does not fit into 64 bits. */
    static constexpr uint64_t MAX_TICKS = 18'000'000'000;

    /** Nanoseconds since the origin; fractions go down. */
    int64_t ToNs(int64_t ticks) const
    {
        return SpanToNs(static_cast<int64_t>(static_cast<uint64_t>(ticks) -
                                             static_cast<uint64_t>(originTicks)));
    }

    /** A number of ticks in nanoseconds; fractions go down. */
    int64_t SpanToNs(int64_t ticks) const
    {
        if (ticksPerSecond == NANOSECONDS)
        {
            return ticks;
        }
        // In two parts, because ticks times a billion does not fit. In unsigned numbers, because
        // damaged ticks may be any number.
        const auto rate = static_cast<int64_t>(ticksPerSecond);
        const int64_t down = ticks % rate < 0 ? 1 : 0;
        const auto seconds = static_cast<uint64_t>(ticks / rate - down);
        const auto rest = static_cast<uint64_t>(ticks % rate + down * rate);
        return static_cast<int64_t>(seconds * NANOSECONDS + rest * NANOSECONDS / ticksPerSecond);
    }

    bool operator==(const TraceClock&) const = default;
};

} // namespace ns3::rdma
