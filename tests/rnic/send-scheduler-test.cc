// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/send-scheduler.h"

#include <gmock/gmock.h>
#include <memory>
#include <vector>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr SimTime NS = SimTime::Nanoseconds(1);
constexpr PriorityMask ALL = 0xff;

/** Queue pairs that a test gives messages and lets send one packet each turn. */
class SendSchedulerTest : public testing::Test
{
  protected:
    /** A queue pair with a message of so many packets. */
    QueuePair& Make(uint8_t priority, uint32_t packets)
    {
        const Qpn qpn{static_cast<uint32_t>(m_pairs.size())};
        m_pairs.push_back(std::make_unique<QueuePair>(
            QueuePairResources{.policy = &m_policy, .memory = &m_memory}, qpn, QueuePairInit{}));
        QueuePair& pair = *m_pairs.back();
        pair.attributes.address.priority = priority;
        pair.requester.Start(Psn{0});
        if (packets != 0)
        {
            const ScatterGatherElement element{0, packets * MTU, m_region.lkey};
            const SendRequest request{.sgList = {&element, 1}};
            pair.requester.Post({&request, 1});
        }
        return pair;
    }

    /** The number of the queue pair whose turn it is; it sends a packet. */
    std::size_t Send(uint8_t priority, SimTime now, SimTime gap = {})
    {
        QueuePair& pair = m_scheduler.Front(priority);
        pair.requester.Next(now, pair.windowBytes);
        pair.nextSend = now + gap;
        m_scheduler.AfterSend(pair);
        std::size_t number = 0;
        while (m_pairs[number].get() != &pair)
        {
            ++number;
        }
        return number;
    }

    static constexpr uint32_t MTU = 1024;

    SendSchedulerTest()
    {
        m_memory.Register({.length = UINT64_MAX, .access = ACCESS_ALL}, m_region);
    }

    RcPolicy m_policy;
    MemoryTable m_memory;
    MemoryRegion m_region;
    SendScheduler m_scheduler;
    std::vector<std::unique_ptr<QueuePair>> m_pairs;
};

TEST_F(SendSchedulerTest, NothingToSend)
{
    m_scheduler.Update(Make(3, 0), {});
    EXPECT_TRUE(m_scheduler.NextReady({}, ALL).IsNever());
    EXPECT_EQ(m_scheduler.ReadyPriority({}, ALL), -1);
}

TEST_F(SendSchedulerTest, TakesTurnsUntilAllAreDone)
{
    for (const uint64_t packets : {1, 3, 2})
    {
        m_scheduler.Update(Make(3, packets), {});
    }
    std::vector<std::size_t> order;
    while (m_scheduler.ReadyPriority({}, ALL) == 3)
    {
        order.push_back(Send(3, {}));
    }
    EXPECT_THAT(order, ElementsAre(0, 1, 2, 1, 2, 1));
}

// Told again of one that is ready already, it keeps its place.
TEST_F(SendSchedulerTest, UpdateKeepsThePlace)
{
    for (int pair = 0; pair < 3; ++pair)
    {
        m_scheduler.Update(Make(3, 10), {});
    }
    EXPECT_EQ(Send(3, {}), 0U);
    m_scheduler.Update(*m_pairs[0], {});
    m_scheduler.Update(*m_pairs[2], {});
    EXPECT_EQ(Send(3, {}), 1U);
    EXPECT_EQ(Send(3, {}), 2U);
    EXPECT_EQ(Send(3, {}), 0U);
}

TEST_F(SendSchedulerTest, HighestOpenPriorityIsReady)
{
    m_scheduler.Update(Make(2, 5), {});
    m_scheduler.Update(Make(6, 5), {});
    EXPECT_EQ(m_scheduler.ReadyPriority({}, ALL), 6);
    EXPECT_EQ(m_scheduler.ReadyPriority({}, PriorityBit(2) | PriorityBit(4)), 2);
    EXPECT_EQ(m_scheduler.ReadyPriority({}, PriorityBit(4)), -1);
    EXPECT_EQ(m_scheduler.NextReady(5 * NS, PriorityBit(2)), 5 * NS);
    EXPECT_TRUE(m_scheduler.NextReady({}, PriorityBit(4)).IsNever());
}

