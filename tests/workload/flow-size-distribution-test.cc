// SPDX-License-Identifier: GPL-2.0-only
#include "engine/random-stream.h"
#include "tests/support/source-folder.h"
#include "tests/topology/generate.h"
#include "tests/topology/samples.h"
#include "workload/flow-size-distribution.h"

#include <gmock/gmock.h>
#include <random>

using namespace ns3;
using namespace ns3::rdma;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using Shape = FlowSizeDistribution::Shape;

namespace
{

struct Parsed
{
    Expected<FlowSizeDistribution> result;
    std::vector<std::string> notes;
};

Parsed
Parse(const std::string& text, const DistributionOptions& options = {})
{
    std::vector<std::string> notes;
    auto result = FlowSizeDistribution::Parse(text, "d.csv", options, notes);
    return {std::move(result), std::move(notes)};
}

std::vector<std::string>
Errors(const std::string& text)
{
    const Parsed parsed = Parse(text);
    std::vector<std::string> texts;
    if (!parsed.result)
    {
        for (const Diagnostic& diagnostic : parsed.result.Errors())
        {
            texts.push_back(ToString(diagnostic));
        }
    }
    return texts;
}

struct FileCase
{
    const char* file;
    double mean; ///< bytes, as the comment of the file states it
    Shape shape;
};

class PublishedDistribution : public testing::TestWithParam<FileCase>
{
};

} // namespace

TEST_P(PublishedDistribution, HasTheMeanThatItStates)
{
    const auto path = SharedFolder("reference") / "flow-size-cdf" / GetParam().file;
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << path << " is not here";
    }
    std::vector<std::string> notes;
    const auto sizes = FlowSizeDistribution::Load(path, "", {}, notes);
    ASSERT_TRUE(sizes) << ToString(sizes.Errors()[0]);
    EXPECT_NEAR(sizes->GetMeanBytes(), GetParam().mean, 0.001 * GetParam().mean);
    EXPECT_EQ(sizes->GetShape(), GetParam().shape);
    EXPECT_THAT(notes, ElementsAre(AllOf(HasSubstr("points"), HasSubstr("mean"))));
}

