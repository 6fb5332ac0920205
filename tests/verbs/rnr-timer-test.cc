// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/rnr-timer.h"

#include <array>
#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

/**
 * Microseconds, from the names of Linux include/rdma/ib_verbs.h, enum ib_rnr_timeout
 * (IB_RNR_TIMER_655_36 and so on, in milliseconds).
 */
constexpr std::array<uint64_t, 32> MICROSECONDS{
    655'360, 10,     20,     30,     40,     60,      80,      120,     160,     240,     320,
    480,     640,    960,    1'280,  1'920,  2'560,   3'840,   5'120,   7'680,   10'240,  15'360,
    20'480,  30'720, 40'960, 61'440, 81'920, 122'880, 163'840, 245'760, 327'680, 491'520,
};

TEST(RnrTimer, EachCodeHasTheTimeOfTheStandardsTable)
{
    for (uint8_t code = 0; code < MICROSECONDS.size(); ++code)
    {
        EXPECT_EQ(RnrTimerTime(code), SimTime::Microseconds(MICROSECONDS[code])) << int{code};
    }
}

} // namespace
} // namespace ns3::rdma
