// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

/** How many of four cables between two switches carry data of eight connections of two hosts. */
uint32_t
CountUsedCables(const std::string& udpSourcePort)
{
    Scenario scenario = MakeTestScenario(MakeTwoSwitches({.trunks = 4}));
    scenario.transport.Set("UdpSourcePort", StringValue{udpSourcePort});
    for (int flow = 0; flow < 8; ++flow)
    {
        scenario.flows.push_back(MakeFlow(0, 1, 10'000));
    }
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 8U);
    uint32_t used = 0;
    for (const FabricLink& link : run.GetFabric().GetLinks())
    {
        used += link.from == "s0" && link.to == "s1" && link.port->GetCounters().frames > 0;
    }
    return used;
}

TEST(UdpSourcePort, OneForAllTakesOneCable)
{
    EXPECT_EQ(CountUsedCables("fixed"), 1U);
    EXPECT_EQ(CountUsedCables("50000"), 1U);
}

TEST(UdpSourcePort, OneForEachSpreads)
{
    // Eight random choices among four miss three of them with 4 / 4^8; less than two are excluded.
    EXPECT_GT(CountUsedCables("per-qp"), 1U);
}

} // namespace

} // namespace ns3::rdma
