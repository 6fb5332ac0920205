// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/samples.h"
#include "tests/workload/generate.h"
#include "topology/hpcc-topology-reader.h"
#include "workload/hpcc-flow-reader.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::rdma;
using testing::HasSubstr;

namespace
{

Topology
Star(const std::string& hosts)
{
    return MustGenerate("StarTopology", {{"Hosts", hosts}});
}

} // namespace

TEST(PermutationWorkload, RandomOnesLeaveNobodyInPlace)
{
    const Topology topology = Star("9");
    for (uint64_t seed = 0; seed < 200; ++seed)
    {
        std::set<uint32_t> destinations;
        const FlowList flows = MustGenerateFlows(topology, "PermutationWorkload", {}, seed);
        ASSERT_EQ(flows.size(), 9U);
        for (const Flow& flow : flows)
        {
            EXPECT_NE(flow.source, flow.destination);
            destinations.insert(flow.destination);
        }
        EXPECT_EQ(destinations.size(), 9U);
    }
}

TEST(PermutationWorkload, AllDerangementsAreEquallyLikely)
{
    // 4 hosts have 9 derangements. 9000 draws: 1000 each, standard deviation
    // sqrt(9000 x 1/9 x 8/9) = 29.8; 5 of these.
    const Topology topology = Star("4");
    std::map<std::vector<uint32_t>, int> counts;
    for (uint64_t seed = 0; seed < 9000; ++seed)
    {
        std::vector<uint32_t> peers;
        for (const Flow& flow : MustGenerateFlows(topology, "PermutationWorkload", {}, seed))
        {
            peers.push_back(flow.destination);
        }
        ++counts[peers];
    }
    EXPECT_EQ(counts.size(), 9U);
    for (const auto& [peers, count] : counts)
    {
        EXPECT_NEAR(count, 1000, 149);
    }
}

TEST(PermutationWorkload, ShiftEqualsASampleOf128Hosts)
{
    const auto folder = SharedFolder("samples") / "benchmark";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << folder << " is not here";
    }
    std::vector<std::string> notes;
    const auto topology = ReadHpccTopology(folder / "b_topo.txt", notes);
    ASSERT_TRUE(topology);
    auto file = ReadHpccFlows(folder / "b_flow.txt", *topology, notes);
    ASSERT_TRUE(file);
    for (Flow& flow : *file)
    {
        flow.tag = "permutation";
    }
    EXPECT_EQ(*file,
              MustGenerateFlows(*topology,
                                "PermutationWorkload",
                                {{"Shift", "64"}, {"Bytes", "10MB"}, {"Start", "2s"}}));
}

TEST(PermutationWorkload, AmongSomeHosts)
{
    const FlowList flows = MustGenerateFlows(
        Star("9"), "PermutationWorkload", {{"Hosts", "h2,h5,h7"}, {"Shift", "1"}});
    ASSERT_EQ(flows.size(), 3U);
    EXPECT_EQ(flows[2].source, 7U);
    EXPECT_EQ(flows[2].destination, 2U);
}

TEST(PermutationWorkload, RefusesTooFewHostsAndTooFarShifts)
{
    EXPECT_THAT(OnlyError(GenerateFlows(Star("1"), "PermutationWorkload")), HasSubstr("1 hosts"));
    EXPECT_THAT(OnlyError(GenerateFlows(Star("4"), "PermutationWorkload", {{"Shift", "4"}})),
                HasSubstr("below 4"));
}
