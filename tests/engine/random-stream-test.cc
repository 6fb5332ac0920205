// SPDX-License-Identifier: GPL-2.0-only
#include "engine/random-stream.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr int DRAWS = 100'000;

TEST(RandomStreamTest, DependsOnSeedAndNameOnly)
{
    RandomStream one{1, "leaf1/port1/red"};
    RandomStream again{1, "leaf1/port1/red"};
    RandomStream otherName{1, "leaf1/port2/red"};
    RandomStream otherSeed{2, "leaf1/port1/red"};
    int equal = 0;
    for (int i = 0; i < 1000; ++i)
    {
        const uint64_t bits = one.NextBits();
        EXPECT_EQ(bits, again.NextBits());
        equal += bits == otherName.NextBits() ? 1 : 0;
        equal += bits == otherSeed.NextBits() ? 1 : 0;
    }
    EXPECT_EQ(equal, 0) << "64-bit draws of different streams agree once in 2^64";
}

TEST(RandomStreamTest, DrawsUniformFractions)
{
    RandomStream random{1, "uniform"};
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < DRAWS; ++i)
    {
        const double x = random.NextUniform();
        ASSERT_GE(x, 0);
        ASSERT_LT(x, 1);
        sum += x;
        squares += x * x;
    }
    // Uniform in [0, 1): mean 1/2, E[x^2] = 1/3; their deviations over n draws are
    // sqrt(1/12/n) and sqrt(4/45/n); five of them are allowed.
    EXPECT_NEAR(sum / DRAWS, 0.5, 5 * std::sqrt(1.0 / 12 / DRAWS));
    EXPECT_NEAR(squares / DRAWS, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / DRAWS));
}

TEST(RandomStreamTest, DrawsBelowANumberEvenly)
{
    constexpr uint64_t SIDES = 6;
    RandomStream random{1, "below"};
    std::array<int, SIDES> counts{};
    for (int i = 0; i < DRAWS; ++i)
    {
        ++counts.at(random.NextBelow(SIDES));
    }
    const double expected = static_cast<double>(DRAWS) / SIDES;
    double chiSquare = 0;
    for (const int count : counts)
    {
        chiSquare += (count - expected) * (count - expected) / expected;
    }
    // 5 degrees of freedom: 25.7 is exceeded once in 10 000 (tables of the chi-square
    // distribution).
    EXPECT_LT(chiSquare, 25.7);
    EXPECT_EQ(random.NextBelow(1), 0U);
}

TEST(RandomStreamTest, IsIndependentAcrossNeighbouringNames)
{
    RandomStream left{1, "port1"};
    RandomStream right{1, "port2"};
    double products = 0;
    for (int i = 0; i < DRAWS; ++i)
    {
        products += (left.NextUniform() - 0.5) * (right.NextUniform() - 0.5);
    }
    // Independent: mean 0, deviation of the mean 1/12/sqrt(n).
    EXPECT_NEAR(products / DRAWS, 0, 5.0 / 12 / std::sqrt(DRAWS));
}

} // namespace
} // namespace ns3::rdma
