// SPDX-License-Identifier: GPL-2.0-only
#include "tests/topology/generate.h"
#include "topology/text-reader.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace ns3;
using namespace ns3::rdma;
using testing::ElementsAre;

TEST(TextReader, CutsLinesIntoWordsAndKnowsTheirPlace)
{
    TextReader reader{"\xef\xbb\xbf"
                      "a  bc\r\n\n \t\n\td\n"};
    std::vector<TextToken> words;
    ASSERT_TRUE(reader.Next(words));
    EXPECT_THAT(words, ElementsAre(TextToken{"a", 1, 1}, TextToken{"bc", 1, 4}));
    ASSERT_TRUE(reader.Next(words));
    EXPECT_THAT(words, ElementsAre(TextToken{"d", 4, 2}));
    EXPECT_FALSE(reader.Next(words));
    EXPECT_TRUE(words.empty());
}

TEST(TextReader, LastLineNeedsNoEnd)
{
    TextReader reader{"x"};
    std::vector<TextToken> words;
    EXPECT_TRUE(reader.Next(words));
    EXPECT_FALSE(reader.Next(words));
}

TEST(TextReader, KeepsOnlyAScreenfulOfFindings)
{
    DiagnosticList errors{"f"};
    for (uint32_t i = 0; i < DiagnosticList::MAX_KEPT + 7; ++i)
    {
        errors.Add(i, "wrong", "", "");
    }
    const Diagnostics all = errors.Take();
    EXPECT_EQ(all.size(), DiagnosticList::MAX_KEPT + 1);
    EXPECT_EQ(all.back().message, "7 further errors are not shown");
}

TEST(TextReader, RefusesWhatIsNoTextFile)
{
    EXPECT_FALSE(ReadTextFile("/nonexistent/file"));
    EXPECT_FALSE(ReadTextFile(std::filesystem::temp_directory_path()));
    const auto path = TemporaryPath("file");
    std::ofstream{path} << std::string{"a\0b", 3};
    EXPECT_FALSE(ReadTextFile(path));
    std::ofstream{path} << "a b";
    const auto text = ReadTextFile(path);
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "a b");
    std::filesystem::remove(path);
}

TEST(TextReader, WholeNumbers)
{
    EXPECT_EQ(ParseWhole("18446744073709551615"), UINT64_MAX);
    for (const char* const wrong : {"18446744073709551616", "", "-1", "+1", "1.0", "1x", "0x1"})
    {
        EXPECT_EQ(ParseWhole(wrong), std::nullopt) << wrong;
    }
}

TEST(TextReader, ScaledDecimalsAreExact)
{
    constexpr int SECONDS = 12;
    EXPECT_EQ(ParseScaled("2", SECONDS), 2'000'000'000'000U);
    EXPECT_EQ(ParseScaled("2.000000934", SECONDS), 2'000'000'934'000U);
    EXPECT_EQ(ParseScaled(".5", SECONDS), 500'000'000'000U);
    EXPECT_EQ(ParseScaled("5.", 0), 5U);
    EXPECT_EQ(ParseScaled("1e-3", SECONDS), 1'000'000'000U);
    EXPECT_EQ(ParseScaled("1E+2", 0), 100U);
    EXPECT_EQ(ParseScaled("25000000000.0", 0), 25'000'000'000U);
    // Half a picosecond rounds up, a little less down, whatever follows far behind.
    EXPECT_EQ(ParseScaled("0.0000000000005", SECONDS), 1U);
    EXPECT_EQ(ParseScaled("0.00000000000049999999", SECONDS), 0U);
    EXPECT_EQ(ParseScaled("1e-40", SECONDS), 0U);
    // 2^64 - 1 and one more.
    EXPECT_EQ(ParseScaled("18446744.073709551615", SECONDS), UINT64_MAX);
    EXPECT_EQ(ParseScaled("18446744.073709551616", SECONDS), std::nullopt);
    EXPECT_EQ(ParseScaled("1e9999999999", SECONDS), std::nullopt);
    EXPECT_EQ(ParseScaled("0e9999999999", SECONDS), 0U);
    for (const char* const wrong : {"",
                                    ".",
                                    "-1",
                                    "1.2.3",
                                    "1e",
                                    "1e-",
                                    "nan",
                                    "inf",
                                    "1s",
                                    "1234567890123456789012345678901234567"})
    {
        EXPECT_EQ(ParseScaled(wrong, SECONDS), std::nullopt) << wrong;
    }
}

TEST(TextReader, RatesAsNs3SpellsThem)
{
    EXPECT_EQ(ParseNs3Rate("100Gbps"), BitRate::Gbps(100));
    EXPECT_EQ(ParseNs3Rate("50Mb/s"), BitRate::Mbps(50));
    EXPECT_EQ(ParseNs3Rate("1GBps"), BitRate::Gbps(8));
    EXPECT_EQ(ParseNs3Rate("1KiB/s"), BitRate{8192});
    EXPECT_EQ(ParseNs3Rate("2.5Gbps"), BitRate::Mbps(2500));
    EXPECT_EQ(ParseNs3Rate("25000000000.0"), BitRate::Gbps(25));
    for (const char* const wrong : {"100Gpbs", "Gbps", "100 Gbps", "-1Gbps", "99999999999Gbps"})
    {
        EXPECT_EQ(ParseNs3Rate(wrong), std::nullopt) << wrong;
    }
}

TEST(TextReader, TimesAsNs3SpellsThem)
{
    EXPECT_EQ(ParseNs3Time("0.001ms"), SimTime::Microseconds(1));
    EXPECT_EQ(ParseNs3Time("1000ns"), SimTime::Microseconds(1));
    EXPECT_EQ(ParseNs3Time("0.000025ms"), SimTime::Nanoseconds(25));
    EXPECT_EQ(ParseNs3Time("2"), SimTime::Seconds(2));
    EXPECT_EQ(ParseNs3Time("1min"), SimTime::Seconds(60));
    EXPECT_EQ(ParseNs3Time("1500fs"), SimTime{2}); // Halves up.
    EXPECT_EQ(ParseNs3Time("1 us"), std::nullopt);
    EXPECT_EQ(ParseNs3Time("1Us"), std::nullopt);
}

TEST(TextReader, Reals)
{
    EXPECT_EQ(ParseReal("0.2"), 0.2);
    EXPECT_EQ(ParseReal("1e-6"), 1e-6);
    for (const char* const wrong : {"", "0.2x", "nan", "inf", "1e999", " 1"})
    {
        EXPECT_EQ(ParseReal(wrong), std::nullopt) << wrong;
    }
}
