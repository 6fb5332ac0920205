// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/class-share.h"

#include <array>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using Bytes = std::array<uint64_t, PRIORITY_COUNT>;

/** Who is chosen when frames of a size, by priority, are always there; bytes after so many. */
Bytes
Saturate(ClassShare& share, PriorityMask ready, const std::array<uint32_t, 8>& sizes, int frames)
{
    Bytes sent{};
    for (int i = 0; i < frames; ++i)
    {
        const auto priority = static_cast<uint8_t>(share.Choose(ready));
        share.OnSent(priority, sizes[priority], false, false);
        sent[priority] += sizes[priority];
    }
    return sent;
}

TEST(ClassShare, ReadsEightWeights)
{
    EXPECT_EQ(*ParseClassWeights(""), ClassWeights{});
    EXPECT_EQ(*ParseClassWeights(" \t"), ClassWeights{});
    const ClassWeights weights{1, 2, 3, 4, 5, 6, 7, 1'000'000};
    EXPECT_EQ(*ParseClassWeights("1 2 3 4 5 6 7 1000000"), weights);
    for (const char* wrong : {"1",
                              "1 2 3 4 5 6 7",
                              "1 2 3 4 5 6 7 8 9",
                              "0 1 1 1 1 1 1 1",
                              "1 1 1 1 1 1 1 1000001",
                              "1 1 1 1 1 1 1 -1",
                              "1 1 1 1 1 1 1 x"})
    {
        const auto weights = ParseClassWeights(wrong);
        ASSERT_FALSE(weights) << wrong;
        EXPECT_EQ(weights.Errors().front().key, "weights");
        EXPECT_EQ(weights.Errors().front().got, wrong);
    }
}

TEST(ClassShare, WithoutWeightsTheHighestGoesFirst)
{
    ClassShare share{{}};
    EXPECT_EQ(share.Choose(0), -1);
    EXPECT_EQ(share.Choose(0b0010'1001), 5);
    share.OnSent(5, 9000, false, false);
    EXPECT_EQ(share.Choose(0b0010'1001), 5);
}

TEST(ClassShare, SharesFollowTheWeightsWhateverTheSizes)
{
    // Of n turns of a priority with quantum q the bytes are n q, but for a debt of one frame.
    for (const uint32_t weight : {1U, 3U, 4U})
    {
        ClassShare share{{1, 1, 1, weight, 1, 1, 1, 1}};
        const Bytes sent = Saturate(share, 0b1001, {1538, 0, 0, 1122}, 20'000);
        EXPECT_NEAR(double(sent[3]) / double(sent[0]), weight, 0.001 * weight) << weight;
    }
}

TEST(ClassShare, WhoeverIsAloneGetsAll)
{
    ClassShare share{{1, 1, 1, 1000, 1, 1, 1, 1}};
    EXPECT_EQ(Saturate(share, 0b1, {9000}, 100)[0], 900'000U);
    // What it got then does not count against it, but for the debt of a frame.
    const Bytes sent = Saturate(share, 0b11, {1000, 1000}, 1000);
    EXPECT_NEAR(double(sent[0]), double(sent[1]), 9000 + 2 * 1024);
}

TEST(ClassShare, WithinAPriorityBothSidesGetTheSame)
{
    ClassShare share{{}};
    uint64_t foreign = 0;
    uint64_t own = 0;
    for (int i = 0; i < 10'000; ++i)
    {
        const bool isForeign = share.IsForeignTurn(3, true);
        const uint32_t bytes = isForeign ? 1538 : 1122;
        (isForeign ? foreign : own) += bytes;
        share.OnSent(3, bytes, isForeign, true);
    }
    EXPECT_NEAR(double(foreign), double(own), 1538);
    EXPECT_TRUE(share.IsForeignTurn(3, false));
    // What one side sent while the other had nothing gives the other no claim.
    share.OnSent(3, 1'000'000, true, false);
    EXPECT_TRUE(share.IsForeignTurn(3, true));
}

} // namespace
} // namespace ns3::rdma
