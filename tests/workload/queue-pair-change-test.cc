// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/access.h"
#include "workload/queue-pair-change.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

TEST(QueuePairChange, OnlyWhatTheMaskNamesIsMerged)
{
    QueuePairChange all;
    QueuePairChange first;
    first.mask = QP_PATH_MTU | QP_RQ_PSN;
    first.pathMtu = 3;
    first.receivePsn = 17;
    first.timeout = 9; // not named
    MergeChange(all, first);
    QueuePairChange second;
    second.mask = QP_TIMEOUT;
    second.timeout = 14;
    second.pathMtu = 1; // not named
    MergeChange(all, second);
    EXPECT_EQ(all.pathMtu, 3);
    EXPECT_EQ(all.receivePsn, 17U);
    EXPECT_EQ(all.timeout, 14);
    EXPECT_EQ(all.mask, QP_PATH_MTU | QP_RQ_PSN | QP_TIMEOUT);
}

TEST(QueuePairChange, WhatIsNotSaidStaysAsItIs)
{
    QueuePairAttributes attributes;
    attributes.timeout = 20;
    QueuePairChange change;
    change.mask = QP_PATH_MTU | QP_ACCESS_FLAGS | QP_AV | QP_RATE_LIMIT | QP_SQ_PSN;
    change.pathMtu = 5;                                // ibv_mtu: 4096
    change.accessFlags = ACCESS_REMOTE_READ | 1 << 20; // relaxed ordering
    change.trafficClass = 0x20;
    change.rateLimit = 1'000'000; // kb/s
    change.sendPsn = 0xabcdef;
    TakeOverAttributes(change, attributes);
    EXPECT_EQ(attributes.timeout, 20);
    EXPECT_EQ(attributes.pathMtu, 4096);
    EXPECT_EQ(attributes.accessFlags, ACCESS_REMOTE_READ);
    EXPECT_EQ(attributes.address.trafficClass, 0x20);
    EXPECT_EQ(attributes.rateLimit, BitRate::Gbps(1));
    EXPECT_EQ(attributes.sendPsn, Psn{0xabcdef});
}

TEST(QueuePairChange, TypesHaveNames)
{
    EXPECT_EQ(NameQueuePairType(2), "RC");
    EXPECT_EQ(NameQueuePairType(4), "UD");
    EXPECT_EQ(NameQueuePairType(9), "XRC");
    EXPECT_EQ(NameQueuePairType(77), "type 77");
}

} // namespace

} // namespace ns3::rdma
