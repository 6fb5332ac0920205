// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"

#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

Topology
Pair()
{
    Topology topology;
    topology.nodes = {{NodeKind::HOST, "a"}, {NodeKind::HOST, "b"}};
    topology.links = {{0, 1, BitRate::Gbps(100), SimTime::Microseconds(1), 0.0, "f.txt:7"}};
    return topology;
}

std::vector<std::string>
Findings(const Topology& topology)
{
    std::vector<std::string> texts;
    for (const Diagnostic& diagnostic : ValidateTopology(topology))
    {
        texts.push_back(ToString(diagnostic));
    }
    return texts;
}

} // namespace

TEST(TopologyGenerator, AcceptsTheBoundsAndNothingBeyond)
{
    for (const BitRate rate : {BitRate::Mbps(10), BitRate::Gbps(1600)})
    {
        Topology topology = Pair();
        topology.links[0].rate = rate;
        topology.links[0].delay = SimTime::Milliseconds(100);
        topology.links[0].lossRate = 1.0;
        EXPECT_THAT(Findings(topology), IsEmpty());
    }
    Topology topology = Pair();
    topology.links[0].rate = {BitRate::Mbps(10).bps - 1};
    EXPECT_THAT(Findings(topology),
                ElementsAre(AllOf(HasSubstr("f.txt:7"), HasSubstr("9999999 b/s"))));
    topology.links[0].rate = {BitRate::Gbps(1600).bps + 1};
    topology.links[0].delay = {SimTime::Milliseconds(100).ps + 1};
    topology.links[0].lossRate = 1.5;
    EXPECT_THAT(Findings(topology),
                ElementsAre(HasSubstr("rate"), HasSubstr("delay"), HasSubstr("loss")));
}

TEST(TopologyGenerator, RefusesWhatIsNoTopology)
{
    Topology topology = Pair();
    topology.nodes[1].name = "a";
    EXPECT_THAT(Findings(topology), ElementsAre(HasSubstr("same name")));
    topology.nodes[1].name = "";
    EXPECT_THAT(Findings(topology), ElementsAre(HasSubstr("no name")));
    topology = Pair();
    topology.links[0].b = 0;
    EXPECT_THAT(Findings(topology), ElementsAre(HasSubstr("itself")));
    topology.links[0].b = 2;
    EXPECT_THAT(Findings(topology), ElementsAre(HasSubstr("does not exist")));
    EXPECT_THAT(Findings({}), ElementsAre(HasSubstr("0 hosts")));
}

TEST(TopologyGenerator, RefusesAbsurdSizesWithTheNumber)
{
    // k = 1000: 250 000 000 hosts, 500 000 edge and as many aggregation switches, 250 000 cores.
    const auto fatTree = Generate("FatTreeTopology", {{"K", "1000"}});
    ASSERT_FALSE(fatTree);
    EXPECT_THAT(ToString(fatTree.Errors()[0]), HasSubstr("251250000 nodes"));
    const auto mesh = Generate("FullMeshTopology", {{"Hosts", "4294967295"}});
    ASSERT_FALSE(mesh);
    EXPECT_THAT(ToString(mesh.Errors()[0]), HasSubstr("4294967295 nodes"));
    EXPECT_THAT(OnlyError(Generate("BackToBackTopology", {{"Cables", "10000001"}})),
                HasSubstr("10000001 links"));
}

TEST(TopologyGenerator, AllFamiliesAreFoundByNameAndMakeValidTopologies)
{
    uint32_t families = 0;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        TypeId::AttributeInformation file;
        if (tid == TopologyGenerator::GetTypeId() || !tid.HasConstructor() ||
            !tid.IsChildOf(TopologyGenerator::GetTypeId()) ||
            tid.LookupAttributeByName("File", &file))
        {
            continue;
        }
        ObjectFactory factory;
        factory.SetTypeId(tid);
        const auto generator = factory.Create<TopologyGenerator>();
        const auto first = generator->Generate();
        ASSERT_TRUE(first) << tid.GetName() << ": " << ToString(first.Errors()[0]);
        EXPECT_FALSE(first->family.empty());
        EXPECT_EQ(*first, *generator->Generate()) << tid.GetName();
        // Hosts come first, so that their numbers are those of a flow file.
        bool isPastHosts = false;
        for (const TopologyNode& node : first->nodes)
        {
            isPastHosts = isPastHosts || node.kind == NodeKind::SWITCH;
            EXPECT_EQ(node.kind == NodeKind::SWITCH, isPastHosts) << tid.GetName();
        }
        ++families;
    }
    EXPECT_EQ(families, 9U);
}
