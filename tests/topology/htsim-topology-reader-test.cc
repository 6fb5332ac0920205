// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "tests/topology/samples.h"
#include "topology/htsim-topology-reader.h"
#include "topology/topology-generator.h"

#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace
{

/** Twelve hosts in three pods of two tor and two agg switches, bundles of two, speeds that differ.
 */
const std::string THREE_TIERS = "# a comment\n"
                                "nodes 12\n"
                                "TIERS 3\n"
                                "Podsize 4\n"
                                "\n"
                                "Tier 0\n"
                                "Downlink_speed_Gbps 100\n"
                                "Downlink_Latency_ns 500\n"
                                "Radix_Down 2\n"
                                "Radix_Up 4\n"
                                "Queue_Up 90000\n"
                                "Tier 1\n"
                                "Downlink_speed_Gbps 50\n"
                                "Downlink_Latency_ns 1000\n"
                                "Radix_Down 4\n"
                                "Radix_Up 2\n"
                                "Bundle 2\n"
                                "Oversubscribed 1\n"
                                "Switch_Latency_ns 300\n"
                                "Tier 2\n"
                                "Downlink_speed_Gbps 100\n"
                                "Downlink_Latency_ns 2000\n"
                                "Radix_Down 3\n"
                                "Queue_Down 7\n";

struct Parsed
{
    Topology topology;
    std::vector<std::string> notes;
    std::vector<std::string> errors;
};

Parsed
Parse(const std::string& text)
{
    Parsed parsed;
    const auto topology = ParseHtsimTopology(text, "x.topo", parsed.notes);
    if (topology)
    {
        parsed.topology = *topology;
        EXPECT_THAT(ValidateTopology(*topology), IsEmpty());
        return parsed;
    }
    for (const Diagnostic& diagnostic : topology.Errors())
    {
        parsed.errors.push_back(ToString(diagnostic));
    }
    return parsed;
}

/** The text with a line in place of another. */
std::string
With(const std::string& line, const std::string& other)
{
    std::string text = THREE_TIERS;
    const size_t at = text.find(line + "\n");
    EXPECT_NE(at, std::string::npos) << line;
    return text.replace(at, line.size(), other);
}

/** How many links there are between two kinds of nodes: "h-tor", with rate and delay. */
std::map<std::string, size_t>
CountKinds(const Topology& topology)
{
    const auto kind = [&](uint32_t node)
    {
        const std::string& name = topology.nodes[node].name;
        return name.substr(0, name.find_first_of("0123456789"));
    };
    std::map<std::string, size_t> counts;
    for (const TopologyLink& link : topology.links)
    {
        counts[kind(link.a) + "-" + kind(link.b) + " " +
               std::to_string(link.rate.bps / 1'000'000'000) + " Gb/s " +
               std::to_string(link.delay.ps / 1000) + " ns"]++;
    }
    for (const TopologyNode& node : topology.nodes)
    {
        counts[node.name.substr(0, node.name.find_first_of("0123456789"))]++;
    }
    return counts;
}

} // namespace

/** Counts by hand: 12/2 tors, 4/2 aggs a pod, 2 x 2 cores; 4 uplinks a tor, 2 an agg. */
TEST(HtsimTopologyReader, ReadsThreeTiersWithBundlesAndSpeeds)
{
    const Parsed parsed = Parse(THREE_TIERS);
    ASSERT_THAT(parsed.errors, IsEmpty());
    const std::map<std::string, size_t> expected{{"h", 12},
                                                 {"tor", 6},
                                                 {"agg", 6},
                                                 {"core", 4},
                                                 {"h-tor 100 Gb/s 500 ns", 12},
                                                 {"tor-agg 50 Gb/s 1000 ns", 24},
                                                 {"agg-core 100 Gb/s 2000 ns", 12}};
    EXPECT_EQ(CountKinds(parsed.topology), expected);
    EXPECT_EQ(CountLinks(parsed.topology, "h3", "tor1"), 1U);
    EXPECT_EQ(CountLinks(parsed.topology, "tor1", "agg0"), 2U);
    EXPECT_EQ(CountLinks(parsed.topology, "tor1", "agg2"), 0U) << "another pod";
    EXPECT_EQ(CountLinks(parsed.topology, "agg3", "core1"), 1U) << "the second of its pod";
    EXPECT_EQ(CountLinks(parsed.topology, "agg3", "core3"), 1U);
    EXPECT_EQ(CountLinks(parsed.topology, "agg3", "core2"), 0U);
    EXPECT_THAT(parsed.notes,
                ElementsAre(HasSubstr("tier 0: Queue_Up 90000 bytes"),
                            HasSubstr("tier 1: Switch_Latency_ns 300 is not modelled"),
                            HasSubstr("tier 2: Queue_Down 7 bytes")));
}

TEST(HtsimTopologyReader, ReportsEveryWordThatIsWrong)
{
    EXPECT_THAT(Parse(With("Radix_Up 4", "Radix_Upp 4")).errors,
                ElementsAre(AllOf(HasSubstr("x.topo:10: unknown word"), HasSubstr("'Radix_Up'")),
                            AllOf(HasSubstr("x.topo:6: a value is missing"),
                                  HasSubstr("Radix_Up of tier 0"))));
    EXPECT_THAT(Parse(With("Tier 2", "Tier 1")).errors, testing::Contains(HasSubstr("x.topo:20")));
    EXPECT_THAT(Parse(With("Tier 0", "Tier 3")).errors,
                testing::Contains(HasSubstr("no such tier")));
    EXPECT_THAT(Parse(With("Bundle 2", "Bundle two")).errors,
                ElementsAre(HasSubstr("Bundle takes one number")));
    EXPECT_THAT(Parse(With("Downlink_speed_Gbps 50", "Downlink_speed_Gbps 1601")).errors,
                testing::Contains(HasSubstr("1 to 1600")));
    EXPECT_THAT(Parse("Nodes 4\nTiers 2\nBundle 1\n").errors,
                testing::Contains(HasSubstr("belongs to no tier")));
    EXPECT_THAT(Parse("").errors,
                ElementsAre(HasSubstr("Nodes"), HasSubstr("Tiers"), HasSubstr("Podsize")));
    EXPECT_THAT(Parse(THREE_TIERS + "Radix_Up 2\n").errors,
                ElementsAre(HasSubstr("the top tier has nothing above it")));
}

TEST(HtsimTopologyReader, ReportsNumbersThatDoNotAgree)
{
    EXPECT_THAT(Parse(With("Podsize 4", "Podsize 5")).errors,
                testing::Contains(HasSubstr("Podsize does not divide Nodes")));
    EXPECT_THAT(Parse(With("Oversubscribed 1", "Oversubscribed 4")).errors,
                ElementsAre(AllOf(HasSubstr("tier 1: Oversubscribed"),
                                  HasSubstr("200 Gb/s down over 200 Gb/s up"))));
    EXPECT_THAT(Parse(With("Radix_Down 3", "Radix_Down 4")).errors,
                ElementsAre(AllOf(HasSubstr("x.topo:23: Radix_Down of tier 2"), HasSubstr("3:"))));
    EXPECT_THAT(Parse(With("Bundle 2", "Bundle 3")).errors,
                testing::Contains(HasSubstr("Bundle of tier 1")));
    EXPECT_THAT(Parse("Nodes 8\nTiers 2\nPodsize 4\nTier 0\nDownlink_speed_Gbps 1\n"
                      "Downlink_Latency_ns 1\nRadix_Down 2\nRadix_Up 2\nTier 1\n"
                      "Downlink_speed_Gbps 1\nDownlink_Latency_ns 1\nRadix_Down 2\n")
                    .errors,
                ElementsAre(HasSubstr("two tiers are one pod")));
}

TEST(HtsimTopologyReader, RefusesWhatIsAbsurdlyLargeBeforeItIsMade)
{
    EXPECT_THAT(Parse("Nodes 1000000\nTiers 2\nPodsize 1000000\nTier 0\nDownlink_speed_Gbps 1\n"
                      "Downlink_Latency_ns 1\nRadix_Down 20\nRadix_Up 65535\nOversubscribed 1\n"
                      "Tier 1\nDownlink_speed_Gbps 1\nDownlink_Latency_ns 1\nRadix_Down 50000\n")
                    .errors,
                testing::Contains(HasSubstr("the topology would be too large")));
}

struct SampleCase
{
    const char* file;
    size_t hosts;
    size_t tors;
    size_t aggs;
    size_t cores;
    size_t links;
};

class HtsimSamples : public testing::TestWithParam<SampleCase>
{
};

/** The counts are those of tests/topology/count_htsim_topology.py, which says how they follow. */
TEST_P(HtsimSamples, AreReadWhole)
{
    const auto path = SharedFolder("samples") / "htsim" / GetParam().file;
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no " << path;
    }
    const auto generator = Make<TopologyGenerator>("HtsimFileTopology", {{"File", path.string()}});
    const auto topology = generator->Generate();
    ASSERT_TRUE(topology) << ToString(topology.Errors());
    const auto counts = CountKinds(*topology);
    const auto count = [&](const char* kind)
    { return counts.contains(kind) ? counts.at(kind) : 0; };
    EXPECT_EQ(count("h"), GetParam().hosts);
    EXPECT_EQ(count("tor"), GetParam().tors);
    EXPECT_EQ(count("agg"), GetParam().aggs);
    EXPECT_EQ(count("core"), GetParam().cores);
    EXPECT_EQ(topology->links.size(), GetParam().links);
    for (const TopologyLink& link : topology->links)
    {
        EXPECT_EQ(link.rate, BitRate::Gbps(100));
        EXPECT_EQ(link.delay, SimTime::Microseconds(1));
    }
    EXPECT_THAT(generator->Notes(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(HtsimTopologyReader,
                         HtsimSamples,
                         testing::Values(SampleCase{"fat_tree_128_1os.topo", 128, 32, 32, 16, 384},
                                         SampleCase{"fat_tree_128_4os.topo", 128, 32, 32, 4, 288},
                                         SampleCase{"leaf_spine_1024.topo", 1024, 32, 32, 0, 2048},
                                         SampleCase{"leaf_spine_tiny.topo", 32, 4, 2, 0, 40}));
