// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/rnic-attributes.h"
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

TEST(RnicAttributes, ClassSelectorsByDefault)
{
    const auto marks = MakeMarks({});
    ASSERT_TRUE(marks);
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        EXPECT_EQ((*marks)[priority].dscp, 8 * priority);
        EXPECT_EQ((*marks)[priority].pcp, UNTAGGED_PCP);
    }
}

TEST(RnicAttributes, DscpAndTagOfAPriority)
{
    const auto marks = MakeMarks({.dscp = "3:26 6:48", .isTagged = true});
    ASSERT_TRUE(marks);
    EXPECT_EQ((*marks)[3].dscp, 26);
    EXPECT_EQ((*marks)[3].pcp, 3);
    EXPECT_EQ((*marks)[6].dscp, 48);
    EXPECT_EQ((*marks)[4].dscp, 32);
}

TEST(RnicAttributes, WrongMapIsAnErrorOfTheDevice)
{
    const auto device = CreateObject<Rnic>();
    device->SetAttribute("Dscp", StringValue("3:64"));
    const Diagnostics errors = device->CheckSettings();
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().key, "dscp");
    EXPECT_EQ(errors.front().got, "3:64");
}

// ------------------------------------------------------------------------- CNPs

/** Two senders at line rate into one host, marked from the first waiting frame on. */
Scenario
MakeMarked()
{
    Scenario scenario = MakeTestScenario(MakeStar(3, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::StepMarker");
    scenario.marker.Set("Threshold", StringValue("2KB"));
    scenario.flows = {MakeFlow(0, 2, 1'000'000), MakeFlow(1, 2, 1'000'000)};
    return scenario;
}

/** When the sender of flow 0 gets its first CNP; it then cuts its rate. */
SimTime
FirstCnp(Scenario scenario, const std::string& delay)
{
    scenario.nic.Set("CnpDelay", StringValue(delay));
    TestRun run{scenario};
    for (SimTime now{}; now < SimTime::Microseconds(200); now += SimTime::Nanoseconds(100))
    {
        run.RunUntil(now);
        if (run.GetRunner().GetStatistics(0).cnpsReceived != 0)
        {
            return now;
        }
    }
    return SimTime::Never();
}

// The CNP of the same packet, 55 us later; looked at every 100 ns.
TEST(RnicAttributes, CnpDelayIsBetweenMarkAndCnp)
{
    const SimTime atOnce = FirstCnp(MakeMarked(), "0us");
    ASSERT_FALSE(atOnce.IsNever());
    EXPECT_EQ(FirstCnp(MakeMarked(), "55us"), atOnce + SimTime::Microseconds(55));
}

// A lost packet draws one NAK at the receiver; only adapters that say so add a CNP to it.
TEST(RnicAttributes, NakDrawsACnpIfAskedTo)
{
    for (const std::string asked : {"false", "true"})
    {
        Scenario scenario =
            MakeTestScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
        scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
        scenario.topology.links[1].lossRate = 0.01;
        scenario.nic.Set("CnpWithNak", StringValue(asked));
        scenario.flows = {MakeFlow(0, 1, 300'000)};
        TestRun run{scenario};
        run.RunToEnd();
        const QueuePairStatistics& statistics = run.GetRunner().GetStatistics(0);
        ASSERT_GT(statistics.naksReceived, 0U);
        EXPECT_EQ(statistics.cnpsReceived != 0, asked == "true");
        EXPECT_LE(statistics.cnpsReceived, statistics.naksReceived);
    }
}

} // namespace
} // namespace ns3::rdma
