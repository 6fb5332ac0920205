// SPDX-License-Identifier: GPL-2.0-only
#include "transport/send-operation.h"
#include "verbs/takes-receive.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

// The transport has its own table, which the layers beside it do not see.
TEST(SendOperation, TakesReceivesAsTheVerbsSay)
{
    for (uint8_t value = 0; value < SEND_OPERATIONS.size(); ++value)
    {
        const auto opcode = static_cast<SendOpcode>(value);
        EXPECT_EQ(GetSendOperation(opcode).takesReceive, TakesReceive(opcode)) << int{value};
    }
}

} // namespace
} // namespace ns3::rdma
