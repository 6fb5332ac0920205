// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/fabric-checks.h"
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr PfcConfig PFC{.lossless = PriorityBit(3)};

Scenario
MakeScenario()
{
    Scenario scenario = MakeTestScenario(MakeTwoSwitches({}));
    scenario.flows = {MakeFlow(0, 1, 100'000)};
    return scenario;
}

TEST(FabricChecks, MapsThatAgreeSayNothing)
{
    Scenario scenario = MakeScenario();
    EXPECT_THAT(FindClassMismatches(scenario, PFC), IsEmpty());
    // DSCP 26 is in the range of priority 3 anyway, and 46 is put where it came from.
    scenario.nic.Set("Dscp", StringValue("3:26 6:46"));
    scenario.switchNode.Set("DscpMap", StringValue("46:6"));
    EXPECT_THAT(FindClassMismatches(scenario, PFC), IsEmpty());
}

TEST(FabricChecks, LosslessPacketsThatBecomeLossyAreNamed)
{
    Scenario scenario = MakeScenario();
    scenario.nic.Set("Dscp", StringValue("3:46"));
    EXPECT_THAT(FindClassMismatches(scenario, PFC),
                ElementsAre(AllOf(HasSubstr("priority 3 (lossless) carry DSCP 46"),
                                  HasSubstr("priority 5 (lossy)"),
                                  HasSubstr("s0 and 1 more"))));
    scenario.nic.Set("Dscp", StringValue(""));
    scenario.switchNode.Set("DscpMapAt", StringValue("s1 24:0"));
    EXPECT_THAT(FindClassMismatches(scenario, PFC),
                ElementsAre(AllOf(HasSubstr("priority 0 (lossy)"), HasSubstr("by switch s1"))));
}

TEST(FabricChecks, TrustInATagThatNobodySends)
{
    Scenario scenario = MakeScenario();
    scenario.switchNode.Set("Trust", StringValue("pcp"));
    EXPECT_THAT(FindClassMismatches(scenario, PFC), ElementsAre(HasSubstr("no VLAN tag")));
    scenario.nic.Set("Vlan", StringValue("true"));
    EXPECT_THAT(FindClassMismatches(scenario, PFC), IsEmpty());
}

TEST(FabricChecks, UnknownSwitchAndWrongEntry)
{
    Scenario scenario = MakeScenario();
    scenario.switchNode.Set("DscpMapAt", StringValue("s2 24:0; s1 24:9"));
    const Diagnostics errors = CheckTrust(scenario);
    ASSERT_EQ(errors.size(), 2U);
    EXPECT_EQ(errors[0].key, "switch.dscp_map_at");
    EXPECT_EQ(errors[0].got, "s2");
    EXPECT_FALSE(errors[0].nearest.empty());
    EXPECT_EQ(errors[1].got, "24:9");
}

// 62 + 16 + 1024 and a tag of 4.
TEST(FabricChecks, LargestFrame)
{
    EXPECT_EQ(MaxFrameBytes({}, 1024), 1102U);
    EXPECT_EQ(MaxFrameBytes({.isTagged = true}, 1024), 1106U);
    EXPECT_EQ(MaxFrameBytes({.ipMtu = 1500}, 1024), 1102U);
    EXPECT_EQ(MaxFrameBytes({.ipMtu = 1500}, 1024, true), 1518U);
    EXPECT_EQ(MaxFrameBytes({.ipMtu = 1500}, 4096, true), 4174U);
}

TEST(FabricChecks, ReceivePlanOfALink)
{
    const TopologyLink cable{.rate = BitRate::Gbps(100), .delay = SimTime::Microseconds(1)};
    const auto none = PlanReceive({}, cable, PFC, 1102);
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
    const auto slow = PlanReceive(
        {.receiveRate = BitRate::Gbps(50), .receiveBuffer = {262'016}}, cable, PFC, 1102);
    ASSERT_TRUE(slow);
    // Headroom 25 216 + 25 000 + 2 x 1102 + 84 = 52 504, of half of the buffer.
    EXPECT_EQ((*slow)->xoff, 131'008U - 52'504);
}

} // namespace
} // namespace ns3::rdma
