// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/component-catalog.h"
#include "tests/scenario/sample-components.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{

using testing::ElementsAre;

TEST(ComponentCatalog, WordsSplitAtCapitals)
{
    EXPECT_EQ(SplitWords("FatTree", '-'), "fat-tree");
    EXPECT_EQ(SplitWords("K", '_'), "k");
    EXPECT_EQ(SplitWords("RateAI", '_'), "rate_ai");
    EXPECT_EQ(SplitWords("CNPInterval", '_'), "cnp_interval");
    EXPECT_EQ(SplitWords("HostsPerLeaf", '_'), "hosts_per_leaf");
    EXPECT_EQ(SplitWords("Hpcc320", '-'), "hpcc320");
    EXPECT_EQ(SplitWords("", '_'), "");
}

TEST(ComponentCatalog, NamesLeaveTheNounOut)
{
    EXPECT_EQ(ComponentName("ns3::rdma::FatTreeTopology", "Topology"), "fat-tree");
    EXPECT_EQ(ComponentName("ns3::rdma::RedMarker", "Marker"), "red");
    EXPECT_EQ(ComponentName("ns3::rdma::NoCongestionControl", "CongestionControl"), "none");
    EXPECT_EQ(ComponentName("ns3::rdma::Dcqcn", "CongestionControl"), "dcqcn");
    EXPECT_EQ(ComponentName("ns3::rdma::FixedRate", "CongestionControl"), "fixed-rate");
    EXPECT_EQ(ComponentName("Marker", "Marker"), "marker");
    EXPECT_EQ(ComponentName("NodeMarker", "Marker"), "node");
}

TEST(ComponentCatalog, FindsConstructibleChildrenByName)
{
    const auto components = FindComponents("ns3::rdma::SamplePolicy", "SamplePolicy");
    ASSERT_EQ(components.size(), 2U);
    EXPECT_EQ(components[0].name, "none");
    EXPECT_EQ(components[1].name, "two-step");
    EXPECT_TRUE(FindComponents("ns3::rdma::Nowhere", "").empty());
}

TEST(ComponentCatalog, SettingsAreTheBasesFirst)
{
    const auto rules = GetSettingRules(TwoStepSamplePolicy::GetTypeId());
    ASSERT_EQ(rules.size(), 2U);
    EXPECT_EQ(rules[0].key, "limit");
    EXPECT_EQ(rules[1].key, "step");
}

TEST(ComponentCatalog, AttributesThatNoTextCanSetAreNoSettings)
{
    for (const SettingRule& rule : GetSettingRules(SampleSettings::GetTypeId()))
    {
        EXPECT_NE(rule.key, "peer");
    }
    EXPECT_EQ(GetSettingRules(SampleSettings::GetTypeId()).size(), 10U);
}

TEST(ComponentCatalog, FindsTypesByName)
{
    EXPECT_EQ(FindType("ns3::rdma::SampleSettings"), SampleSettings::GetTypeId());
    EXPECT_EQ(FindType("ns3::rdma::Nowhere"), std::nullopt);
}

} // namespace ns3::rdma
