// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/rnr-timer.h"

#include <array>

namespace ns3::rdma
{

namespace
{

constexpr SimTime TIMER_UNIT = SimTime::Microseconds(10);

/** In units of 10 us, by code: IBTA Vol 1 Rel 1.7 table 46. */
constexpr std::array<uint32_t, 32> RNR_TIMER_10US{
    65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,    32,
    48,    64,   96,   128,  192,  256,   384,   512,   768,   1024,  1536,
    2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
};

/** Each second step doubles, which no single mistyped figure survives. */
constexpr bool
DoublesEverySecondStep()
{
    for (std::size_t code = 5; code + 2 < RNR_TIMER_10US.size(); ++code)
    {
        if (RNR_TIMER_10US[code + 2] != 2 * RNR_TIMER_10US[code])
        {
            return false;
        }
    }
    return RNR_TIMER_10US[0] == 2 * RNR_TIMER_10US[30];
}

static_assert(DoublesEverySecondStep());

} // namespace

SimTime
RnrTimerTime(uint8_t code)
{
    return RNR_TIMER_10US[code % RNR_TIMER_10US.size()] * TIMER_UNIT;
}

} // namespace ns3::rdma
