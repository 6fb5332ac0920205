// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/routing.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(ClosTopology, IsTheTestbedOfTheDcqcnPaper)
{
    // Zhu et al., SIGCOMM 2015: 4 top-of-rack, 4 leaf and 2 spine switches, 40 Gb/s, 20 machines.
    const Topology topology = MustGenerate("ClosTopology");
    EXPECT_EQ(CountHosts(topology), 20U);
    EXPECT_EQ(topology.nodes.size(), 20U + 4 + 4 + 2);
    EXPECT_EQ(topology.links.size(), 20U + 4 * 2 + 4 * 2);
    EXPECT_EQ(CountLinks(topology, "tor1", "leaf0"), 1U);
    EXPECT_EQ(CountLinks(topology, "tor1", "leaf1"), 1U);
    EXPECT_EQ(CountLinks(topology, "tor1", "leaf2"), 0U);
    EXPECT_EQ(CountLinks(topology, "leaf3", "spine0"), 1U);
    EXPECT_EQ(CountLinks(topology, "leaf3", "spine1"), 1U);
    EXPECT_EQ(topology.links[0].rate, BitRate::Gbps(40));
    const RoutingTables routes = ComputeRoutes(topology);
    EXPECT_EQ(routes.FirstPath(0, 1)->size(), 2U);  // same rack
    EXPECT_EQ(routes.FirstPath(0, 5)->size(), 4U);  // same pod
    EXPECT_EQ(routes.FirstPath(0, 19)->size(), 6U); // over a spine
}
