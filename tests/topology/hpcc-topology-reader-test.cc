// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/samples.h"
#include "topology/hpcc-topology-reader.h"
#include "topology/topology-generator.h"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <random>

using namespace ns3;
using namespace ns3::rdma;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

const std::filesystem::path SAMPLES = SharedFolder("samples");

struct SampleCase
{
    const char* path;
    size_t nodes;
    size_t switches;
    size_t links;
    const char* note; ///< part of the only note; empty for none
};

/**
 * The counts are those of `head -1 file` and agree with
 * `awk 'NR>2 && NF==5 && $1<n && $2<n' file | wc -l` (n the number of nodes).
 */
class SampleTopology : public testing::TestWithParam<SampleCase>
{
};

std::vector<std::string>
Messages(const Expected<Topology>& topology)
{
    std::vector<std::string> texts;
    if (!topology)
    {
        for (const Diagnostic& diagnostic : topology.Errors())
        {
            texts.push_back(ToString(diagnostic));
        }
    }
    return texts;
}

Expected<Topology>
Parse(const std::string& text)
{
    std::vector<std::string> notes;
    return ParseHpccTopology(text, "t.txt", notes);
}

constexpr const char* THREE_NODES = "3 1 2\n"
                                    "2\n"
                                    "0 2 100Gbps 0.001ms 0\n"
                                    "1 2 25Gb/s 1500ns 0.25\n";

} // namespace

TEST_P(SampleTopology, IsReadWhole)
{
    const SampleCase& sample = GetParam();
    const std::filesystem::path path = SAMPLES / sample.path;
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << path << " is not here";
    }
    std::vector<std::string> notes;
    const auto topology = ReadHpccTopology(path, notes);
    ASSERT_THAT(Messages(topology), IsEmpty());
    EXPECT_EQ(topology->nodes.size(), sample.nodes);
    EXPECT_EQ(std::count_if(topology->nodes.begin(),
                            topology->nodes.end(),
                            [](const auto& node) { return node.kind == NodeKind::SWITCH; }),
              static_cast<ptrdiff_t>(sample.switches));
    EXPECT_EQ(topology->links.size(), sample.links);
    EXPECT_THAT(ValidateTopology(*topology), IsEmpty());
    if (*sample.note == '\0')
    {
        EXPECT_THAT(notes, IsEmpty());
    }
    else
    {
        EXPECT_THAT(notes, ElementsAre(HasSubstr(sample.note)));
    }
}

INSTANTIATE_TEST_SUITE_P(
    HpccTopologyReader,
    SampleTopology,
    testing::Values(
        // 263 lines by `grep -c '[^[:space:]]'`: 2 + 65 announced and 196 after them.
        SampleCase{"hpcc/topology.txt", 66, 1, 65, "196 lines after the 65 announced links"},
        SampleCase{"hpcc/fat.txt", 376, 56, 480, ""},
        SampleCase{"conweave/fat_k4_100G_OS2.txt", 52, 20, 64, ""},
        SampleCase{"conweave/fat_k8_100G_OS2.txt", 336, 80, 512, ""},
        SampleCase{"conweave/leaf_spine_128_100G_OS2.txt", 144, 16, 192, "6 lines after the 192"},
        SampleCase{"benchmark/a_topo.txt", 17, 1, 16, ""},
        SampleCase{"benchmark/b_topo.txt", 208, 80, 384, ""},
        SampleCase{"ns3-datacenter/topology-256.txt", 276, 20, 288, "four numbers"}));

TEST(HpccTopologyReader, KeepsOrderUnitsAndLines)
{
    const auto topology = Parse(THREE_NODES);
    ASSERT_THAT(Messages(topology), IsEmpty());
    EXPECT_EQ(topology->family, "hpcc-file");
    EXPECT_THAT(topology->nodes,
                ElementsAre(TopologyNode{NodeKind::HOST, "0"},
                            TopologyNode{NodeKind::HOST, "1"},
                            TopologyNode{NodeKind::SWITCH, "2"}));
    EXPECT_THAT(
        topology->links,
        ElementsAre(
            TopologyLink{0, 2, BitRate::Gbps(100), SimTime::Microseconds(1), 0.0, "t.txt:3"},
            TopologyLink{1, 2, BitRate::Gbps(25), SimTime::Nanoseconds(1500), 0.25, "t.txt:4"}));
}

TEST(HpccTopologyReader, KeepsParallelLinks)
{
    const auto topology = Parse("2 0 3\n0 1 10Gbps 0 0\n0 1 10Gbps 0 0\n1 0 10Gbps 0ns 0\n");
    ASSERT_THAT(Messages(topology), IsEmpty());
    EXPECT_EQ(topology->links.size(), 3U);
}

