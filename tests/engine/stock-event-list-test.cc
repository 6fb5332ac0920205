// SPDX-License-Identifier: GPL-2.0-only
#include "engine/stock-event-list.h"

#include "ns3/make-event.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

TEST(StockEventListTest, ComparesUidsAcrossTheirWrap)
{
    EXPECT_TRUE(StockEventList::IsUidUpTo(5, 5));
    EXPECT_TRUE(StockEventList::IsUidUpTo(4, 5));
    EXPECT_FALSE(StockEventList::IsUidUpTo(6, 5));
    EXPECT_TRUE(StockEventList::IsUidUpTo(0xffffffff, 4)) << "4 is the first uid after the wrap";
    EXPECT_FALSE(StockEventList::IsUidUpTo(4, 0xffffffff));
}

TEST(StockEventListTest, OrdersByTimeThenBy64BitSequence)
{
    const Ptr<EventImpl> event{MakeEvent([]() {}), false};
    StockEventList list;
    list.SetNextSequence(0xfffffffeU);
    const uint64_t sequences[]{list.Insert(7, 0, PeekPointer(event)).sequence,
                               list.Insert(7, 0, PeekPointer(event)).sequence,
                               list.Insert(7, 0, PeekPointer(event)).sequence};
    const StockEvent early = list.Insert(6, 3, PeekPointer(event));
    EXPECT_EQ(sequences[1], 0xffffffffU);
    EXPECT_EQ(sequences[2], 0x100000004U) << "uids 0 to 3 are not given to events";
    EXPECT_EQ(list.TakeFirst().sequence, early.sequence);
    for (const uint64_t sequence : sequences)
    {
        EXPECT_EQ(list.TakeFirst().sequence, sequence);
    }
    EXPECT_TRUE(list.IsEmpty());
}

TEST(StockEventListTest, RemovesTheEventOfAnId)
{
    const Ptr<EventImpl> event{MakeEvent([]() {}), false};
    StockEventList list;
    const StockEvent kept = list.Insert(7, 0, PeekPointer(event));
    const StockEvent removed = list.Insert(7, 0, PeekPointer(event));
    const EventId id{event, removed.time, removed.context, removed.GetUid()};
    EXPECT_TRUE(list.Remove(id));
    EXPECT_FALSE(list.Remove(id));
    EXPECT_EQ(list.TakeFirst().sequence, kept.sequence);
    EXPECT_TRUE(list.IsEmpty());
}

} // namespace
} // namespace ns3::rdma
