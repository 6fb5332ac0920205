// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/port-bench.h"

#include "ns3/object-factory.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

// IEEE 802.1Q-2018 clause 8.6.8.1: of all that wait the highest goes.
TEST(StrictPriorityScheduler, HighestOfEverySetGoes)
{
    const auto scheduler =
        ObjectFactory{"ns3::rdma::StrictPriorityScheduler"}.Create<EgressScheduler>();
    EXPECT_TRUE(scheduler->SetUp(1500).empty());
    const EgressQueues queues;
    for (uint32_t set = 1; set < 256; ++set)
    {
        uint8_t highest = 7;
        while ((set >> highest) == 0)
        {
            --highest;
        }
        EXPECT_EQ(scheduler->Select(static_cast<PriorityMask>(set), queues), highest) << set;
    }
}

// A busy priority starves those below it, which is what strict means.
TEST(StrictPriorityScheduler, BusyPriorityStarvesLowerOnes)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    bench.a.SetScheduler(
        ObjectFactory{"ns3::rdma::StrictPriorityScheduler"}.Create<EgressScheduler>());
    bench.Enqueue(5, 1000);
    bench.Enqueue(1, 1000);
    for (int frame = 0; frame < 50; ++frame)
    {
        bench.Enqueue(5, 1000);
    }
    bench.RunToEnd();
    ASSERT_EQ(bench.ownerB.arrivals.size(), 52U);
    EXPECT_EQ(bench.ownerB.arrivals.back().priority, 1);
}

} // namespace
} // namespace ns3::rdma
