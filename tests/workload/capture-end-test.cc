// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-end.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

TraceOperation
At(int64_t timeNs)
{
    TraceOperation operation;
    operation.timeNs = timeNs;
    return operation;
}

TEST(CaptureEnd, YieldsInTheOrderOfPlacesWhatIsKnownWhole)
{
    CaptureEnd end;
    const auto first = end.Reserve(At(1));
    end.Add(At(2));
    const auto third = end.Reserve(At(3));
    TraceOperation operation;
    EXPECT_FALSE(end.Pop(operation)) << "the first is not whole";
    end.At(first).bytes = 7;
    end.Release(first);
    ASSERT_TRUE(end.Pop(operation));
    EXPECT_EQ(operation.bytes, 7U);
    ASSERT_TRUE(end.Pop(operation));
    EXPECT_EQ(operation.timeNs, 2);
    EXPECT_FALSE(end.Pop(operation));
    end.Drop(third);
    EXPECT_FALSE(end.Pop(operation));
    EXPECT_EQ(end.GetHeld(), 0U);
}

TEST(CaptureEnd, TimesDoNotGoBack)
{
    CaptureEnd end;
    end.Add(At(10));
    end.Add(At(4));
    TraceOperation operation;
    end.Pop(operation);
    ASSERT_TRUE(end.Pop(operation));
    EXPECT_EQ(operation.timeNs, 10);
}

} // namespace
} // namespace ns3::rdma
