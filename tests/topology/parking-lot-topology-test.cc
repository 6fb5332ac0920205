// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/routing.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(ParkingLotTopology, IsAChain)
{
    const Topology topology =
        MustGenerate("ParkingLotTopology", {{"Switches", "4"}, {"HostsPerSwitch", "2"}});
    EXPECT_EQ(CountHosts(topology), 8U);
    EXPECT_EQ(topology.links.size(), 8U + 3);
    EXPECT_EQ(CountLinks(topology, "h3", "s1"), 1U);
    EXPECT_EQ(CountLinks(topology, "s2", "s3"), 1U);
    EXPECT_EQ(CountLinks(topology, "s0", "s3"), 0U);
    // From the first switch to the last: 2 host links and 3 of the chain.
    EXPECT_EQ(ComputeRoutes(topology).FirstPath(0, 7)->size(), 5U);
}
