// SPDX-License-Identifier: GPL-2.0-only
#include "switch/watchdog-settings.h"

#include "ns3/string.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

TEST(WatchdogSettings, AreOffByDefaultWithTheTimesOfSonic)
{
    const auto settings = CreateObject<WatchdogSettings>();
    EXPECT_EQ(settings->GetConfig().action, WatchdogAction::OFF);
    EXPECT_EQ(settings->GetConfig().detection, SimTime::Milliseconds(200));
    EXPECT_EQ(settings->GetConfig().restoration, SimTime::Milliseconds(200));
    EXPECT_EQ(settings->GetConfig().poll, SimTime::Milliseconds(100));
    EXPECT_TRUE(settings->CheckSettings().empty());
}

TEST(WatchdogSettings, ATimeBelowThePollIntervalIsAnError)
{
    const auto settings = CreateObject<WatchdogSettings>();
    settings->SetAttribute("DetectionTime", StringValue("50ms"));
    EXPECT_TRUE(settings->CheckSettings().empty()) << "nothing looks";
    settings->SetAttribute("Action", StringValue("drop"));
    ASSERT_EQ(settings->CheckSettings().size(), 1U);
    EXPECT_EQ(settings->CheckSettings()[0].key, "detection_time");
    EXPECT_EQ(settings->CheckSettings()[0].got, "50ms");
    settings->SetAttribute("PollInterval", StringValue("50ms"));
    EXPECT_TRUE(settings->CheckSettings().empty());
    settings->SetAttribute("RestorationTime", StringValue("49ms"));
    ASSERT_EQ(settings->CheckSettings().size(), 1U);
    EXPECT_EQ(settings->CheckSettings()[0].key, "restoration_time");
}

} // namespace ns3::rdma
