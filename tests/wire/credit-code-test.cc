// SPDX-License-Identifier: GPL-2.0-only
#include "wire/credit-code.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

// IBTA section 9.7.7.2: from code 2 on every second code doubles, and codes between stand half way.
TEST(CreditCode, CodesDoubleEverySecondStep)
{
    for (std::size_t code = 4; code < CREDITS_OF_CODE.size(); ++code)
    {
        EXPECT_EQ(CREDITS_OF_CODE[code], 2 * CREDITS_OF_CODE[code - 2]) << "code " << code;
    }
}

TEST(CreditCode, NeverGrantsMoreThanThereIs)
{
    EXPECT_EQ(CreditCode(0), 0);
    EXPECT_EQ(CreditCode(1), 1);
    EXPECT_EQ(CreditCode(5), 4);       // 4 credits
    EXPECT_EQ(CreditCode(6), 5);       // 6 credits
    EXPECT_EQ(CreditCode(32767), 29);  // 24576 credits
    EXPECT_EQ(CreditCode(32768), 30);  // the highest code
    EXPECT_EQ(CreditCode(100000), 30); // never 31, which would lift the limit
}

} // namespace
} // namespace ns3::rdma
