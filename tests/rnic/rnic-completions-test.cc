// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/verbs-bench.h"
#include "verbs/bring-up.h"

#include <array>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

/** Writes down when its queue raised an event, and leaves the queue as it is. */
class EventLog : public CompletionChannel
{
  public:
    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override
    {
        counts.push_back(queue.GetCount());
        times.push_back(now);
    }

    std::vector<uint32_t> counts; ///< entries at each event
    std::vector<SimTime> times;
};

/** A connection whose sender has a completion queue of its own. */
class RnicCompletions : public testing::Test
{
  protected:
    /** @param capacity of the sender's completion queue */
    void Open(uint32_t capacity)
    {
        Rnic& device = m_bench.a.GetDevice();
        ASSERT_EQ(device.CreateCompletionQueue(capacity, &m_log, m_queue), VerbsError::NONE);
        ASSERT_EQ(device.AllocateProtectionDomain(m_domain), VerbsError::NONE);
        ASSERT_EQ(device.RegisterMemory({.protectionDomain = m_domain.value, .length = 1 << 20},
                                        m_region),
                  VerbsError::NONE);
        ASSERT_EQ(device.CreateQueuePair(
                      {.protectionDomain = m_domain, .sendQueue = m_queue, .receiveQueue = m_queue},
                      m_near),
                  VerbsError::NONE);
        m_far = m_bench.b.CreateQueuePair();
        QueuePairAttributes attributes = VerbsBench::MakeAttributes();
        attributes.address.destination = 1;
        attributes.destinationQp = m_far;
        ASSERT_FALSE(BringToReadyToSend(device, m_near, attributes, {}));
        attributes.address.destination = 0;
        attributes.destinationQp = m_near;
        ASSERT_FALSE(BringToReadyToSend(m_bench.b.GetDevice(), m_far, attributes, {}));
    }

    void Write(uint64_t wrId, uint8_t flags = SEND_SIGNALED)
    {
        const ScatterGatherElement element{0, 100, m_region.lkey};
        const SendRequest request{
            .wrId = wrId, .flags = flags, .sgList = {&element, 1}, .rkey = m_bench.b.GetKey()};
        ASSERT_TRUE(m_bench.a.GetDevice().PostSend(m_near, {&request, 1}, {}).IsOk());
    }

    CompletionQueue& Queue()
    {
        return m_bench.a.GetDevice().GetCompletionQueue(m_queue);
    }

    VerbsBench m_bench;
    EventLog m_log;
    ProtectionDomainId m_domain;
    CompletionQueueId m_queue;
    MemoryRegion m_region;
    Qpn m_near;
    Qpn m_far;
};

// ibv_req_notify_cq(3): one event for each time that the queue was armed.
TEST_F(RnicCompletions, AnArmedQueueTellsOnce)
{
    Open(16);
    Queue().RequestNotify(Notify::NEXT);
    Write(1);
    Write(2);
    m_bench.Run();
    EXPECT_THAT(m_log.counts, ElementsAre(1));
    EXPECT_EQ(Queue().GetCount(), 2U);
}

// Unsignalled requests that succeed leave no entry.
TEST_F(RnicCompletions, UnsignalledSuccessIsSilent)
{
    Open(16);
    Write(1, 0);
    Write(2, 0);
    Write(3);
    m_bench.Run();
    std::array<WorkCompletion, 4> completions;
    ASSERT_EQ(Queue().Poll(completions), 1U);
    EXPECT_EQ(completions[0].wrId, 3U);
}

// Moderation (ibv_modify_cq(3)): an event after four completions, or 50 us after the first. Two
// completions come after a round trip of some 2 us: the period ends first, and late.
TEST_F(RnicCompletions, ModerationEndsWithItsPeriod)
{
    constexpr SimTime PERIOD = SimTime::Microseconds(50);
    Open(16);
    Queue().SetModeration({.count = 4, .period = PERIOD});
    Queue().RequestNotify(Notify::NEXT);
    Write(1);
    Write(2);
    m_bench.Run();
    ASSERT_THAT(m_log.counts, ElementsAre(2));
    EXPECT_GT(m_log.times[0], PERIOD + SimTime::Microseconds(2));
    EXPECT_LT(m_log.times[0], PERIOD + SimTime::Microseconds(3));
}

TEST_F(RnicCompletions, ModerationEndsWithItsCount)
{
    Open(16);
    Queue().SetModeration({.count = 4, .period = SimTime::Microseconds(50)});
    Queue().RequestNotify(Notify::NEXT);
    for (uint64_t wrId = 1; wrId <= 4; ++wrId)
    {
        Write(wrId);
    }
    m_bench.Run();
    ASSERT_THAT(m_log.counts, ElementsAre(4));
    EXPECT_LT(m_log.times[0], SimTime::Microseconds(3));
}

// A queue that overflows is lost, and so are the queue pairs that write to it; each is told once.
TEST_F(RnicCompletions, OverflowFailsQueueAndQueuePair)
{
    Open(2);
    for (uint64_t wrId = 1; wrId <= 5; ++wrId)
    {
        Write(wrId);
    }
    m_bench.Run();
    EXPECT_TRUE(Queue().HasOverflowed());
    EXPECT_THAT(m_bench.a.events,
                ElementsAre(AsyncEvent{.type = AsyncEventType::CQ_ERR, .queue = m_queue},
                            AsyncEvent{.type = AsyncEventType::QP_FATAL, .qpn = m_near}));
    EXPECT_EQ(m_bench.a.GetDevice().QueryQueuePair(m_near).attributes.state, QueuePairState::ERR);
}

// What is in use stays; then all goes, and a number that is gone is not found.
TEST_F(RnicCompletions, ObjectsGoInTheOrderOfTheirUse)
{
    Open(16);
    Rnic& device = m_bench.a.GetDevice();
    EXPECT_EQ(device.DestroyCompletionQueue(m_queue), VerbsError::BUSY);
    EXPECT_EQ(device.DeallocateProtectionDomain(m_domain), VerbsError::BUSY);
    EXPECT_EQ(device.DestroyQueuePair(m_near, {}), VerbsError::NONE);
    EXPECT_EQ(device.DestroyQueuePair(m_near, {}), VerbsError::NOT_FOUND);
    EXPECT_EQ(device.DestroyCompletionQueue(m_queue), VerbsError::NONE);
    EXPECT_EQ(device.DeregisterMemory(m_region), VerbsError::NONE);
    EXPECT_EQ(device.DeallocateProtectionDomain(m_domain), VerbsError::NONE);
}

// A queue pair that goes away in the middle of a message leaves nothing behind that would act.
TEST_F(RnicCompletions, DestroyedInTheMiddleOfAMessage)
{
    Open(16);
    for (uint64_t wrId = 1; wrId <= 50; ++wrId)
    {
        Write(wrId);
    }
    EXPECT_EQ(m_bench.a.GetDevice().DestroyQueuePair(m_near, {}), VerbsError::NONE);
    m_bench.Run();
    EXPECT_EQ(Queue().GetCount(), 0U);
    EXPECT_EQ(m_bench.run.CountDropped(DropReason::UNKNOWN_QP), 1U) << "the answer to the first";
}

} // namespace
} // namespace ns3::rdma
