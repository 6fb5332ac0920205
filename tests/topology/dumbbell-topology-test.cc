// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"

using namespace ns3;
using namespace ns3::rdma;

TEST(DumbbellTopology, HasItsBottleneckInTheMiddle)
{
    const Topology topology = MustGenerate("DumbbellTopology",
                                           {{"LeftHosts", "2"},
                                            {"RightHosts", "3"},
                                            {"BottleneckCables", "2"},
                                            {"BottleneckRate", "40Gbps"},
                                            {"BottleneckDelay", "5us"}});
    EXPECT_EQ(CountHosts(topology), 5U);
    EXPECT_EQ(CountLinks(topology, "l1", "left"), 1U);
    EXPECT_EQ(CountLinks(topology, "r2", "right"), 1U);
    EXPECT_EQ(CountLinks(topology, "left", "right"), 2U);
    EXPECT_EQ(topology.links.size(), 7U);
    EXPECT_EQ(topology.links.back().rate, BitRate::Gbps(40));
    EXPECT_EQ(topology.links.back().delay, SimTime::Microseconds(5));
    EXPECT_EQ(topology.links.front().rate, BitRate::Gbps(100));
}

TEST(DumbbellTopology, TheBottleneckIsAsFastAsTheHostsUnlessSaid)
{
    const Topology topology = MustGenerate("DumbbellTopology", {{"HostRate", "10Gbps"}});
    EXPECT_EQ(topology.links.back().rate, BitRate::Gbps(10));
}
