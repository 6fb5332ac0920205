// SPDX-License-Identifier: GPL-2.0-only
#include "instrument/message-numbers.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

std::optional<uint64_t>
Ask(MessageNumbers& numbers, uint32_t psn, Opcode opcode)
{
    Frame frame;
    frame.psn = Psn{psn};
    frame.opcode = opcode;
    return numbers.OnRequest(frame);
}

} // namespace

// Messages of 2, 1 and 2 packets whose PSNs go over the end of their 24 bits.
TEST(MessageNumbers, CountsStartsOnceThoughPacketsAreSentAgain)
{
    MessageNumbers numbers;
    EXPECT_EQ(Ask(numbers, 0xfffffe, Opcode::RC_RDMA_WRITE_FIRST), 0U);
    EXPECT_EQ(Ask(numbers, 0xffffff, Opcode::RC_RDMA_WRITE_LAST), 0U);
    EXPECT_EQ(Ask(numbers, 0, Opcode::RC_RDMA_WRITE_ONLY), 1U);
    EXPECT_EQ(Ask(numbers, 0xfffffe, Opcode::RC_RDMA_WRITE_FIRST), 0U) << "sent again";
    EXPECT_EQ(Ask(numbers, 0xffffff, Opcode::RC_RDMA_WRITE_LAST), 0U);
    EXPECT_EQ(Ask(numbers, 0, Opcode::RC_RDMA_WRITE_ONLY), 1U);
    EXPECT_EQ(Ask(numbers, 1, Opcode::RC_RDMA_WRITE_FIRST), 2U);
    EXPECT_EQ(Ask(numbers, 2, Opcode::RC_RDMA_WRITE_LAST), 2U);
}

TEST(MessageNumbers, APacketFromTheMiddleOfAnUnseenMessageHasNone)
{
    MessageNumbers numbers;
    EXPECT_EQ(Ask(numbers, 7, Opcode::RC_RDMA_WRITE_MIDDLE), std::nullopt);
    EXPECT_EQ(Ask(numbers, 8, Opcode::RC_RDMA_WRITE_ONLY), 0U);
}

} // namespace ns3::rdma
