// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/workload/fake-fabric.h"
#include "workload/application.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;
using testing::Field;

/** Three hosts h0, h1, h2 around a switch. */
Topology
ThreeHosts()
{
    return *Make<TopologyGenerator>("StarTopology", {{"Hosts", "3"}})->Generate();
}

std::vector<std::string>
KeysOfFindings(const Topology& topology, const AttributeTexts& attributes)
{
    std::vector<std::string> keys;
    for (const Diagnostic& finding :
         Make<Application>("PerftestWorkload", attributes)->Check(topology))
    {
        keys.push_back(finding.key);
    }
    return keys;
}

TEST(PerftestWorkload, ADefaultTestIsRight)
{
    EXPECT_THAT(KeysOfFindings(ThreeHosts(), {}), ElementsAre());
}

TEST(PerftestWorkload, FindsWhatDoesNotFit)
{
    EXPECT_THAT(KeysOfFindings(ThreeHosts(), {{"Sizes", "big"}, {"Source", "nobody"}}),
                ElementsAre("sizes", "source"));
    EXPECT_THAT(KeysOfFindings(ThreeHosts(), {{"Inline", "220"}}), ElementsAre("inline"));
    EXPECT_THAT(KeysOfFindings(ThreeHosts(), {{"QueuePairs", "2"}}), ElementsAre("queue_pairs"));
}

TEST(PerftestWorkload, NeedsTwoHosts)
{
    const auto one = Make<TopologyGenerator>("StarTopology", {{"Hosts", "3"}})->Generate();
    const std::string name = one->nodes[1].name;
    EXPECT_FALSE(KeysOfFindings(*one, {{"Source", name}, {"Destination", name}}).empty());
    EXPECT_THAT(KeysOfFindings(*one, {{"Source", name + " " + one->nodes[2].name}}),
                ElementsAre("source"));
}

TEST(PerftestWorkload, RunsAndReports)
{
    const Topology topology = ThreeHosts();
    FakeFabric fabric{SimTime::Microseconds(1)};
    const auto application = Make<Application>(
        "PerftestWorkload", {{"Verb", "read"}, {"Iterations", "3"}, {"Sizes", "2B 64B"}});
    ASSERT_TRUE(application->Start(topology, fabric, SimTime{}).empty());
    EXPECT_FALSE(application->HasEnded());
    fabric.Run();
    EXPECT_TRUE(application->HasEnded());
    EXPECT_EQ(fabric.GetEndedCount(), 1U);
    EXPECT_EQ(application->GetFailure(), "");
    const ResultTable table = application->GetResults().front();
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_THAT(table.rows[1],
                testing::IsSupersetOf({"perftest", "read", "lat", "64", "3", "2.000000"}));
}

} // namespace

} // namespace ns3::rdma
