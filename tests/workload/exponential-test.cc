// SPDX-License-Identifier: GPL-2.0-only
#include "engine/random-stream.h"
#include "workload/exponential.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(Exponential, NegativeLogAgreesWithTheLibrary)
{
    // Truncated at 2^-40 after a squaring chain: two units; the library is good to far less.
    const double tolerance = std::ldexp(2.0, -NEGATIVE_LOG_BITS);
    RandomStream stream{1, "exponential-test"};
    for (int i = 0; i < 100'000; ++i)
    {
        const uint64_t bits = stream.NextBits() >> (i % 64);
        const long double u = (static_cast<long double>(bits) + 1.0L) / 0x1.0p64L;
        const double ours = std::ldexp(static_cast<double>(NegativeLog(bits)), -NEGATIVE_LOG_BITS);
        ASSERT_NEAR(ours, static_cast<double>(-std::log(u)), tolerance) << bits;
    }
}

TEST(Exponential, EndsAndPowersOfTwo)
{
    // -ln(2^-64) = 64 ln 2 = 44.3614...; x 2^40 = 48 775 894 ...: computed as 64 x LN2 >> 24.
    constexpr uint64_t LN2_40 = 762'123'384'785; // floor(0.693147180559945309 x 2^40)
    EXPECT_EQ(NegativeLog(UINT64_MAX), 0U);
    EXPECT_EQ(NegativeLog((1ULL << 63) - 1), LN2_40);
    EXPECT_EQ(NegativeLog(0) / 64, LN2_40);
}

TEST(Exponential, HasItsMeanAndItsTail)
{
    RandomStream stream{2, "exponential-test"};
    constexpr int DRAWS = 200'000;
    constexpr SimTime MEAN = SimTime::Microseconds(10);
    double sum = 0.0;
    int beyond = 0;
    for (int i = 0; i < DRAWS; ++i)
    {
        const SimTime span = ExponentialTime(MEAN, stream.NextBits());
        sum += static_cast<double>(span.ps);
        beyond += span > MEAN * 2 ? 1 : 0;
    }
    // Standard error of the mean: 1 / sqrt(200 000) = 0.22 %; P(> 2 means) = e^-2 = 0.1353,
    // standard error 0.00077. Five of each.
    EXPECT_NEAR(sum / DRAWS / 1e7, 1.0, 0.0112);
    EXPECT_NEAR(static_cast<double>(beyond) / DRAWS, 0.13534, 0.0038);
}
