// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "workload/flow-table-reader.h"

#include <gmock/gmock.h>
#include <random>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

Topology
Star()
{
    return MustGenerate("StarTopology", {{"Hosts", "4"}});
}

std::vector<std::string>
Texts(const Expected<FlowList>& flows)
{
    std::vector<std::string> texts;
    if (!flows)
    {
        for (const Diagnostic& diagnostic : flows.Errors())
        {
            texts.push_back(ToString(diagnostic));
        }
    }
    return texts;
}

Expected<FlowList>
Table(const std::string& text)
{
    Flow prototype;
    prototype.tag = "default";
    return ParseFlowTable(text, "f.csv", Star(), prototype);
}

Expected<FlowList>
Line(const std::string& text)
{
    return ParseFlowText(text, Star(), Flow{});
}

} // namespace

TEST(FlowTableReader, ReadsColumnsInAnyOrder)
{
    const auto flows = Table("# made by hand\r\n"
                             "start_us, bytes ,source,destination,priority,rate,tag\r\n"
                             "1.5,64KB,h1,h0,5,10Gbps,victim\r\n"
                             "\r\n"
                             "0,1000,h2,h0,3,1Gbps,other\r\n");
    ASSERT_THAT(Texts(flows), testing::IsEmpty());
    ASSERT_EQ(flows->size(), 2U);
    const Flow& first = (*flows)[0];
    EXPECT_EQ(first.source, 1U);
    EXPECT_EQ(first.destination, 0U);
    EXPECT_EQ(first.bytes, 64'000U);
    EXPECT_EQ(first.start, SimTime{1'500'000});
    EXPECT_EQ(first.priority, 5);
    EXPECT_EQ(first.rate, BitRate::Gbps(10));
    EXPECT_EQ(first.tag, "victim");
}

TEST(FlowTableReader, EveryUnitOfTheStart)
{
    for (const auto& [column, text] : {std::pair{"start", "2us"},
                                       std::pair{"start_ps", "2000000"},
                                       std::pair{"start_ns", "2000"},
                                       std::pair{"start_us", "2"},
                                       std::pair{"start_s", "0.000002"}})
    {
        const auto flows =
            Table(std::string{"source,destination,bytes,"} + column + "\nh1,h0,1," + text + "\n");
        ASSERT_TRUE(flows) << column;
        EXPECT_EQ(flows->front().start, SimTime::Microseconds(2)) << column;
        EXPECT_EQ(flows->front().tag, "default");
    }
}

TEST(FlowTableReader, ReportsEveryMistake)
{
    EXPECT_THAT(Texts(Table("source,destination,bytes,strat\n")),
                ElementsAre(AllOf(HasSubstr("f.csv:1"), HasSubstr("'start'")),
                            HasSubstr("must have one column")));
    EXPECT_THAT(Texts(Table("source,source,bytes,start\n")),
                ElementsAre(HasSubstr("twice"), HasSubstr("expected destination")));
    EXPECT_THAT(Texts(Table("")), ElementsAre(HasSubstr("empty")));
    EXPECT_THAT(Texts(Table("source,destination,bytes,start,priority,rate\n"
                            "h9,h0,1,0us,3,1Gbps\n"
                            "h1,h0,0,0us,3,1Gbps\n"
                            "h1,h0,1,5,3,1Gbps\n"
                            "h1,h0,1,0us,8,1Gbps\n"
                            "h1,h0,1,0us,3,1\n"
                            "h1,h0,1,0us\n")),
                ElementsAre(AllOf(HasSubstr("f.csv:2: source"), HasSubstr("'h9'")),
                            HasSubstr("f.csv:3: bytes"),
                            HasSubstr("f.csv:4: start"),
                            HasSubstr("f.csv:5: priority"),
                            HasSubstr("f.csv:6: rate"),
                            AllOf(HasSubstr("f.csv:7"), HasSubstr("'4'"))));
}

TEST(FlowTableReader, ReadsFlowsInOneLine)
{
    const auto flows = Line("h1 h0 1MB 0us, h2 h0 64KiB 10us priority=5 tag=victim");
    ASSERT_THAT(Texts(flows), testing::IsEmpty());
    ASSERT_EQ(flows->size(), 2U);
    EXPECT_EQ((*flows)[0].bytes, 1'000'000U);
    EXPECT_EQ((*flows)[1].bytes, 65'536U);
    EXPECT_EQ((*flows)[1].start, SimTime::Microseconds(10));
    EXPECT_EQ((*flows)[1].priority, 5);
    EXPECT_EQ((*flows)[1].tag, "victim");
}

TEST(FlowTableReader, RefusesIncompleteLines)
{
    EXPECT_THAT(Texts(Line("h1 h0 1MB")), ElementsAre(HasSubstr("flow 0 is incomplete")));
    EXPECT_THAT(Texts(Line("h1 h0 1MB 0us, ")), ElementsAre(HasSubstr("flow 1 is incomplete")));
    EXPECT_THAT(Texts(Line("h1 h0 1MB 0us color=red")), ElementsAre(HasSubstr("color=red")));
    EXPECT_THAT(Texts(Line("h1 h0 1MB 0us 5")), ElementsAre(HasSubstr("not understood")));
}

TEST(FlowTableReader, SurvivesChangedBytes)
{
    std::mt19937 random{23};
    const std::string original = "source,destination,bytes,start\nh1,h0,1MB,0us\nh2,h3,5,7ns\n";
    size_t refused = 0;
    for (int round = 0; round < 10'000; ++round)
    {
        std::string text = original;
        text[random() % text.size()] = static_cast<char>(random() % 256);
        refused += Table(text) ? 0 : 1;
        refused += Line(text) ? 0 : 1;
    }
    EXPECT_GT(refused, 10'000U);
}
