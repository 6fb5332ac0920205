// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/routing.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(FullMeshTopology, EveryPairHasItsCable)
{
    // 8 hosts: 8 x 7 / 2 = 28 pairs, two cables each.
    const Topology topology = MustGenerate("FullMeshTopology", {{"Cables", "2"}});
    EXPECT_EQ(topology.links.size(), 56U);
    const RoutingTables routes = ComputeRoutes(topology);
    for (uint32_t a = 0; a < 8; ++a)
    {
        for (uint32_t b = 0; b < 8; ++b)
        {
            EXPECT_EQ(routes.FirstPath(a, b)->size(), a == b ? 0U : 1U);
            EXPECT_TRUE(a == b || routes.NextPorts(a, b).size() == 2);
        }
    }
}
