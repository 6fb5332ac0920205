// SPDX-License-Identifier: GPL-2.0-only
#include "verbs/completion-queue.h"

#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

constexpr SimTime NOW = SimTime::Microseconds(10);
constexpr bool PLAIN = false;
constexpr bool SOLICITED = true;

/** Notes events; arms the queue again if it is told to. */
class NotingChannel : public CompletionChannel
{
  public:
    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override
    {
        times.push_back(now);
        numbers.push_back(queue.GetNumber());
        entries.push_back(queue.GetCount());
        queue.RequestNotify(again);
    }

    Notify again{Notify::NONE};
    std::vector<SimTime> times;
    std::vector<uint32_t> numbers;
    std::vector<uint32_t> entries;
};

WorkCompletion
Success(uint64_t wrId)
{
    return {.wrId = wrId};
}

WorkCompletion
Error(uint64_t wrId)
{
    return {.wrId = wrId, .status = CompletionStatus::WR_FLUSH_ERR};
}

TEST(CompletionQueue, CompletionsArePolledInTheirOrder)
{
    CompletionQueue queue{1, 8, nullptr};
    std::deque<uint64_t> inside;
    std::array<WorkCompletion, 5> out;
    uint64_t next = 0;
    // Pushes and polls of unequal number, so that each filling and each place in the ring occur.
    for (std::size_t step = 0; step < 200; ++step)
    {
        for (std::size_t i = 0; i < step % 4 && inside.size() < 8; ++i)
        {
            inside.push_back(next);
            ASSERT_TRUE(queue.Push(Success(next++), PLAIN, NOW));
        }
        const std::size_t wanted = step % 6;
        const std::size_t got = queue.Poll(std::span{out}.first(std::min(wanted, out.size())));
        ASSERT_EQ(got, std::min({wanted, out.size(), inside.size()}));
        for (std::size_t i = 0; i < got; ++i)
        {
            ASSERT_EQ(out[i].wrId, inside.front());
            inside.pop_front();
        }
        ASSERT_EQ(queue.GetCount(), inside.size());
    }
}

/** ibv_create_cq(3): it holds cqe entries; one more is an overrun, IBV_EVENT_CQ_ERR. */
TEST(CompletionQueue, AnOverflowEndsItsUse)
{
    NotingChannel channel;
    CompletionQueue queue{1, 2, &channel};
    EXPECT_TRUE(queue.Push(Success(1), PLAIN, NOW));
    EXPECT_TRUE(queue.Push(Success(2), PLAIN, NOW));
    EXPECT_FALSE(queue.HasOverflowed());
    queue.RequestNotify(Notify::NEXT);
    EXPECT_FALSE(queue.Push(Success(3), PLAIN, NOW));
    EXPECT_TRUE(queue.HasOverflowed());
    EXPECT_TRUE(channel.times.empty());
    std::array<WorkCompletion, 4> out;
    EXPECT_EQ(queue.Poll(out), 2U);
    EXPECT_EQ(out[1].wrId, 2U);
    EXPECT_FALSE(queue.Push(Success(4), PLAIN, NOW)) << "there is room, but it has lost something";
    EXPECT_EQ(queue.GetCount(), 0U);
}

