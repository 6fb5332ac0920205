// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/hash.h"

#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/**
 * The random numbers of one component, 8 bytes of state.
 *
 * A stream is named by the component's path ("leaf3/port2/red"), not by its order of creation, so
 * adding a component changes no other one's draws.
 *
 * @spec Steele, Lea, Flood, OOPSLA 2014 (SplitMix64)
 * @choice not ns3::RngStream: 5 us to make and 48 bytes of state are too much per port
 */
class RandomStream
{
  public:
    /**
     * @param seed the run's seed
     * @param name the component's path
     */
    RandomStream(uint64_t seed, std::string_view name)
        : m_state{Mix64(seed + GOLDEN_GAMMA) ^ Mix64(HashName(name))}
    {
    }

    /** 64 uniform bits. */
    uint64_t NextBits()
    {
        m_state += GOLDEN_GAMMA;
        return Mix64(m_state);
    }

    /** Uniform in [0, 1), a multiple of 2^-53. */
    double NextUniform()
    {
        constexpr double ULP = 0x1.0p-53;
        return static_cast<double>(NextBits() >> 11) * ULP;
    }

    /** Uniform in [0, n), n > 0; the bias is below n / 2^64. */
    uint64_t NextBelow(uint64_t n)
    {
        return static_cast<uint64_t>((static_cast<unsigned __int128>(NextBits()) * n) >> 64);
    }

  private:
    static constexpr uint64_t GOLDEN_GAMMA = 0x9e3779b97f4a7c15ULL; ///< odd, 2^64 / phi

    uint64_t m_state;
};

} // namespace ns3::rdma
