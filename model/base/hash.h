// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/**
 * Mixes 64 bits so that each input bit changes each output bit with probability one half.
 *
 * @spec Steele, Lea, Flood, OOPSLA 2014, "Fast splittable pseudorandom number generators":
 * the output function of SplitMix64 (variant 13 of Stafford's mixers)
 */
constexpr uint64_t
Mix64(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/**
 * A hash of a name that is the same on every machine and in every run.
 *
 * @spec FNV-1a, 64 bits (draft-eastlake-fnv)
 */
constexpr uint64_t
HashName(std::string_view name)
{
    uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : name)
    {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

} // namespace ns3::rdma