TEST(HpccTopologyReader, ReadsSimaisFirstLine)
{
    // Two GPUs (0, 1), one NVSwitch (2), one switch (3).
    std::vector<std::string> notes;
    const auto topology = ParseHpccTopology("4 2 1 1 4 H100\n2\n3\n0 2 3600Gbps 0.000025ms 0\n"
                                            "1 2 3600Gbps 0.000025ms 0\n0 3 400Gbps 0.0005ms 0\n"
                                            "1 3 400Gbps 0.0005ms 0\n",
                                            "t.txt",
                                            notes);
    ASSERT_THAT(Messages(topology), IsEmpty());
    EXPECT_EQ(topology->nodes[2].kind, NodeKind::SWITCH);
    EXPECT_EQ(topology->nodes[3].kind, NodeKind::SWITCH);
    EXPECT_EQ(topology->links[0].delay, SimTime::Nanoseconds(25));
    EXPECT_THAT(notes, ElementsAre(HasSubstr("SimAI")));
}

TEST(HpccTopologyReader, FewerLinksThanAnnouncedNamesBothNumbers)
{
    EXPECT_THAT(Messages(Parse("3 1 3\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")),
                ElementsAre(testing::AllOf(
                    HasSubstr("fewer links"), HasSubstr("2 links"), HasSubstr("expected 3"))));
}

TEST(HpccTopologyReader, MoreLinksThanAnnouncedNamesBothNumbers)
{
    EXPECT_THAT(
        Messages(Parse("3 1 1\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n")),
        ElementsAre(testing::AllOf(
            HasSubstr("t.txt:4"), HasSubstr("more links"), HasSubstr("2 links"), HasSubstr("1"))));
}

TEST(HpccTopologyReader, ReportsEveryMalformedWordWithItsPlace)
{
    const auto messages = Messages(Parse("3 1 3\n2\n"
                                         "0 7 100Gbps 1us 0\n"
                                         "0 2 100Gpbs 1us 0\n"
                                         "1 2 100Gbps 1xs 1.5\n"));
    EXPECT_THAT(messages,
                ElementsAre(testing::AllOf(HasSubstr("t.txt:3: column 3"), HasSubstr("'7'")),
                            testing::AllOf(HasSubstr("t.txt:4: column 5"), HasSubstr("100Gpbs")),
                            testing::AllOf(HasSubstr("t.txt:5: column 13"), HasSubstr("1xs")),
                            testing::AllOf(HasSubstr("t.txt:5: column 17"), HasSubstr("1.5"))));
}

TEST(HpccTopologyReader, RefusesWhatIsNoTopology)
{
    EXPECT_THAT(Messages(Parse("")), ElementsAre(HasSubstr("empty")));
    EXPECT_THAT(Messages(Parse("3 1\n")), ElementsAre(HasSubstr("2 words")));
    EXPECT_THAT(Messages(Parse("99999999999 1 1\n")), ElementsAre(HasSubstr("absurd")));
    EXPECT_THAT(Messages(Parse("3 4 1\n")), ElementsAre(HasSubstr("more switches than nodes")));
    EXPECT_THAT(Messages(Parse("3 1 1\n2 1\n")), ElementsAre(HasSubstr("switch ids")));
    EXPECT_THAT(Messages(Parse("3 2 1\n2 2\n0 2 1Gbps 1us 0\n")),
                ElementsAre(HasSubstr("listed twice")));
    EXPECT_THAT(Messages(Parse("3 1 1\n2\n1 1 1Gbps 1us 0\n")), ElementsAre(HasSubstr("itself")));
    EXPECT_THAT(Messages(Parse("3 1 1\n2\n1 2 1Gbps 1us 0 9\n")),
                ElementsAre(HasSubstr("6 words")));
}

TEST(HpccTopologyReader, SurvivesChangedBytes)
{
    std::mt19937 random{7};
    const std::string original = THREE_NODES;
    size_t refused = 0;
    for (int round = 0; round < 20'000; ++round)
    {
        std::string text = original;
        for (int change = 0; change < 3; ++change)
        {
            text[random() % text.size()] = static_cast<char>(random() % 256);
        }
        const auto topology = Parse(text);
        if (!topology)
        {
            ++refused;
            EXPECT_THAT(topology.Errors(), testing::Not(IsEmpty()));
            continue;
        }
        for (const TopologyLink& link : topology->links)
        {
            ASSERT_LT(link.a, topology->nodes.size());
            ASSERT_LT(link.b, topology->nodes.size());
        }
    }
    EXPECT_GT(refused, 10'000U); // Most positions hold a digit or a blank that matters.
}
