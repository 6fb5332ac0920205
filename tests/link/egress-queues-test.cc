// SPDX-License-Identifier: GPL-2.0-only
#include "link/egress-queues.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

Frame
MakeFrame(uint8_t priority, uint16_t bytes)
{
    Frame frame;
    frame.priority = priority;
    frame.frameBytes = bytes;
    return frame;
}

TEST(EgressQueues, StartEmpty)
{
    const EgressQueues queues;
    EXPECT_EQ(queues.Waiting(), 0);
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        EXPECT_EQ(queues.Head(priority), nullptr);
        EXPECT_EQ(queues.Bytes(priority), 0U);
    }
}

TEST(EgressQueues, KeepOrderAndBytesByPriority)
{
    Frame first = MakeFrame(3, 100);
    Frame second = MakeFrame(3, 200);
    Frame other = MakeFrame(7, 64);
    EgressQueues queues;
    queues.Push(&first);
    queues.Push(&other);
    queues.Push(&second);
    EXPECT_EQ(queues.Waiting(), PriorityBit(3) | PriorityBit(7));
    EXPECT_EQ(queues.Bytes(3), 300U);
    EXPECT_EQ(queues.Bytes(7), 64U);
    EXPECT_EQ(queues.Head(3), &first);
    EXPECT_EQ(queues.Pop(3), &first);
    EXPECT_EQ(queues.Bytes(3), 200U);
    EXPECT_EQ(queues.Pop(3), &second);
    EXPECT_EQ(queues.Waiting(), PriorityBit(7));
    EXPECT_EQ(queues.Bytes(3), 0U);
}

TEST(EgressQueues, AreUsableAgainAfterRunningEmpty)
{
    Frame frame = MakeFrame(0, 100);
    EgressQueues queues;
    for (int turn = 0; turn < 3; ++turn)
    {
        queues.Push(&frame);
        EXPECT_EQ(queues.Head(0), &frame);
        EXPECT_EQ(queues.Pop(0), &frame);
        EXPECT_EQ(queues.Head(0), nullptr);
    }
}

} // namespace
} // namespace ns3::rdma
