// SPDX-License-Identifier: GPL-2.0-only
#include "transport/send-queue.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr QueuePairCapabilities CAPABILITIES{.maxSendRequests = 8,
                                             .maxSendElements = 3,
                                             .maxInlineBytes = 16};

TEST(SendQueue, HoldsNothingUntilItIsUsed)
{
    const SendQueue queue{CAPABILITIES};
    EXPECT_EQ(queue.GetHeapBytes(), 0u);
    EXPECT_TRUE(queue.IsEmpty());
    EXPECT_LE(sizeof(SendQueue), 64u);
}

TEST(SendQueue, OnePieceTakesACacheLine)
{
    SendQueue queue{CAPABILITIES};
    const ScatterGatherElement element{0x1000, 10, 7};
    queue.Push({.wrId = 1, .sgList = {&element, 1}});
    EXPECT_EQ(queue.GetHeapBytes(), 64u);
    EXPECT_EQ(queue.At(0).bytes, 10u);
    ASSERT_EQ(queue.GetList(0).size(), 1u);
    EXPECT_EQ(queue.GetList(0).front(), element);
}

/** What stands beside an entry stays with it while the ring grows from any position. */
TEST(SendQueue, ListsInlineBytesAndOperandsMoveAlong)
{
    for (uint32_t skipped = 0; skipped < 8; ++skipped)
    {
        SendQueue queue{CAPABILITIES};
        for (uint32_t i = 0; i < skipped; ++i)
        {
            queue.Push({});
            queue.PopFront(true);
        }
        const auto piece = [](uint32_t i, uint32_t n) {
            return ScatterGatherElement{100 * i + n, i + n, n};
        };
        for (uint32_t i = 0; i < 8; ++i)
        {
            const std::array<ScatterGatherElement, 3> list{piece(i, 0), piece(i, 1), piece(i, 2)};
            const uint32_t number = queue.GetEnd();
            if (i % 2 == 0)
            {
                queue.Push({.wrId = i, .sgList = list});
                continue;
            }
            SendRequest request{.wrId = i,
                                .opcode = SendOpcode::ATOMIC_FETCH_AND_ADD,
                                .flags = SEND_INLINE,
                                .sgList = ScatterGatherList{list}.first(1),
                                .compareAdd = i};
            queue.Push(request);
            std::ranges::fill(queue.GetInline(number), std::byte(i));
        }
        EXPECT_TRUE(queue.IsFull());
        for (uint32_t i = 0; i < 8; ++i)
        {
            const uint32_t number = queue.GetBegin();
            EXPECT_EQ(queue.At(number).wrId, i);
            if (i % 2 == 0)
            {
                ASSERT_EQ(queue.GetList(number).size(), 3u);
                EXPECT_EQ(queue.GetList(number)[2], piece(i, 2));
            }
            else
            {
                ASSERT_EQ(queue.GetInline(number).size(), i);
                EXPECT_EQ(queue.GetInline(number).back(), std::byte(i));
                EXPECT_EQ(queue.GetOperands(number).compareAdd, i);
            }
            queue.PopFront(true);
        }
        EXPECT_TRUE(queue.IsEmpty());
    }
}

TEST(SendQueue, SlotsAreFreedUpToASignalledEntry)
{
    SendQueue queue{CAPABILITIES};
    for (uint32_t i = 0; i < 8; ++i)
    {
        EXPECT_FALSE(queue.IsFull());
        queue.Push({});
    }
    EXPECT_TRUE(queue.IsFull());
    queue.PopFront(false);
    queue.PopFront(false);
    EXPECT_TRUE(queue.IsFull());
    queue.PopFront(true);
    EXPECT_FALSE(queue.IsFull());
    for (uint32_t i = 0; i < 3; ++i)
    {
        queue.Push({});
    }
    EXPECT_TRUE(queue.IsFull());
}

TEST(SendQueue, OnlyOperationsThatHaveAnImmediateKeepIt)
{
    SendQueue queue{CAPABILITIES};
    const auto immediateOf = [&queue](SendOpcode opcode)
    { return queue.Push({.opcode = opcode, .immediate = 1, .invalidateRkey = 2}).immediate; };
    EXPECT_EQ(immediateOf(SendOpcode::SEND), 0u);
    EXPECT_EQ(immediateOf(SendOpcode::SEND_WITH_IMM), 1u);
    EXPECT_EQ(immediateOf(SendOpcode::RDMA_WRITE_WITH_IMM), 1u);
    EXPECT_EQ(immediateOf(SendOpcode::SEND_WITH_INV), 2u);
    EXPECT_EQ(immediateOf(SendOpcode::LOCAL_INV), 2u);
}

} // namespace
} // namespace ns3::rdma