INSTANTIATE_TEST_SUITE_P(
    FlowSizeDistribution,
    PublishedDistribution,
    testing::Values(FileCase{"alistorage2019_hpcc.csv", 40'870, Shape::LINES},
                    FileCase{"datamining_abm.csv", 5'036'535, Shape::LINES},
                    FileCase{"datamining_conweave.csv", 7'487'884, Shape::LINES},
                    FileCase{"datamining_vl2_hkust.csv", 12'658'199, Shape::LINES},
                    FileCase{"fb_cache_hkust.csv", 342.2, Shape::LINES},
                    FileCase{"fb_cachefollower_conweave.csv", 712'574, Shape::LINES},
                    FileCase{"fb_hadoop2015_conweave.csv", 121'849, Shape::LINES},
                    FileCase{"fb_hadoop_all_homa.csv", 127'796.6, Shape::STEPS},
                    FileCase{"fb_hadoop_hpcc.csv", 120'421, Shape::LINES},
                    FileCase{"fb_webserver_conweave.csv", 66'121, Shape::LINES},
                    FileCase{"google_allrpc_homa.csv", 2'927.354, Shape::STEPS},
                    FileCase{"google_rpc2008_hpcc.csv", 2'892, Shape::LINES},
                    FileCase{"google_searchrpc_homa.csv", 440.7907, Shape::STEPS},
                    FileCase{"websearch_conweave_search.csv", 1'710'004, Shape::LINES},
                    FileCase{"websearch_dctcp_hkust.csv", 1'711'250, Shape::LINES},
                    // 1622.94 packets of 1500 bytes.
                    FileCase{"websearch_dctcp_packets_homa.csv", 2'434'410, Shape::STEPS},
                    FileCase{"websearch_hpcc.csv", 1'711'250, Shape::LINES},
                    FileCase{"websearch_powertcp.csv", 1'711'222, Shape::LINES}));

TEST(FlowSizeDistribution, ShippedOnesAreFoundByName)
{
    const auto folder = (GetSourceFolder() / "scenarios/workloads").string();
    std::vector<std::string> notes;
    for (const auto& [name, mean] : {std::pair{"websearch", 1'711'250.0},
                                     std::pair{"websearch-powertcp", 1'711'222.5},
                                     std::pair{"fb-hadoop", 120'420.8},
                                     std::pair{"alistorage", 40'869.8},
                                     std::pair{"google-rpc", 2'891.6},
                                     std::pair{"data-mining", 12'658'198.6}})
    {
        const auto sizes = FlowSizeDistribution::Load(name, folder, {}, notes);
        ASSERT_TRUE(sizes) << name;
        EXPECT_NEAR(sizes->GetMeanBytes(), mean, 0.5) << name;
    }
    EXPECT_THAT(OnlyError(FlowSizeDistribution::Load("websaerch", folder, {}, notes)),
                AllOf(HasSubstr("'websearch'"), HasSubstr("google-rpc")));
}

TEST(FlowSizeDistribution, TakesPercentAndFractionsAlike)
{
    const Parsed percent = Parse("0 0\n1000 50\n3000 100\n");
    const Parsed fraction = Parse("# a comment\nsize_bytes,cdf\n0,0\n1000,0.5\n3000,1.0\n");
    ASSERT_TRUE(percent.result);
    ASSERT_TRUE(fraction.result);
    EXPECT_EQ(percent.result->GetPoints(), fraction.result->GetPoints());
    // 0.5 x 500 + 0.5 x 2000.
    EXPECT_DOUBLE_EQ(percent.result->GetMeanBytes(), 1250.0);
    EXPECT_THAT(percent.notes,
                ElementsAre(AllOf(HasSubstr("percent"), HasSubstr("bytes"), HasSubstr("1250"))));
    EXPECT_THAT(fraction.notes, ElementsAre(HasSubstr("probabilities 0 to 1")));
}

TEST(FlowSizeDistribution, TakesPackets)
{
    // ns-2's three columns; a column's name; a comment; the user's word.
    EXPECT_EQ(Parse("1 1 0\n3 1 1\n").result->GetMeanBytes(), 3000.0);
    EXPECT_EQ(Parse("size_packets,cdf\n1,0\n3,1\n").result->GetMeanBytes(), 3000.0);
    EXPECT_EQ(Parse("# in packets\n1,0\n3,1\n").result->GetMeanBytes(), 3000.0);
    EXPECT_EQ(Parse("1,0\n3,1\n", {SizeUnit::PACKETS, 1000}).result->GetMeanBytes(), 2000.0);
    EXPECT_EQ(Parse("# in packets\n1,0\n3,1\n", {SizeUnit::BYTES, 1000}).result->GetMeanBytes(),
              2.0);
    EXPECT_EQ(Parse("# no packets\nsize_bytes cdf\n1,0\n3,1\n").result->GetMeanBytes(), 2.0);
}

TEST(FlowSizeDistribution, AStatedMeanDecidesBetweenLinesAndSteps)
{
    // Steps: 0.5 x 100 + 0.5 x 300 = 200; lines, with 0.5 at 100 itself: 0.5 x 100 + 0.5 x 200.
    const Parsed steps = Parse("200\n100 0.5\n300 1\n");
    ASSERT_TRUE(steps.result);
    EXPECT_EQ(steps.result->GetShape(), Shape::STEPS);
    EXPECT_EQ(steps.result->Quantile(0.4), 100U);
    EXPECT_EQ(steps.result->Quantile(0.6), 300U);
    const Parsed lines = Parse("150\n100 0.5\n300 1\n");
    EXPECT_EQ(lines.result->GetShape(), Shape::LINES);
    EXPECT_EQ(lines.result->Quantile(0.4), 100U);
    EXPECT_EQ(lines.result->Quantile(0.75), 200U);
    EXPECT_THAT(Parse("999\n100 0.5\n300 1\n").notes, ElementsAre(HasSubstr("fits neither")));
}

TEST(FlowSizeDistribution, InterpolatesLikeTheHpccGenerator)
{
    // x0 + (x1 - x0) (u - y0) / (y1 - y0), rounded down, never 0; a step where x repeats.
    const Parsed parsed = Parse("0 0\n10000 0.15\n20000 0.2\n20000 0.6\n50000 1\n");
    ASSERT_TRUE(parsed.result);
    EXPECT_EQ(parsed.result->Quantile(0.0), 1U);
    EXPECT_EQ(parsed.result->Quantile(0.075), 5000U);
    EXPECT_NEAR(static_cast<double>(parsed.result->Quantile(0.175)), 15'000.0, 1.0);
    EXPECT_EQ(parsed.result->Quantile(0.4), 20'000U);
    EXPECT_NEAR(static_cast<double>(parsed.result->Quantile(0.8)), 35'000.0, 1.0);
    EXPECT_LE(parsed.result->Quantile(0.9999999), 50'000U);
}

TEST(FlowSizeDistribution, DrawsHaveTheMean)
{
    const Parsed parsed = Parse("0 0\n1000 50\n3000 100\n");
    RandomStream stream{3, "flow-size-distribution-test"};
    constexpr int DRAWS = 100'000;
    double sum = 0.0;
    for (int i = 0; i < DRAWS; ++i)
    {
        sum += static_cast<double>(parsed.result->Quantile(stream.NextUniform()));
    }
    // Second moment 0.5 x (1000^2 / 3) + 0.5 x (1000^2 + 3000 x 1000 + 3000^2) / 3 = 2.33e6;
    // variance 2.33e6 - 1250^2 = 7.7e5; standard error 877 / 316 = 2.8 bytes; five of these.
    EXPECT_NEAR(sum / DRAWS, 1250.0, 14.0);
}

TEST(FlowSizeDistribution, ReportsEveryMistakeWithItsLine)
{
    EXPECT_THAT(
        Errors("0 0\n-5 0.1\nx 0.2\n10 0.5 7 9\n5 0.6\n20 0.4\n30 1\n"),
        ElementsAre(AllOf(HasSubstr("d.csv:2"), HasSubstr("not a size")),
                    HasSubstr("d.csv:2"), // and below the size before
                    AllOf(HasSubstr("d.csv:3"), HasSubstr("not a size")),
                    AllOf(HasSubstr("d.csv:4"), HasSubstr("4 columns")),
                    AllOf(HasSubstr("d.csv:6"), HasSubstr("below that of the line before"))));
    EXPECT_THAT(Errors("0 0\n10 0.9\n"), ElementsAre(HasSubstr("neither 1 nor 100")));
    EXPECT_THAT(Errors("10 1\n"), ElementsAre(HasSubstr("too few points")));
    EXPECT_THAT(Errors(""), ElementsAre(HasSubstr("too few points")));
    EXPECT_THAT(Errors("0 0\n0 1\n"), ElementsAre(HasSubstr("below one byte")));
}

TEST(FlowSizeDistribution, SurvivesChangedBytes)
{
    std::mt19937 random{13};
    const std::string original = "# mean 1711250\n0 0\n10000 15\n20000 20\n30000000 100\n";
    for (int round = 0; round < 20'000; ++round)
    {
        std::string text = original;
        text[random() % text.size()] = static_cast<char>(random() % 256);
        text[random() % text.size()] = static_cast<char>(random() % 256);
        const Parsed parsed = Parse(text);
        if (!parsed.result)
        {
            continue;
        }
        uint64_t last = 0;
        for (const double u : {0.0, 0.1, 0.5, 0.9, 0.999})
        {
            ASSERT_GE(parsed.result->Quantile(u), std::max<uint64_t>(last, 1)) << text;
            last = parsed.result->Quantile(u);
        }
    }
}
