// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/base-rtt.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;

namespace
{

constexpr ByteCount PAYLOAD{1000};

BaseRtt
Largest(const Topology& topology)
{
    return ComputeMaxBaseRtt(topology, ComputeRoutes(topology), PAYLOAD);
}

} // namespace

TEST(BaseRtt, ConweavesTopologiesHaveTheWindowsThatItChecks)
{
    // conweave-ns3 asserts a largest product of 104 000 bytes for its leaf-spine and 156 000 for
    // its k = 8 fat tree, both of 100 Gb/s and 1 us: 4 links 8 us + 4 x 80 ns, 6 links
    // 12 us + 6 x 80 ns, times 100 Gb/s / 8.
    const BaseRtt leafSpine = Largest(MustGenerate("LeafSpineTopology"));
    EXPECT_EQ(leafSpine.rtt, SimTime::Nanoseconds(8320));
    EXPECT_EQ(leafSpine.bdp, ByteCount{104'000});
    const BaseRtt fatTree = Largest(MustGenerate("FatTreeTopology", {{"HostsPerEdge", "8"}}));
    EXPECT_EQ(fatTree.rtt, SimTime::Nanoseconds(12'480));
    EXPECT_EQ(fatTree.bdp, ByteCount{156'000});
}

TEST(BaseRtt, TheSlowestLinkCountsOnceAndDelaysTwice)
{
    // Hosts of 25 Gb/s (320 ns a payload) around 100 Gb/s (80 ns): 2 x 3 us + 2 x 320 + 80 ns
    // = 6720 ns; x 25 Gb/s / 8 = 21 000 bytes.
    const Topology topology =
        MustGenerate("DumbbellTopology", {{"HostRate", "25Gbps"}, {"BottleneckRate", "100Gbps"}});
    const auto pair = ComputeBaseRtt(topology, ComputeRoutes(topology), {0, 10}, PAYLOAD);
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->rtt, SimTime::Nanoseconds(6720));
    EXPECT_EQ(pair->bdp, ByteCount{21'000});
    EXPECT_EQ(pair->bottleneck, BitRate::Gbps(25));
}

TEST(BaseRtt, PairsWithoutAPathHaveNone)
{
    const Topology topology = MustGenerate("StarTopology", {{"Hosts", "1"}});
    EXPECT_EQ(ComputeBaseRtt(topology, ComputeRoutes(topology), {0, 0}, PAYLOAD), std::nullopt);
    EXPECT_EQ(Largest(topology), BaseRtt{});
}

TEST(BaseRtt, LargestOfAllPairsAgreesWithTryingAll)
{
    Topology topology = MustGenerate("LeafSpineTopology",
                                     {{"Leaves", "3"}, {"Spines", "2"}, {"HostsPerLeaf", "3"}});
    topology.links[4].rate = BitRate::Gbps(400);
    topology.links[7].delay = SimTime::Microseconds(50);
    const RoutingTables routes = ComputeRoutes(topology);
    BaseRtt largest;
    for (uint32_t a = 0; a < 9; ++a)
    {
        for (uint32_t b = 0; b < 9; ++b)
        {
            const auto pair = ComputeBaseRtt(topology, routes, {a, b}, PAYLOAD);
            largest.rtt = pair ? std::max(largest.rtt, pair->rtt) : largest.rtt;
            largest.bdp = pair ? std::max(largest.bdp, pair->bdp) : largest.bdp;
        }
    }
    EXPECT_EQ(Largest(topology).rtt, largest.rtt);
    EXPECT_EQ(Largest(topology).bdp, largest.bdp);
}
