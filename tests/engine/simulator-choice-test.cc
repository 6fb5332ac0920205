// SPDX-License-Identifier: GPL-2.0-only
#include "engine/simulator-choice.h"

#include "ns3/nstime.h"
#include "ns3/simulator-impl.h"
#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::Contains;

class SimulatorChoiceTest : public testing::Test
{
  protected:
    void TearDown() override
    {
        Simulator::Destroy();
    }

    static std::string GetRunning()
    {
        return Simulator::GetImplementation()->GetInstanceTypeId().GetName();
    }
};

TEST_F(SimulatorChoiceTest, MakesTheEngineTheRunningOne)
{
    EXPECT_THAT(GetEngineNames(), Contains("fabric"));
    for (const std::string& name : GetEngineNames())
    {
        EXPECT_FALSE(SelectEngine(name).has_value()) << name;
        EXPECT_EQ(GetRunning(),
                  name == "fabric" ? "ns3::rdma::FabricSimulatorImpl"
                                   : "ns3::DefaultSimulatorImpl");
        Simulator::Destroy();
    }
}

TEST_F(SimulatorChoiceTest, NamesTheKnownEnginesToWhoMisspeltOne)
{
    const auto problem = SelectEngine("fabrik");
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->got, "fabrik");
    EXPECT_EQ(problem->nearest, "fabric");
    EXPECT_EQ(problem->knownNames, GetEngineNames());
}

TEST_F(SimulatorChoiceTest, RefusesWhenAnotherImplementationRuns)
{
    ASSERT_FALSE(SelectEngine("map").has_value());
    const auto problem = SelectEngine("fabric");
    ASSERT_TRUE(problem.has_value());
    EXPECT_EQ(problem->got, "ns3::DefaultSimulatorImpl");
    EXPECT_EQ(problem->expected, "ns3::rdma::FabricSimulatorImpl");
    EXPECT_FALSE(SelectEngine("calendar").has_value()) << "another scheduler needs no new one";
}

} // namespace
} // namespace ns3::rdma
