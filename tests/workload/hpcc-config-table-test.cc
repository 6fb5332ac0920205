// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hpcc-config-table.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace ns3::rdma;

TEST(HpccConfigTable, RowsAreWhole)
{
    std::set<std::string_view> names;
    for (const HpccKey& key : GetHpccKeys())
    {
        EXPECT_TRUE(names.insert(key.name).second) << key.name;
        EXPECT_EQ(key.use == HpccUse::SETTING, !key.scenarioKey.empty()) << key.name;
        EXPECT_EQ(key.use == HpccUse::SETTING, key.conversion != HpccConversion::NONE) << key.name;
        EXPECT_EQ(key.use == HpccUse::ACCEPTED, !key.accepted.empty()) << key.name;
        EXPECT_EQ(key.use == HpccUse::ACCEPTED, !key.reason.empty()) << key.name;
        EXPECT_EQ(FindHpccKey(key.name), &key);
    }
    // The keys of that simulator's own configuration (mix/config.txt) and of its descendants.
    EXPECT_GE(names.size(), 50U);
}

TEST(HpccConfigTable, FindsFamiliesAndNothingElse)
{
    EXPECT_EQ(FindHpccKey("CONWEAVE_TX_EXPIRY_TIME"), FindHpccKey("CONWEAVE_ANYTHING"));
    EXPECT_NE(FindHpccKey("CONWEAVE_TX_EXPIRY_TIME"), nullptr);
    EXPECT_EQ(FindHpccKey("cc_mode"), nullptr);
    EXPECT_EQ(FindHpccKey(""), nullptr);
}

TEST(HpccConfigTable, NumbersOfAlgorithms)
{
    EXPECT_EQ(HpccAlgorithmName(1), "dcqcn");
    EXPECT_EQ(HpccAlgorithmName(3), "hpcc");
    EXPECT_EQ(HpccAlgorithmName(10), "hpcc-pint");
    EXPECT_EQ(HpccAlgorithmName(2), "");
}
