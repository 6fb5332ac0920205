// SPDX-License-Identifier: GPL-2.0-only
#include "tests/workload/generate.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::HasSubstr;

namespace
{

class FlowListWorkload : public testing::Test
{
  protected:
    void SetUp() override
    {
        m_path = TemporaryPath(testing::UnitTest::GetInstance()->current_test_info()->name());
    }

    void TearDown() override
    {
        std::filesystem::remove(m_path);
    }

    Expected<FlowList> FromFile(const std::string& text) const
    {
        std::ofstream{m_path} << text;
        return GenerateFlows(m_topology, "FlowListWorkload", {{"File", m_path}, {"Tag", "mine"}});
    }

    Topology m_topology = MustGenerate("StarTopology", {{"Hosts", "4"}});
    std::filesystem::path m_path;
};

} // namespace

TEST_F(FlowListWorkload, TakesFlowsFromTheScenarioAndSortsThem)
{
    const FlowList flows =
        MustGenerateFlows(m_topology,
                          "FlowListWorkload",
                          {{"Flows", "h2 h0 1MB 5us, h1 h0 2MB 0us"}, {"Priority", "4"}});
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].source, 1U);
    EXPECT_EQ(flows[1].source, 2U);
    EXPECT_EQ(flows[1].priority, 4);
    EXPECT_EQ(flows[1].tag, "flows");
}

TEST_F(FlowListWorkload, TellsTheTwoKindsOfFilesApart)
{
    const auto hpcc = FromFile("1\n1 0 5 200 1000 2.0\n");
    ASSERT_TRUE(hpcc) << ToString(hpcc.Errors()[0]);
    EXPECT_EQ(hpcc->front().start, SimTime::Seconds(2));
    EXPECT_EQ(hpcc->front().priority, 5);
    EXPECT_EQ(hpcc->front().destinationPort, 200);
    EXPECT_EQ(hpcc->front().tag, "mine");
    const auto table = FromFile("source,destination,bytes,start\nh1,h0,1000,2s\n");
    ASSERT_TRUE(table) << ToString(table.Errors()[0]);
    EXPECT_EQ(table->front().start, SimTime::Seconds(2));
    EXPECT_EQ(table->front().priority, 3);
    EXPECT_EQ(table->front().tag, "mine");
}

TEST_F(FlowListWorkload, WantsExactlyOneSource)
{
    EXPECT_THAT(OnlyError(GenerateFlows(m_topology, "FlowListWorkload")), HasSubstr("either"));
    EXPECT_THAT(OnlyError(GenerateFlows(
                    m_topology, "FlowListWorkload", {{"File", "f"}, {"Flows", "h1 h0 1B 0us"}})),
                HasSubstr("either"));
    EXPECT_THAT(OnlyError(GenerateFlows(m_topology, "FlowListWorkload", {{"File", "/none"}})),
                HasSubstr("does not exist"));
    EXPECT_THAT(
        OnlyError(GenerateFlows(m_topology, "FlowListWorkload", {{"Flows", "h1 h7 1MB 0us"}})),
        AllOf(HasSubstr("flows.destination"), HasSubstr("'h7'")));
}
