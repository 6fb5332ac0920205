// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(BackToBackTopology, IsTwoHostsAndTheirCables)
{
    const Topology topology = MustGenerate("BackToBackTopology", {{"Cables", "4"}});
    EXPECT_EQ(CountHosts(topology), 2U);
    EXPECT_EQ(topology.nodes.size(), 2U);
    EXPECT_EQ(CountLinks(topology, "h0", "h1"), 4U);
}
