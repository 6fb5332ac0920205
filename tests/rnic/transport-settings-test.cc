// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transport-settings.h"
#include "transport/rc-policies.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

TEST(TransportSettings, Defaults)
{
    const auto settings = CreateObject<TransportSettings>();
    const auto defaults = settings->GetDefaults();
    ASSERT_TRUE(defaults);
    EXPECT_EQ(defaults->policy, RcPolicy{});
    EXPECT_EQ(defaults->policy.ackEvery, 1U);
    EXPECT_EQ(defaults->attributes.pathMtu, 1024U);
    EXPECT_EQ(defaults->attributes.timeout, 14);
    EXPECT_EQ(defaults->attributes.retryCount, 7);
    EXPECT_FALSE(defaults->hasRealPayload);
    EXPECT_EQ(defaults->windowBytes, 0U);
}

TEST(TransportSettings, EverythingCanBeSet)
{
    const auto settings = CreateObject<TransportSettings>();
    settings->SetAttribute("PathMtu", UintegerValue(4096));
    settings->SetAttribute("Ack", StringValue("every-16-packets"));
    settings->SetAttribute("Timeout", UintegerValue(0));
    settings->SetAttribute("RetryCount", UintegerValue(3));
    settings->SetAttribute("Window", StringValue("64KiB"));
    const auto defaults = settings->GetDefaults();
    ASSERT_TRUE(defaults);
    EXPECT_EQ(defaults->policy.ackEvery, 16U);
    EXPECT_EQ(defaults->attributes.pathMtu, 4096U);
    EXPECT_EQ(defaults->attributes.timeout, 0);
    EXPECT_EQ(defaults->attributes.retryCount, 3);
    EXPECT_EQ(defaults->windowBytes, 65'536U);
}

TEST(TransportSettings, SourcePortIsPerQueuePairFixedOrANumber)
{
    const auto settings = CreateObject<TransportSettings>();
    EXPECT_EQ(settings->GetDefaults()->attributes.address.udpSourcePort, 0); // each its own
    settings->SetAttribute("UdpSourcePort", StringValue("fixed"));
    EXPECT_EQ(settings->GetDefaults()->attributes.address.udpSourcePort, 0xc000);
    settings->SetAttribute("UdpSourcePort", StringValue("4791"));
    EXPECT_EQ(settings->GetDefaults()->attributes.address.udpSourcePort, 4791);
    for (const char* text : {"", "0", "65536", "-1", "random", "17 "})
    {
        settings->SetAttribute("UdpSourcePort", StringValue(text));
        const auto defaults = settings->GetDefaults();
        ASSERT_FALSE(defaults) << text;
        EXPECT_EQ(defaults.Errors()[0].key, "transport.udp_source_port");
    }
}

// IBTA Vol 1 Rel 1.7 table 46: code 0 is 655.36 ms, 5 is 0.06 ms.
TEST(TransportSettings, RnrTimerIsToldInTimeAndZeroIsWarnedOf)
{
    const auto settings = CreateObject<TransportSettings>();
    EXPECT_TRUE(settings->GetNotes().empty());
    EXPECT_TRUE(settings->GetWarnings().empty());
    settings->SetAttribute("MinRnrTimer", UintegerValue(5));
    EXPECT_EQ(settings->GetNotes(),
              std::vector<std::string>{"transport.min_rnr_timer: code 5 is 60us"});
    settings->SetAttribute("MinRnrTimer", UintegerValue(0));
    EXPECT_EQ(settings->GetWarnings(),
              std::vector<std::string>{"transport.min_rnr_timer: code 0 is the longest wait, "
                                       "655.36ms, not none"});
}

TEST(TransportSettings, AcknowledgementPoliciesByName)
{
    const auto settings = CreateObject<TransportSettings>();
    settings->SetAttribute("Ack", StringValue("last"));
    EXPECT_EQ(settings->GetDefaults()->policy.ackEvery, RcPolicy::ACK_LAST_OF_MESSAGE);
    settings->SetAttribute("Ack", StringValue("every-1-packets"));
    EXPECT_EQ(settings->GetDefaults()->policy.ackEvery, 1U);
}

TEST(TransportSettings, UnknownAcknowledgementRuleIsNamed)
{
    for (const char* text : {"",
                             "every",
                             "every-packets",
                             "every--packets",
                             "every-0-packets",
                             "every-x-packets",
                             "every-4x-packets",
                             "every-99999999999-packets",
                             "Last"})
    {
        const auto settings = CreateObject<TransportSettings>();
        settings->SetAttribute("Ack", StringValue(text));
        const auto defaults = settings->GetDefaults();
        ASSERT_FALSE(defaults) << text;
        EXPECT_EQ(defaults.Errors().front().key, "transport.ack");
        EXPECT_EQ(defaults.Errors().front().got, text);
    }
}

TEST(TransportSettings, PolicyByName)
{
    const auto settings = CreateObject<TransportSettings>();
    settings->SetAttribute("Policy", StringValue("rxe"));
    EXPECT_EQ(settings->GetDefaults()->policy, *FindRcPolicy("rxe"));
    settings->SetAttribute("Policy", StringValue("rx"));
    const auto defaults = settings->GetDefaults();
    ASSERT_FALSE(defaults);
    EXPECT_EQ(defaults.Errors().front().key, "transport.policy");
    EXPECT_EQ(defaults.Errors().front().nearest, "rxe");
}

TEST(TransportSettings, RealPayloadHasTheStandardsMtu)
{
    const auto settings = CreateObject<TransportSettings>();
    settings->SetAttribute("Payload", StringValue("real"));
    EXPECT_TRUE(settings->GetDefaults()->hasRealPayload);
    settings->SetAttribute("PathMtu", UintegerValue(8192));
    const auto defaults = settings->GetDefaults();
    ASSERT_FALSE(defaults);
    EXPECT_EQ(defaults.Errors().front().key, "transport.path_mtu");
}

} // namespace
} // namespace ns3::rdma