// A full window takes a queue pair out of the ring; an acknowledgement brings it back, at the end.
TEST_F(SendSchedulerTest, FullWindowWaitsForTheAcknowledgement)
{
    for (int pair = 0; pair < 2; ++pair)
    {
        m_scheduler.Update(Make(3, 10), {});
    }
    m_pairs[0]->windowBytes = MTU;
    EXPECT_EQ(Send(3, {}), 0U);
    EXPECT_EQ(m_pairs[0]->sendState, SendState::IDLE);
    EXPECT_EQ(Send(3, {}), 1U);
    EXPECT_EQ(Send(3, {}), 1U);
    m_pairs[0]->requester.OnAcknowledge({.syndrome = 0x1f, .msn = 0}, Psn{0}, {});
    m_scheduler.Update(*m_pairs[0], {});
    EXPECT_EQ(Send(3, {}), 1U);
    EXPECT_EQ(Send(3, {}), 0U);
}

TEST_F(SendSchedulerTest, PacedOneWaitsForItsTime)
{
    QueuePair& pair = Make(3, 10);
    pair.isPaced = true;
    pair.paceTimePerByte = 800.0;
    m_scheduler.Update(pair, {});
    EXPECT_EQ(Send(3, {}, 100 * NS), 0U);
    EXPECT_EQ(pair.sendState, SendState::PACED);
    EXPECT_EQ(m_scheduler.NextReady(10 * NS, ALL), 100 * NS);
    EXPECT_EQ(m_scheduler.ReadyPriority(99 * NS, ALL), -1);
    EXPECT_TRUE(m_scheduler.NextReady(10 * NS, PriorityBit(4)).IsNever());
    EXPECT_EQ(m_scheduler.ReadyPriority(100 * NS, ALL), 3);
    EXPECT_EQ(m_scheduler.NextReady(150 * NS, ALL), 150 * NS);
}

// Paced ones are released by time, equal times in the order of their sending.
TEST_F(SendSchedulerTest, PacedOnesComeByTime)
{
    for (const uint64_t gap : {300, 100, 200, 100})
    {
        QueuePair& pair = Make(3, 10);
        pair.isPaced = true;
        pair.paceTimePerByte = 800.0;
        m_scheduler.Update(pair, {});
        EXPECT_EQ(m_scheduler.ReadyPriority({}, ALL), 3);
        Send(3, {}, gap * NS);
    }
    EXPECT_EQ(m_scheduler.ReadyPriority(300 * NS, ALL), 3);
    std::vector<std::size_t> order;
    for (int turn = 0; turn < 4; ++turn)
    {
        order.push_back(Send(3, 300 * NS, 1000 * NS));
    }
    EXPECT_THAT(order, ElementsAre(1, 3, 2, 0));
}

// One that ran out of work while it was paced leaves an entry that must not bring it back.
TEST_F(SendSchedulerTest, EntryOfAnIdleOneIsStale)
{
    QueuePair& pair = Make(3, 2);
    pair.isPaced = true;
    pair.paceTimePerByte = 800.0;
    m_scheduler.Update(pair, {});
    Send(3, {}, 100 * NS);
    pair.windowBytes = 1;
    m_scheduler.Update(pair, {});
    EXPECT_EQ(pair.sendState, SendState::IDLE);
    EXPECT_TRUE(m_scheduler.NextReady(50 * NS, ALL).IsNever());
    EXPECT_EQ(m_scheduler.ReadyPriority(200 * NS, ALL), -1);
    pair.windowBytes = SendLimits::NO_WINDOW;
    m_scheduler.Update(pair, 200 * NS);
    EXPECT_EQ(m_scheduler.ReadyPriority(200 * NS, ALL), 3);
}

// Idle and paced again for the same time leaves two entries of one time: it may enter the ring
// once.
TEST_F(SendSchedulerTest, TwoEntriesOfOneTimeEnterOnce)
{
    QueuePair& pair = Make(3, 5);
    pair.isPaced = true;
    pair.paceTimePerByte = 800.0;
    m_scheduler.Update(pair, {});
    Send(3, {}, 100 * NS);
    pair.windowBytes = 1;
    m_scheduler.Update(pair, 10 * NS);
    pair.windowBytes = SendLimits::NO_WINDOW;
    m_scheduler.Update(pair, 20 * NS);
    EXPECT_EQ(m_scheduler.ReadyPriority(100 * NS, ALL), 3);
    EXPECT_EQ(pair.nextReady, &pair) << "alone in its ring";
    m_scheduler.Update(Make(3, 5), 100 * NS);
    EXPECT_EQ(Send(3, 100 * NS, 50 * NS), 0U);
    EXPECT_EQ(Send(3, 100 * NS), 1U);
    EXPECT_EQ(Send(3, 100 * NS), 1U);
}

} // namespace
} // namespace ns3::rdma
