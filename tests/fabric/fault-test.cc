// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/test-scenario.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

ObjectFactory
MakeDrop(const std::vector<std::pair<std::string, std::string>>& attributes)
{
    ObjectFactory factory{"ns3::rdma::DropFault"};
    for (const auto& [name, value] : attributes)
    {
        factory.Set(name, StringValue(value));
    }
    return factory;
}

constexpr uint32_t MTU = 1024;

/** Two hosts at a switch, a message of so many packets from h0 to h1. */
Scenario
MakeScenario(uint64_t packets, const std::string& policy)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.transport.Set("Policy", StringValue(policy));
    scenario.flows = {MakeFlow(0, 1, packets * MTU)};
    return scenario;
}

// Only the named direction is harmed: acknowledgements on the way back are no requests, and nothing
// is dropped at the other host.
TEST(Fault, StrikesTheNamedDirection)
{
    Scenario scenario = MakeScenario(100, "standard");
    scenario.faults = {MakeDrop({{"From", "s"}, {"To", "h1"}, {"Which", "5"}}),
                       MakeDrop({{"From", "h0"}, {"Frames", "acknowledge"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountDropped(DropReason::INJECTED_FAULT), 1U);
    EXPECT_EQ(run.CountFinished(), 1U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).naksReceived, 1U);
    run.ExpectInvariants();
}

TEST(Fault, PlaceWithoutACableIsRefused)
{
    Scenario scenario = MakeScenario(1, "standard");
    scenario.faults = {MakeDrop({{"From", "h0"}, {"To", "h1"}})};
    const auto fabric = Fabric::Build(scenario);
    ASSERT_FALSE(fabric);
    EXPECT_EQ(fabric.Errors()[0].key, "faults.0.action");
    EXPECT_EQ(fabric.Errors()[0].got, "from h0, to h1");
    Simulator::Destroy();
}

// Go-back-0 with a fault in each 256 packets: a message of 4096 never ends, though the link is full
// (Guo et al., SIGCOMM 2016, section 4.1). Go-back-N: it does.
TEST(Fault, LivelockOfGoBack0)
{
    for (const std::string policy : {"go-back-0", "standard"})
    {
        Scenario scenario = MakeScenario(4096, policy);
        scenario.faults = {MakeDrop({{"From", "h0"}, {"Frames", "request"}, {"Every", "256"}})};
        TestRun run{scenario};
        run.RunUntil(SimTime::Milliseconds(10));
        const bool isLivelock = policy == "go-back-0";
        EXPECT_EQ(run.CountFinished(), isLivelock ? 0U : 1U);
        EXPECT_EQ(run.GetRecord(0).deliveredBytes, isLivelock ? 0U : 4096U * MTU);
        const uint64_t line = SimTime::Milliseconds(10).ps / (1106 * 80);
        if (isLivelock)
        {
            EXPECT_GE(run.GetRunner().GetStatistics(0).packetsSent, line * 99 / 100);
        }
        EXPECT_EQ(run.GetRunner().GetStatistics(0).timeouts, 0U);
    }
}

// Go-back-0 with one loss: the whole message again. 300 packets, the last but one lost, and the
// responder takes nothing until the first packet comes.
TEST(Fault, GoBack0RepeatsTheMessage)
{
    Scenario scenario = MakeScenario(300, "go-back-0");
    scenario.faults = {MakeDrop({{"From", "h0"}, {"Frames", "request"}, {"Which", "299"}})};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 1U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).packetsSent, 600U);
    EXPECT_EQ(run.CountDropped(DropReason::DUPLICATE), 0U);
    run.ExpectInvariants();
}

} // namespace
} // namespace ns3::rdma
