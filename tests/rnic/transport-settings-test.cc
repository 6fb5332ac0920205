// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transport-settings.h"

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
    const auto config = settings->GetConfig();
    ASSERT_TRUE(config);
    EXPECT_EQ(config->pathMtu, 1024U);
    EXPECT_EQ(config->ackEvery, 1U);
    EXPECT_EQ(config->retryCount, 7);
    // 4.096 us x 2^14 = 67.108864 ms.
    EXPECT_EQ(config->GetTimeout().ps, 67'108'864'000U);
    EXPECT_EQ(settings->GetWindow().value, 0U);
}

TEST(TransportSettings, EverythingCanBeSet)
{
    const auto settings = CreateObject<TransportSettings>();
    settings->SetAttribute("PathMtu", UintegerValue(4096));
    settings->SetAttribute("Ack", StringValue("every-16-packets"));
    settings->SetAttribute("Timeout", UintegerValue(0));
    settings->SetAttribute("RetryCount", UintegerValue(3));
    settings->SetAttribute("Window", StringValue("64KiB"));
    const auto config = settings->GetConfig();
    ASSERT_TRUE(config);
    EXPECT_EQ(*config,
              (RcConfig{.pathMtu = 4096, .ackEvery = 16, .timeoutCode = 0, .retryCount = 3}));
    EXPECT_TRUE(config->GetTimeout().IsNever());
    EXPECT_EQ(settings->GetWindow().value, 65'536U);
}

TEST(TransportSettings, AcknowledgementPoliciesByName)
{
    const auto settings = CreateObject<TransportSettings>();
    settings->SetAttribute("Ack", StringValue("last"));
    EXPECT_EQ(settings->GetConfig()->ackEvery, RcConfig::ACK_LAST_OF_MESSAGE);
    settings->SetAttribute("Ack", StringValue("every-1-packets"));
    EXPECT_EQ(settings->GetConfig()->ackEvery, 1U);
}

TEST(TransportSettings, UnknownPolicyIsNamed)
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
        const auto config = settings->GetConfig();
        ASSERT_FALSE(config) << text;
        EXPECT_EQ(config.Errors().front().key, "transport.ack");
        EXPECT_EQ(config.Errors().front().got, text);
    }
}

} // namespace
} // namespace ns3::rdma
