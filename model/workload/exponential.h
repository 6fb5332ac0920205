// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include <bit>
#include <cstdint>

namespace ns3::rdma
{

/** Binary places of NegativeLog. */
constexpr int NEGATIVE_LOG_BITS = 40;

/**
 * -ln((bits + 1) / 2^64), times 2^40, rounded down.
 *
 * In integers only, so that it is the same on every machine: the binary digits of the logarithm
 * come one by one from squaring, which doubles it. Exact to 2 units of the last place.
 *
 * @spec Knuth, The Art of Computer Programming vol. 1, section 1.2.2, exercise 25 (the method of
 * repeated squaring)
 * @choice the library's logarithm differs between versions in its last bit, and here that bit
 * would decide the order of events
 */
constexpr uint64_t
NegativeLog(uint64_t bits)
{
    constexpr uint64_t LN2 = 0xb17217f7d1cf79abULL; // ln 2 x 2^64
    constexpr int WIDTH = 64;
    if (bits == UINT64_MAX)
    {
        return 0;
    }
    const uint64_t x = bits + 1;
    const int shift = std::countl_zero(x);
    uint64_t mantissa = x << shift; // 1 .. 2, times 2^63
    uint64_t log2 = static_cast<uint64_t>(WIDTH - 1 - shift);
    for (int i = 0; i < NEGATIVE_LOG_BITS; ++i)
    {
        const unsigned __int128 square =
            (static_cast<unsigned __int128>(mantissa) * mantissa) >> (WIDTH - 1);
        const bool isAboveTwo = (square >> WIDTH) != 0;
        log2 = 2 * log2 + (isAboveTwo ? 1 : 0);
        mantissa = static_cast<uint64_t>(isAboveTwo ? square >> 1 : square);
    }
    const uint64_t negative = (static_cast<uint64_t>(WIDTH) << NEGATIVE_LOG_BITS) - log2;
    return static_cast<uint64_t>((static_cast<unsigned __int128>(negative) * LN2) >> WIDTH);
}

/** A span with an exponential distribution, from 64 uniform bits; at most 44.4 times the mean. */
constexpr SimTime
ExponentialTime(SimTime mean, uint64_t bits)
{
    const unsigned __int128 product = static_cast<unsigned __int128>(mean.ps) * NegativeLog(bits);
    return {static_cast<uint64_t>(product >> NEGATIVE_LOG_BITS)};
}

} // namespace ns3::rdma
