// SPDX-License-Identifier: GPL-2.0-only
#include "switch/traffic-classifier.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

TrafficClassifier
Make(const TrustAttributes& attributes, const std::string& name = "leaf0")
{
    const auto classifier = TrafficClassifier::Make(attributes, name);
    EXPECT_TRUE(classifier);
    return *classifier;
}

// RFC 2474: class selector n is DSCP 8 n; mlnx_qos puts DSCP 8 n to 8 n + 7 into priority n.
TEST(TrafficClassifier, WithoutMapsADscpBelongsToItsClassSelector)
{
    const TrafficClassifier classifier;
    for (uint8_t dscp = 0; dscp < DSCP_COUNT; ++dscp)
    {
        EXPECT_EQ(classifier.Classify({.dscp = dscp}), dscp / 8) << int{dscp};
    }
    for (uint8_t priority = 0; priority < PRIORITY_COUNT; ++priority)
    {
        EXPECT_EQ(classifier.Classify({.dscp = ClassSelector(priority)}), priority);
    }
}

TEST(TrafficClassifier, MapOfDscp)
{
    const TrafficClassifier classifier = Make({.dscpMap = "*:1 26:3 48:6"});
    EXPECT_EQ(classifier.Classify({.dscp = 26}), 3);
    EXPECT_EQ(classifier.Classify({.dscp = 48}), 6);
    EXPECT_EQ(classifier.Classify({.dscp = 24}), 1);
}

TEST(TrafficClassifier, EntriesOfOneSwitchComeLast)
{
    const TrustAttributes attributes{.dscpMap = "26:3", .dscpMapAt = "leaf0 26:0; leaf1 24:5"};
    EXPECT_EQ(Make(attributes, "leaf0").Classify({.dscp = 26}), 0);
    EXPECT_EQ(Make(attributes, "leaf1").Classify({.dscp = 26}), 3);
    EXPECT_EQ(Make(attributes, "leaf1").Classify({.dscp = 24}), 5);
}

TEST(TrafficClassifier, PcpOrTheDefaultWithoutATag)
{
    const TrafficClassifier classifier =
        Make({.trust = Trust::PCP, .pcpMap = "3:4", .defaultPriority = 2});
    EXPECT_EQ(classifier.Classify({.dscp = 26, .pcp = 3}), 4);
    EXPECT_EQ(classifier.Classify({.dscp = 26, .pcp = 7}), 7);
    EXPECT_EQ(classifier.Classify({.dscp = 26}), 2);
}

TEST(TrafficClassifier, PortAlone)
{
    const TrafficClassifier classifier = Make({.trust = Trust::PORT, .defaultPriority = 5});
    EXPECT_EQ(classifier.Classify({.dscp = 26, .pcp = 3}), 5);
}

TEST(TrafficClassifier, ErrorsNameTheirKeys)
{
    const auto result = TrafficClassifier::Make(
        {.dscpMap = "64:1", .dscpMapAt = "leaf0 1:8", .pcpMap = "8:0"}, "leaf0");
    ASSERT_FALSE(result);
    std::vector<std::string> keys;
    for (const Diagnostic& error : result.Errors())
    {
        keys.push_back(error.key);
        EXPECT_FALSE(error.expected.empty());
    }
    EXPECT_THAT(keys, testing::UnorderedElementsAre("dscp_map", "dscp_map_at", "pcp_map"));
}

} // namespace
} // namespace ns3::rdma
