// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/topology/samples.h"
#include "topology/hpcc-topology-reader.h"
#include "topology/routing.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(LeafSpineTopology, EqualsConweavesFileOf128Hosts)
{
    const auto path = SharedFolder("samples") / "conweave/leaf_spine_128_100G_OS2.txt";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << path << " is not here";
    }
    std::vector<std::string> notes;
    EXPECT_EQ(WithoutOrigins(*ReadHpccTopology(path, notes)),
              MustGenerate("LeafSpineTopology").links);
}

TEST(LeafSpineTopology, ParallelLinksAndTwoSpeeds)
{
    const Topology topology = MustGenerate("LeafSpineTopology",
                                           {{"Leaves", "2"},
                                            {"Spines", "2"},
                                            {"HostsPerLeaf", "3"},
                                            {"ParallelLinks", "2"},
                                            {"HostRate", "25Gbps"},
                                            {"FabricRate", "100Gbps"}});
    EXPECT_EQ(topology.links.size(), 6U + 2 * 2 * 2);
    EXPECT_EQ(CountLinks(topology, "leaf1", "spine0"), 2U);
    EXPECT_EQ(topology.links.front().rate, BitRate::Gbps(25));
    EXPECT_EQ(topology.links.back().rate, BitRate::Gbps(100));
    // From leaf0 (node 6) to a host of leaf1: 2 spines by 2 cables, after 3 host ports.
    const RoutingTables routes = ComputeRoutes(topology);
    EXPECT_THAT(routes.NextPorts(6, 5), testing::ElementsAre(3, 4, 5, 6));
}

TEST(LeafSpineTopology, TheNicsOfAHostHangOnLeavesOfTheirOwn)
{
    const Topology topology = MustGenerate(
        "LeafSpineTopology", {{"Leaves", "3"}, {"HostsPerLeaf", "1"}, {"HostNics", "2"}});
    EXPECT_EQ(CountLinks(topology, "h2", "leaf2"), 1U);
    EXPECT_EQ(CountLinks(topology, "h2", "leaf0"), 1U);
    EXPECT_EQ(CountLinks(topology, "h2", "leaf1"), 0U);
    EXPECT_THAT(OnlyError(Generate("LeafSpineTopology", {{"Leaves", "3"}, {"HostNics", "4"}})),
                testing::HasSubstr("host_nics"));
}
