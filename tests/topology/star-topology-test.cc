// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/topology/samples.h"
#include "topology/hpcc-topology-reader.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;

TEST(StarTopology, PortsOfTheSwitchFollowTheHosts)
{
    const Topology topology = MustGenerate(
        "StarTopology",
        {{"Hosts", "3"}, {"Rate", "400Gbps"}, {"Delay", "500ns"}, {"SwitchName", "hub"}});
    ASSERT_EQ(topology.nodes.size(), 4U);
    EXPECT_EQ(topology.nodes[2], (TopologyNode{NodeKind::HOST, "h2"}));
    EXPECT_EQ(topology.nodes[3], (TopologyNode{NodeKind::SWITCH, "hub"}));
    ASSERT_EQ(topology.links.size(), 3U);
    EXPECT_EQ(topology.links[1],
              (TopologyLink{1, 3, BitRate::Gbps(400), SimTime::Nanoseconds(500), 0.0, ""}));
}

TEST(StarTopology, SeveralNics)
{
    const Topology topology = MustGenerate("StarTopology", {{"Hosts", "2"}, {"HostNics", "3"}});
    EXPECT_EQ(CountLinks(topology, "h0", "switch"), 3U);
    EXPECT_EQ(CountLinks(topology, "h1", "switch"), 3U);
    EXPECT_EQ(topology.links.size(), 6U);
}

TEST(StarTopology, ANameOfAHostIsNoNameForTheSwitch)
{
    EXPECT_THAT(OnlyError(Generate("StarTopology", {{"SwitchName", "h1"}})),
                testing::HasSubstr("same name"));
}

TEST(StarTopology, EqualsASampleOf16Hosts)
{
    const auto path = SharedFolder("samples") / "benchmark/a_topo.txt";
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << path << " is not here";
    }
    std::vector<std::string> notes;
    EXPECT_EQ(WithoutOrigins(*ReadHpccTopology(path, notes)),
              MustGenerate("StarTopology", {{"Hosts", "16"}}).links);
}
