// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/topology/samples.h"
#include "topology/hpcc-topology-reader.h"
#include "topology/routing.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::HasSubstr;

namespace
{

struct SampleCase
{
    const char* path;
    AttributeTexts attributes;
};

class FatTreeSample : public testing::TestWithParam<SampleCase>
{
};

} // namespace

TEST_P(FatTreeSample, HasTheLinksOfTheFile)
{
    const auto path = SharedFolder("samples") / GetParam().path;
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << path << " is not here";
    }
    std::vector<std::string> notes;
    const Topology generated = MustGenerate("FatTreeTopology", GetParam().attributes);
    const auto read = ReadHpccTopology(path, notes);
    ASSERT_TRUE(read);
    EXPECT_EQ(WithoutOrigins(*read), generated.links);
    EXPECT_EQ(read->nodes.size(), generated.nodes.size());
    EXPECT_EQ(CountHosts(*read), CountHosts(generated));
}

INSTANTIATE_TEST_SUITE_P(
    FatTreeTopology,
    FatTreeSample,
    testing::Values(SampleCase{"hpcc/fat.txt", {{"Shape", "hpcc-320"}}},
                    SampleCase{"benchmark/b_topo.txt", {}},
                    SampleCase{"conweave/fat_k4_100G_OS2.txt", {{"K", "4"}, {"HostsPerEdge", "4"}}},
                    SampleCase{"conweave/fat_k8_100G_OS2.txt", {{"HostsPerEdge", "8"}}}));

TEST(FatTreeTopology, HasTheCountsOfItsDefinition)
{
    // Al-Fares et al., SIGCOMM 2008: k^3/4 hosts, k^2 switches below k^2/4 cores, 3 k^3/4 links.
    for (const uint32_t k : {2U, 4U, 6U, 16U})
    {
        const Topology topology = MustGenerate("FatTreeTopology", {{"K", std::to_string(k)}});
        EXPECT_EQ(CountHosts(topology), k * k * k / 4);
        EXPECT_EQ(topology.nodes.size(), k * k * k / 4 + k * k + k * k / 4);
        EXPECT_EQ(topology.links.size(), 3 * k * k * k / 4);
        for (const auto& ports : ComputePorts(topology))
        {
            EXPECT_TRUE(ports.size() == 1 || ports.size() == k);
        }
    }
}

TEST(FatTreeTopology, HpccShapeWithoutTheFile)
{
    const Topology topology = MustGenerate("FatTreeTopology", {{"Shape", "hpcc-320"}});
    EXPECT_EQ(CountHosts(topology), 320U);
    EXPECT_EQ(topology.nodes.size(), 320U + 20 + 20 + 16);
    EXPECT_EQ(topology.links.size(), 320U + 80 + 80);
    EXPECT_EQ(topology.links[319].rate, BitRate::Gbps(100));
    EXPECT_EQ(topology.links[320].rate, BitRate::Gbps(400));
}

TEST(FatTreeTopology, RefusesOddPorts)
{
    EXPECT_THAT(OnlyError(Generate("FatTreeTopology", {{"K", "5"}})), HasSubstr("even"));
}
