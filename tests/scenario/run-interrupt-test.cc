// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/run-interrupt.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

TEST(RunInterrupt, NotesTheFirstCtrlC)
{
    const RunInterrupt interrupt;
    EXPECT_FALSE(RunInterrupt::IsRequested());
    std::raise(SIGINT);
    EXPECT_TRUE(RunInterrupt::IsRequested());
}

TEST(RunInterrupt, ForgetsWhatWasBefore)
{
    {
        const RunInterrupt interrupt;
        std::raise(SIGINT);
    }
    const RunInterrupt interrupt;
    EXPECT_FALSE(RunInterrupt::IsRequested());
}

TEST(RunInterruptDeathTest, TheSecondCtrlCEndsTheProcess)
{
    const RunInterrupt interrupt;
    std::raise(SIGINT);
    EXPECT_EXIT(std::raise(SIGINT), testing::KilledBySignal(SIGINT), "");
}

} // namespace ns3::rdma
