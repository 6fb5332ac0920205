// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/routing.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(RingTopology, ClosesItsChain)
{
    const Topology topology =
        MustGenerate("RingTopology", {{"Switches", "5"}, {"HostsPerSwitch", "2"}});
    EXPECT_EQ(CountHosts(topology), 10U);
    EXPECT_EQ(topology.links.size(), 10U + 5);
    EXPECT_EQ(CountLinks(topology, "h3", "s1"), 1U);
    EXPECT_EQ(CountLinks(topology, "s3", "s4"), 1U);
    EXPECT_EQ(CountLinks(topology, "s4", "s0"), 1U);
    EXPECT_EQ(CountLinks(topology, "s0", "s2"), 0U);
    // Two of five switches apart, whichever way: 2 host links and 2 of the ring.
    EXPECT_EQ(ComputeRoutes(topology).FirstPath(0, 4)->size(), 4U);
    EXPECT_EQ(ComputeRoutes(topology).FirstPath(0, 6)->size(), 4U);
}