/** ibv_resize_cq(3): at least the number of entries that are not polled. */
TEST(CompletionQueue, IsResizedToWhatHoldsItsEntries)
{
    CompletionQueue queue{1, 2, nullptr};
    ASSERT_TRUE(queue.Push(Success(1), PLAIN, NOW));
    ASSERT_TRUE(queue.Push(Success(2), PLAIN, NOW));
    EXPECT_EQ(queue.Resize(1), VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(queue.GetCapacity(), 2U);
    EXPECT_EQ(queue.Resize(3), VerbsError::NONE);
    EXPECT_TRUE(queue.Push(Success(3), PLAIN, NOW));
    EXPECT_EQ(queue.Resize(3), VerbsError::NONE);
    std::array<WorkCompletion, 3> out;
    EXPECT_EQ(queue.Poll(out), 3U);
    EXPECT_EQ(out[2].wrId, 3U);
    EXPECT_EQ(queue.Resize(1), VerbsError::NONE);
    EXPECT_TRUE(queue.Push(Success(4), PLAIN, NOW));
    EXPECT_FALSE(queue.Push(Success(5), PLAIN, NOW));
    EXPECT_EQ(CompletionQueue(1, 2, nullptr).Resize(0), VerbsError::INVALID_ARGUMENT);
}

/** ibv_req_notify_cq(3): one shot, upon the addition of a new entry. */
TEST(CompletionQueue, OneRequestGivesOneEventOfANewEntry)
{
    NotingChannel channel;
    CompletionQueue queue{7, 8, &channel};
    ASSERT_TRUE(queue.Push(Success(1), SOLICITED, NOW));
    EXPECT_TRUE(channel.times.empty()) << "not armed";
    queue.RequestNotify(Notify::NEXT);
    EXPECT_TRUE(channel.times.empty()) << "an entry that was there raises no event";
    ASSERT_TRUE(queue.Push(Success(2), PLAIN, NOW));
    EXPECT_EQ(channel.times, std::vector{NOW});
    EXPECT_EQ(channel.numbers, std::vector{7U});
    EXPECT_EQ(channel.entries, std::vector{2U}) << "the entry is there when the event comes";
    ASSERT_TRUE(queue.Push(Error(3), PLAIN, NOW));
    EXPECT_EQ(channel.times.size(), 1U) << "one shot";
    channel.again = Notify::NEXT;
    queue.RequestNotify(Notify::NEXT);
    ASSERT_TRUE(queue.Push(Success(4), PLAIN, NOW));
    ASSERT_TRUE(queue.Push(Success(5), PLAIN, NOW));
    EXPECT_EQ(channel.times.size(), 3U) << "armed again by the handler";
}

/** ibv_req_notify_cq(3): solicited are receives with the SE bit, and all that is no success. */
TEST(CompletionQueue, SolicitedOnlyWaitsForASolicitedOrAnError)
{
    NotingChannel channel;
    CompletionQueue queue{1, 8, &channel};
    queue.RequestNotify(Notify::SOLICITED);
    ASSERT_TRUE(queue.Push(Success(1), PLAIN, NOW));
    EXPECT_EQ(channel.times.size(), 0U);
    ASSERT_TRUE(queue.Push(Success(2), SOLICITED, NOW));
    EXPECT_EQ(channel.times.size(), 1U);
    queue.RequestNotify(Notify::SOLICITED);
    ASSERT_TRUE(queue.Push(Success(3), PLAIN, NOW));
    ASSERT_TRUE(queue.Push(Error(4), PLAIN, NOW));
    EXPECT_EQ(channel.times.size(), 2U);
}

/** IBTA Vol 1 Rel 1.7 section 11.4.2.2: the next completion is the wider request. */
TEST(CompletionQueue, TheWiderOfTwoRequestsHolds)
{
    for (const auto& [first, second] :
         {std::pair{Notify::NEXT, Notify::SOLICITED}, std::pair{Notify::SOLICITED, Notify::NEXT}})
    {
        NotingChannel channel;
        CompletionQueue queue{1, 8, &channel};
        queue.RequestNotify(first);
        queue.RequestNotify(second);
        ASSERT_TRUE(queue.Push(Success(1), PLAIN, NOW));
        EXPECT_EQ(channel.times.size(), 1U);
        ASSERT_TRUE(queue.Push(Success(2), SOLICITED, NOW));
        EXPECT_EQ(channel.times.size(), 1U);
    }
}

TEST(CompletionQueue, WithoutAChannelThereIsNoEvent)
{
    CompletionQueue queue{1, 8, nullptr};
    queue.SetModeration({.count = 2, .period = SimTime::Microseconds(1)});
    queue.RequestNotify(Notify::NEXT);
    EXPECT_TRUE(queue.Push(Success(1), SOLICITED, NOW));
    EXPECT_TRUE(queue.GetDeadline().IsNever());
    EXPECT_TRUE(queue.Push(Success(2), SOLICITED, NOW));
    EXPECT_EQ(queue.GetCount(), 2U);
}

/** ibv_modify_cq(3): cq_count is the number of completions per event. */
TEST(CompletionQueue, ModerationByCountPutsTheEventOff)
{
    for (uint16_t count : {0, 1, 2, 5})
    {
        NotingChannel channel;
        channel.again = Notify::NEXT;
        CompletionQueue queue{1, 64, &channel};
        ASSERT_TRUE(queue.Push(Success(0), PLAIN, NOW)); // not armed: does not count
        queue.SetModeration({.count = count});
        queue.RequestNotify(Notify::NEXT);
        for (uint64_t i = 1; i <= 10; ++i)
        {
            ASSERT_TRUE(queue.Push(Success(i), PLAIN, NOW));
        }
        EXPECT_EQ(channel.times.size(), 10U / std::max<uint16_t>(count, 1)) << count;
        EXPECT_TRUE(queue.GetDeadline().IsNever());
    }
}

/** ibv_modify_cq(3): cq_period, in microseconds, from the first completion without an event. */
TEST(CompletionQueue, ModerationByPeriodBoundsTheWait)
{
    NotingChannel channel;
    CompletionQueue queue{1, 64, &channel};
    queue.SetModeration({.count = 3, .period = SimTime::Microseconds(16)});
    queue.RequestNotify(Notify::NEXT);
    EXPECT_TRUE(queue.GetDeadline().IsNever());
    ASSERT_TRUE(queue.Push(Success(1), PLAIN, SimTime::Microseconds(10)));
    ASSERT_TRUE(queue.Push(Success(2), PLAIN, SimTime::Microseconds(20)));
    EXPECT_EQ(queue.GetDeadline(), SimTime::Microseconds(26)); // 10 + 16
    queue.OnTimeout(SimTime::Microseconds(25));
    EXPECT_TRUE(channel.times.empty());
    queue.OnTimeout(SimTime::Microseconds(26));
    EXPECT_EQ(channel.times, std::vector{SimTime::Microseconds(26)});
    EXPECT_TRUE(queue.GetDeadline().IsNever());
    // The count comes first: no period runs on.
    queue.RequestNotify(Notify::NEXT);
    for (uint64_t us : {30, 31, 32})
    {
        ASSERT_TRUE(queue.Push(Success(us), PLAIN, SimTime::Microseconds(us)));
    }
    EXPECT_EQ(channel.times.back(), SimTime::Microseconds(32));
    EXPECT_TRUE(queue.GetDeadline().IsNever());
    queue.OnTimeout(SimTime::Microseconds(46));
    EXPECT_EQ(channel.times.size(), 2U);
}

/** Of a queue that is armed for solicited completions only those count. */
TEST(CompletionQueue, ModerationCountsWhatTheRequestIsFor)
{
    NotingChannel channel;
    CompletionQueue queue{1, 64, &channel};
    queue.SetModeration({.count = 2, .period = SimTime::Microseconds(16)});
    queue.RequestNotify(Notify::SOLICITED);
    ASSERT_TRUE(queue.Push(Success(1), PLAIN, NOW));
    EXPECT_TRUE(queue.GetDeadline().IsNever());
    ASSERT_TRUE(queue.Push(Success(2), SOLICITED, NOW));
    ASSERT_TRUE(queue.Push(Success(3), PLAIN, NOW));
    EXPECT_TRUE(channel.times.empty());
    ASSERT_TRUE(queue.Push(Error(4), PLAIN, NOW));
    EXPECT_EQ(channel.times.size(), 1U);
}

} // namespace
} // namespace ns3::rdma
