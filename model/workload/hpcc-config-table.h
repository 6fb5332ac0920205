// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ns3::rdma
{

/** What becomes of a key of the HPCC simulator's configuration. */
enum class HpccUse : uint8_t
{
    SETTING,  ///< a key of a scenario, by conversion
    SPECIAL,  ///< read by the reader itself, alone or with others
    ACCEPTED, ///< one value only; others would change results and are not modelled
    NEUTRAL,  ///< changes no result here
};

/** How a value becomes a scenario's text. */
enum class HpccConversion : uint8_t
{
    NONE,
    RATE,         ///< "50Mb/s" as it is
    MICROSECONDS, ///< a number of them
    SECONDS,      ///< a number of them
    MEBIBYTES,    ///< a whole number of them
    WHOLE,        ///< a whole number as it is
    FRACTION,     ///< 0 .. 1 as it is
    BOOLEAN,      ///< 0 or 1
};

/** One row: a key, the number of its values, its use. */
struct HpccKey
{
    /** Number of values of a map: a count, then so many pairs. */
    static constexpr uint32_t MAP = 0;

    std::string_view name;
    uint32_t arity{1};
    HpccUse use{HpccUse::NEUTRAL};
    HpccConversion conversion{HpccConversion::NONE};
    std::string_view scenarioKey{}; ///< of a SETTING
    std::string_view algorithm{};   ///< the only congestion control that a SETTING is for
    std::string_view accepted{};    ///< the value of an ACCEPTED key
    std::string_view reason{};      ///< why other values are refused
};

/**
 * All keys of the HPCC simulator and of those that came from it.
 *
 * @spec Li et al., SIGCOMM 2019, the authors' simulator (scratch/third.cc); SimAI; conweave-ns3
 */
std::span<const HpccKey> GetHpccKeys();

/** The row of a key, null if there is none; all keys that begin with CONWEAVE_ share one. */
const HpccKey* FindHpccKey(std::string_view name);

/** The congestion control of a CC_MODE, by its name in scenarios; empty for unknown numbers. */
std::string_view HpccAlgorithmName(uint64_t mode);

} // namespace ns3::rdma
