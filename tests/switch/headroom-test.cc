// SPDX-License-Identifier: GPL-2.0-only
#include "link/pfc.h"
#include "switch/headroom.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

// 100 Gb/s, 1 us, 394 quanta, frames of 4200:
//   response 394 x 64      = 25 216
//   cable    2 x 1 us x 12.5 GB/s = 25 000
//   frames   2 x 4200      =  8 400
//   PAUSE    8 + 64 + 12   =     84   together 58 700.
TEST(Headroom, WorkedValueOf100Gigabits)
{
    const BitRate rate = BitRate::Gbps(100);
    EXPECT_EQ(ComputeHeadroom({.rate = rate,
                               .delay = SimTime::Microseconds(1),
                               .responseTime = QuantaToTime(394, rate),
                               .maxFrameBytes = 4200})
                  .value,
              58'700U);
}

// Each part alone: 905 quanta of 64 = 57 920; 10 us of 400 Gb/s twice = 1 000 000.
TEST(Headroom, PartsAddUp)
{
    const BitRate rate = BitRate::Gbps(400);
    EXPECT_EQ(ComputeHeadroom({.rate = rate}).value, 84U);
    EXPECT_EQ(ComputeHeadroom({.rate = rate, .responseTime = QuantaToTime(905, rate)}).value,
              57'920U + 84);
    EXPECT_EQ(ComputeHeadroom({.rate = rate, .delay = SimTime::Microseconds(10)}).value,
              1'000'000U + 84);
    EXPECT_EQ(ComputeHeadroom({.rate = rate, .maxFrameBytes = 1102}).value, 2204U + 84);
}

// 1 ps of 100 Gb/s is an eightieth of a byte and counts as one; 100 ms of 1.6 Tb/s twice are 40 GB.
TEST(Headroom, RoundsUpAndHoldsTheLongestCable)
{
    EXPECT_EQ(ComputeHeadroom({.rate = BitRate::Gbps(100), .responseTime = SimTime{1}}).value, 85U);
    EXPECT_EQ(
        ComputeHeadroom({.rate = BitRate::Gbps(1600), .delay = SimTime::Milliseconds(100)}).value,
        40'000'000'084U);
}

// Cells of 208 bytes: 64-byte frames take 208 for 84 on the wire, the worst (209: 416 for 229). Of
// the 58 700 bytes above that makes 58 700 x 208 / 84 = 145 352.4. With 96-byte cells a frame of 97
// is the worst with 192 for 117: 58 700 x 192 / 117 = 96 328.2.
TEST(Headroom, SmallFramesFillCellsBadly)
{
    const BitRate rate = BitRate::Gbps(100);
    HeadroomInput input{.rate = rate,
                        .delay = SimTime::Microseconds(1),
                        .responseTime = QuantaToTime(394, rate),
                        .maxFrameBytes = 4200,
                        .cellBytes = 208};
    EXPECT_EQ(ComputeHeadroom(input).value, 145'353U);
    input.cellBytes = 96;
    EXPECT_EQ(ComputeHeadroom(input).value, 96'329U);
}

// Zhu et al., SIGCOMM 2015, section 4: B = 12 MB, n = 32, t_flight = 22.4 KB (decimal units).
// 8 n t_flight = 5 734 400; B - that = 6 265 600.
constexpr ByteCount BUFFER{12'000'000};
constexpr ByteCount FLIGHT{22'400};

// 6 265 600 / 256 = 24 475.0: the paper's 24.47 KB.
TEST(Headroom, StaticPfcThresholdOfThePaper)
{
    EXPECT_EQ(MaxStaticPfcThreshold({BUFFER, 32, FLIGHT}).value, 24'475U);
}

// 8 x 6 265 600 / (8 x 32 x 9) = 21 755.6: the paper's 21.75 KB with beta = 8.
TEST(Headroom, EcnThresholdOfThePaper)
{
    EXPECT_EQ(MaxEcnThreshold({BUFFER, 32, FLIGHT}, 8).value, 21'755U);
}

// beta (B - 8 n t_flight - s) / 8: with beta = 8 and s = 265 600 exactly 6 000 000.
TEST(Headroom, DynamicPfcThresholdOfThePaper)
{
    EXPECT_EQ(DynamicPfcThreshold({BUFFER, 32, FLIGHT}, 8, {265'600}).value, 6'000'000U);
    EXPECT_EQ(DynamicPfcThreshold({BUFFER, 32, FLIGHT}, 1, {265'600}).value, 750'000U);
    EXPECT_EQ(DynamicPfcThreshold({BUFFER, 32, FLIGHT}, 8, {6'265'600}).value, 0U);
    EXPECT_EQ(DynamicPfcThreshold({BUFFER, 32, FLIGHT}, 8, {7'000'000}).value, 0U);
}

// A buffer that headroom alone overfills leaves no threshold.
TEST(Headroom, NothingIsLeftOfASmallBuffer)
{
    EXPECT_EQ(MaxStaticPfcThreshold({{5'734'400}, 32, FLIGHT}).value, 0U);
    EXPECT_EQ(MaxStaticPfcThreshold({{1000}, 32, FLIGHT}).value, 0U);
}

} // namespace
} // namespace ns3::rdma
