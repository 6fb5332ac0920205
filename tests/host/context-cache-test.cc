// SPDX-License-Identifier: GPL-2.0-only
#include "host/context-cache.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

TEST(ContextCache, WithoutLimitHoldsAll)
{
    ContextCache cache{0};
    EXPECT_TRUE(cache.Touch(Qpn{2}));
    EXPECT_TRUE(cache.Touch(Qpn{16777215}));
}

TEST(ContextCache, DropsTheLeastRecentlyUsed)
{
    ContextCache cache{2};
    EXPECT_FALSE(cache.Touch(Qpn{2}));
    EXPECT_FALSE(cache.Touch(Qpn{3}));
    EXPECT_TRUE(cache.Touch(Qpn{2}));  // now 3 is the oldest
    EXPECT_FALSE(cache.Touch(Qpn{4})); // in the place of 3
    EXPECT_TRUE(cache.Touch(Qpn{2}));
    EXPECT_TRUE(cache.Touch(Qpn{4}));
    EXPECT_FALSE(cache.Touch(Qpn{3}));
}

TEST(ContextCache, ATurnOfOneMoreThanItHoldsAlwaysMisses)
{
    constexpr uint32_t ENTRIES = 8;
    ContextCache cache{ENTRIES};
    for (int turn = 0; turn < 3; ++turn)
    {
        for (uint32_t qpn = 0; qpn <= ENTRIES; ++qpn)
        {
            EXPECT_FALSE(cache.Touch(Qpn{qpn}));
        }
    }
}

TEST(ContextCache, OfOneEntryHoldsTheLast)
{
    ContextCache cache{1};
    EXPECT_FALSE(cache.Touch(Qpn{5}));
    EXPECT_TRUE(cache.Touch(Qpn{5}));
    EXPECT_FALSE(cache.Touch(Qpn{6}));
    EXPECT_FALSE(cache.Touch(Qpn{5}));
}

} // namespace

} // namespace ns3::rdma
