// SPDX-License-Identifier: GPL-2.0-only
#include "link/frame-ledger.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

TEST(FrameLedger, AccountsForTheEndOfEveryFrame)
{
    FrameLedger ledger;
    Frame* consumed = ledger.Create(FrameKind::ROCE, 100);
    Frame* dropped = ledger.Create(FrameKind::ROCE, 1086);
    Frame* alsoDropped = ledger.Create(FrameKind::PFC, 64);
    Frame* held = ledger.Create(FrameKind::ROCE, 500);
    ledger.Consume(consumed);
    ledger.Drop(dropped, DropReason::HEADROOM_FULL);
    ledger.Drop(alsoDropped, DropReason::LINK_ERROR);

    EXPECT_EQ(ledger.GetCreated(), (FrameCount{4, 1750}));
    EXPECT_EQ(ledger.GetConsumed(), (FrameCount{1, 100}));
    EXPECT_EQ(ledger.GetDropped(DropReason::HEADROOM_FULL), (FrameCount{1, 1086}));
    EXPECT_EQ(ledger.GetDropped(DropReason::LINK_ERROR), (FrameCount{1, 64}));
    EXPECT_EQ(ledger.GetDropped(DropReason::NO_ROUTE), FrameCount{});
    EXPECT_EQ(held->frameBytes, 500);
}

TEST(FrameLedger, NewFrameHasNothingOfAnOldOne)
{
    FrameLedger ledger;
    Frame* frame = ledger.Create(FrameKind::ROCE, 100);
    frame->flow = 7;
    frame->priority = 5;
    frame->ecn = Ecn::CE;
    frame->payloadBytes = 38;
    ledger.Consume(frame);
    const Frame* next = ledger.Create(FrameKind::ROCE, 200);
    EXPECT_EQ(next->flow, 0U);
    EXPECT_EQ(next->priority, 0);
    EXPECT_EQ(next->ecn, Ecn::NOT_ECT);
    EXPECT_EQ(next->payloadBytes, 0);
    EXPECT_EQ(next->frameBytes, 200);
}

} // namespace
} // namespace ns3::rdma
