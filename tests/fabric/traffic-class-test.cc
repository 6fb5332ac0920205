// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/** Four hosts at s0 send to one at s1 over a trunk, in priority 3. */
Scenario
MakeIncast()
{
    Scenario scenario = MakeTestScenario(MakeTwoSwitches({.leftHosts = 4, .rightHosts = 1}));
    scenario.buffer.Set("Size", StringValue("600KB"));
    for (uint32_t host = 0; host < 4; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 4, 500'000));
    }
    return scenario;
}

// Lossless by any map that keeps the class: same results as without maps.
TEST(TrafficClass, MapsThatKeepTheClassChangeNothing)
{
    std::vector<std::string> expected;
    {
        TestRun plain{MakeIncast()};
        plain.RunToEnd();
        EXPECT_EQ(plain.CountDropped(), 0U);
        EXPECT_GT(plain.CountPauses(), 0U);
        expected = plain.DescribeResults();
    }
    Scenario scenario = MakeIncast();
    scenario.nic.Set("Dscp", StringValue("3:46"));
    scenario.switchNode.Set("DscpMap", StringValue("46:3"));
    TestRun mapped{scenario};
    mapped.RunToEnd();
    EXPECT_EQ(mapped.DescribeResults(), expected);
}

// A class that is lossy at the switch where frames meet: it drops, and pauses nobody.
TEST(TrafficClass, DscpOfALossyClassIsLossyAtThatSwitch)
{
    Scenario scenario = MakeIncast();
    scenario.switchNode.Set("DscpMapAt", StringValue("s0 24:0"));
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_THAT(run.GetFabric().GetWarnings(),
                testing::Contains(testing::HasSubstr("priority 3 (lossless)")));
    const auto& switches = run.GetFabric().GetSwitches();
    const auto drops = [&](std::size_t device)
    {
        const auto& counts = switches[device]->GetCounters().drops;
        return counts[static_cast<std::size_t>(DropReason::EGRESS_THRESHOLD)] +
               counts[static_cast<std::size_t>(DropReason::BUFFER_FULL)];
    };
    EXPECT_GT(drops(0), 0U);
    EXPECT_EQ(drops(1), 0U);
    EXPECT_EQ(run.CountPauses(), 0U);
}

// With tags all frames are 4 bytes longer, and a lone flow takes its ideal time all the same.
TEST(TrafficClass, TaggedFramesAreLongerAndTrusted)
{
    Scenario scenario = MakeIncast();
    scenario.flows = {MakeFlow(0, 4, 100 * 1024)};
    scenario.nic.Set("Vlan", StringValue("true"));
    scenario.switchNode.Set("Trust", StringValue("pcp"));
    TestRun run{scenario};
    run.RunToEnd();
    const FlowIdeals ideals = run.GetRunner().GetIdeals(0);
    EXPECT_EQ(run.GetRecord(0).delivered, ideals.delivered);
    EXPECT_EQ(run.GetRecord(0).acked, ideals.acked);
    // 100 packets of 20 + 62 + 1024 + 4 bytes, one of them with a RETH.
    EXPECT_EQ(run.FindLink("h0", "s0").port->GetCounters().wireBytes, 100U * 1110 + 16);
    run.ExpectInvariants();
}

} // namespace
} // namespace ns3::rdma
