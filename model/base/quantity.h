// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/units.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/**
 * A non-negative rational number in lowest terms: a gain, a probability, a share.
 *
 * "1/256" and "0.2" are kept exactly; the one rounding happens in ToDouble().
 */
struct Fraction
{
    uint64_t numerator{0};
    uint64_t denominator{1}; ///< never 0

    /** The nearest double where both parts are below 2^53, else within one ulp of it. */
    constexpr double ToDouble() const
    {
        return static_cast<double>(numerator) / static_cast<double>(denominator);
    }

    constexpr bool operator==(const Fraction&) const = default;

    constexpr std::strong_ordering operator<=>(const Fraction& other) const
    {
        using Wide = unsigned __int128;
        return static_cast<Wide>(numerator) * other.denominator <=>
               static_cast<Wide>(other.numerator) * denominator;
    }
};

/**
 * A time with its unit (ps, ns, us, ms, s): "1us", "0.001ms", "2 s"; or "never".
 *
 * @error no number, missing or unknown unit, more digits than a picosecond resolves, 2^64 ps or
 *        more; the diagnostic has message, got and expected, not file, line or key
 */
Expected<SimTime> ParseTime(std::string_view text);

/**
 * A number of bytes with its unit: B; KB, MB, GB, TB (powers of 1000; kB too); KiB, MiB, GiB, TiB
 * (powers of 1024).
 *
 * @error as ParseTime; not a whole number of bytes
 */
Expected<ByteCount> ParseBytes(std::string_view text);

/**
 * A data rate with its unit: bps, kbps, Mbps, Gbps, Tbps, or the same as b/s, kb/s, ...
 *
 * @error as ParseTime; not a whole number of bits per second
 */
Expected<BitRate> ParseRate(std::string_view text);

/**
 * A number without a unit: "1/8", "0.2", "5%", "1e-4", "3".
 *
 * @error no number, negative, zero denominator, parts of 2^64 or more
 */
Expected<Fraction> ParseFraction(std::string_view text);

/** The exact text in the largest unit that is not above it: "1.5us", "67.108864ms". */
std::string ToString(SimTime time);

/** The shortest exact text in whole units, of 1000 or of 1024: "32MiB", "400KB". */
std::string ToString(ByteCount bytes);

/** The exact text in the largest unit that is not above it: "100Gbps", "1.6Tbps". */
std::string ToString(BitRate rate);

/** As a decimal where that is exact and short, else as "n/d". */
std::string ToString(Fraction fraction);

/** Parses text as the type asked for; the four functions above by type. */
template <typename T>
Expected<T> ParseQuantity(std::string_view text);

template <>
inline Expected<SimTime>
ParseQuantity(std::string_view text)
{
    return ParseTime(text);
}

template <>
inline Expected<ByteCount>
ParseQuantity(std::string_view text)
{
    return ParseBytes(text);
}

template <>
inline Expected<BitRate>
ParseQuantity(std::string_view text)
{
    return ParseRate(text);
}

template <>
inline Expected<Fraction>
ParseQuantity(std::string_view text)
{
    return ParseFraction(text);
}

} // namespace ns3::rdma
