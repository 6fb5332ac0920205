// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/instrument-filter.h"
#include "tests/support/test-scenario.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

namespace
{

InstrumentFilter
MakeFilter(const FilterTexts& texts)
{
    auto filter = InstrumentFilter::Parse(texts);
    EXPECT_TRUE(filter);
    return filter ? *filter : InstrumentFilter{};
}

} // namespace

TEST(InstrumentFilter, WithoutTextsEverythingPasses)
{
    const InstrumentFilter filter = MakeFilter({});
    EXPECT_TRUE(filter.HasPlace("h0", 7));
    EXPECT_TRUE(filter.HasPriority(7));
    EXPECT_TRUE(filter.HasFlow(1'000'000));
    EXPECT_TRUE(filter.HasAllFlows());
}

TEST(InstrumentFilter, APlaceIsANodeOfTheListAndAPortOfTheOther)
{
    const InstrumentFilter filter = MakeFilter({.nodes = "s0, s1", .ports = "0 2-3"});
    EXPECT_TRUE(filter.HasPlace("s0", 0));
    EXPECT_TRUE(filter.HasPlace("s1", 3));
    EXPECT_FALSE(filter.HasPlace("s1", 1));
    EXPECT_FALSE(filter.HasPlace("s2", 0));
    EXPECT_FALSE(filter.HasNode("s"));
}

TEST(InstrumentFilter, WordsThatCannotBeReadAreNamedByTheirKeys)
{
    const auto filter = InstrumentFilter::Parse({.ports = "x", .priorities = "8", .flows = "5-1"});
    ASSERT_FALSE(filter);
    std::vector<std::string> keys;
    for (const Diagnostic& error : filter.Errors())
    {
        keys.push_back(error.key);
    }
    EXPECT_THAT(keys, testing::ElementsAre("ports", "priorities", "flows"));
}

// A star of three hosts: s has ports 0 to 2, a host has port 0.
TEST(InstrumentFilter, PortsAreThoseOfTheListedNodes)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, BitRate::Gbps(100), SimTime{}));
    EXPECT_TRUE(MakeFilter({.ports = "2"}).FindUnknown(scenario).empty());
    EXPECT_TRUE(MakeFilter({.nodes = "h1 s", .ports = "2"}).FindUnknown(scenario).empty());
    EXPECT_EQ(MakeFilter({.ports = "3"}).FindUnknown(scenario).size(), 1U);
    EXPECT_EQ(MakeFilter({.nodes = "h1", .ports = "1"}).FindUnknown(scenario).size(), 1U);
    EXPECT_EQ(MakeFilter({.flows = "0"}).FindUnknown(scenario).size(), 1U) << "there is no flow";
}

} // namespace ns3::rdma
