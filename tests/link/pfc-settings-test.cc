// SPDX-License-Identifier: GPL-2.0-only
#include "base/choice-attribute.h"
#include "link/pfc-settings.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

TEST(PfcSettings, DefaultsAreOneLosslessClassAndTheStandardsResponse)
{
    const auto config = CreateObject<PfcSettings>()->GetConfig();
    ASSERT_TRUE(config);
    EXPECT_EQ(config->lossless, PriorityBit(3));
    EXPECT_EQ(config->quanta, 65535);
    EXPECT_FALSE(config->responseTime.has_value());
    EXPECT_EQ(config->refreshPercent, 50U);
    // 394 x 512 bit times at 100 Gb/s.
    EXPECT_EQ(config->GetResponseTime(BitRate::Gbps(100)).ps, 2'017'280U);
}

TEST(PfcSettings, EverythingCanBeSet)
{
    const auto settings = CreateObject<PfcSettings>();
    settings->SetAttribute("LosslessPriorities", StringValue("3 4 0"));
    settings->SetAttribute("PauseQuanta", UintegerValue(100));
    settings->SetAttribute("Response", StringValue("fixed"));
    settings->SetAttribute("ResponseTime", StringValue("250ns"));
    settings->SetAttribute("RefreshPercent", UintegerValue(80));
    const auto config = settings->GetConfig();
    ASSERT_TRUE(config);
    EXPECT_EQ(config->lossless, PriorityBit(3) | PriorityBit(4) | PriorityBit(0));
    EXPECT_TRUE(config->IsLossless(4));
    EXPECT_FALSE(config->IsLossless(5));
    EXPECT_EQ(config->quanta, 100);
    EXPECT_EQ(config->refreshPercent, 80U);
    EXPECT_EQ(config->GetResponseTime(BitRate::Gbps(10)), SimTime::Nanoseconds(250));
}

TEST(PfcSettings, DisabledMeansThatAllPrioritiesAreLossy)
{
    const auto settings = CreateObject<PfcSettings>();
    settings->SetAttribute("Enabled", BooleanValue(false));
    EXPECT_EQ(settings->GetConfig()->lossless, 0);
}

TEST(PfcSettings, LinkPauseStopsAllPriorities)
{
    const auto settings = CreateObject<PfcSettings>();
    settings->SetAttribute("Mode", StringValue("link-pause"));
    const auto config = settings->GetConfig();
    EXPECT_TRUE(config->isLinkPause);
    EXPECT_EQ(config->lossless, PriorityBit(3));
    EXPECT_TRUE(config->CanStop(0));
    EXPECT_FALSE(PfcConfig{.lossless = PriorityBit(3)}.CanStop(0));
}

TEST(PfcSettings, ModeNoneIsAsDisabled)
{
    const auto settings = CreateObject<PfcSettings>();
    settings->SetAttribute("Mode", StringValue("none"));
    EXPECT_EQ(settings->GetConfig()->lossless, 0);
    EXPECT_FALSE(settings->GetConfig()->CanStop(3));
}

TEST(PfcSettings, WrongPriorityNamesTheKey)
{
    const auto settings = CreateObject<PfcSettings>();
    settings->SetAttribute("LosslessPriorities", StringValue("3 8"));
    const auto config = settings->GetConfig();
    ASSERT_FALSE(config);
    EXPECT_EQ(config.Errors().front().key, "pfc.lossless_priorities");
    EXPECT_EQ(config.Errors().front().got, "8");
}

TEST(ParsePriorities, TakesAnyNumberOfThem)
{
    EXPECT_EQ(*ParsePriorities(""), 0);
    EXPECT_EQ(*ParsePriorities("0"), 0x01);
    EXPECT_EQ(*ParsePriorities("7 0"), 0x81);
    EXPECT_EQ(*ParsePriorities(" 3  4 "), 0x18);
    EXPECT_EQ(*ParsePriorities("0 1 2 3 4 5 6 7"), 0xff);
}

TEST(ParsePriorities, RefusesWhatIsNone)
{
    for (const char* text : {"8", "-1", "3,4", "x", "03", "3 9"})
    {
        EXPECT_FALSE(ParsePriorities(text)) << text;
    }
}

struct ResponseRow
{
    BitRate rate;
    uint32_t quanta;
    bool isTabulated;
};

// IEEE 802.3-2018 annex 31B.3.7 as SONiC tabulates it (sonic-mgmt issue 6223); between its rows the
// next faster speed's, and 1.6 Tb/s twice the quanta of 800 Gb/s, so that the time stays the same.
TEST(Pfc, ResponseTimesBySpeed)
{
    const std::vector<ResponseRow> rows{
        {BitRate::Mbps(10), 1, false},
        {BitRate::Mbps(100), 1, true},
        {BitRate::Gbps(1), 2, true},
        {BitRate::Mbps(2500), 67, false},
        {BitRate::Gbps(5), 67, false},
        {BitRate::Gbps(10), 67, true},
        {BitRate::Gbps(25), 80, true},
        {BitRate::Gbps(40), 118, true},
        {BitRate::Gbps(50), 147, true},
        {BitRate::Gbps(100), 394, true},
        {BitRate::Gbps(200), 453, true},
        {BitRate::Gbps(400), 905, true},
        {BitRate::Gbps(800), 905, true},
        {BitRate::Gbps(1600), 1810, false},
    };
    for (const ResponseRow& row : rows)
    {
        const PfcResponseTime response = GetPfcResponse(row.rate);
        EXPECT_EQ(response.quanta, row.quanta) << row.rate.bps;
        EXPECT_EQ(response.isTabulated, row.isTabulated) << row.rate.bps;
    }
}

// 512 bit times of each rate; the longest pause of any rate fits, also of one without whole ps.
TEST(Pfc, QuantaAreBitTimesOfTheirRate)
{
    EXPECT_EQ(QuantaToTime(1, BitRate::Gbps(100)).ps, 5'120U);
    EXPECT_EQ(QuantaToTime(1, BitRate::Mbps(10)).ps, 51'200'000U);
    EXPECT_EQ(QuantaToTime(65535, BitRate::Gbps(100)).ps, 335'539'200U);
    EXPECT_EQ(QuantaToTime(65535, BitRate::Gbps(400)).ps, 83'884'800U);
    EXPECT_EQ(QuantaToTime(65535, BitRate::Gbps(10)).ps, 3'355'392'000U);
    // 65535 x 512 x 1e12 / 10 000 001, rounded down.
    EXPECT_EQ(QuantaToTime(65535, BitRate{10'000'001}).ps, 3'355'391'664'460U);
}

} // namespace
} // namespace ns3::rdma
