// SPDX-License-Identifier: GPL-2.0-only
#include "transport/rc-policies.h"
#include "transport/retransmission-timer.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

/** 4.096 us x 2^timeout, 0 for never. @verifies IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
TEST(RetransmissionTimer, LocalAckTimeout)
{
    EXPECT_TRUE(LocalAckTimeout(0).IsNever());
    EXPECT_EQ(LocalAckTimeout(1), SimTime{8'192'000}) << "8.192 us";
    EXPECT_EQ(LocalAckTimeout(14), SimTime{67'108'864'000}) << "67.109 ms";
    EXPECT_EQ(LocalAckTimeout(31), SimTime{8'796'093'022'208'000}) << "8796.09 s";
}

TEST(RetransmissionTimer, ExactIsOnePeriodEach)
{
    const TimerStep step{LocalAckTimeout(14), ExpiryAction::RETRY};
    for (uint32_t index : {0U, 1U, 7U, 1000U})
    {
        EXPECT_EQ(GetTimerStep({}, {14, 7}, index), step);
    }
}

TEST(RetransmissionTimer, CodeZeroNeverExpires)
{
    for (const NamedRcPolicy& named : GetRcPolicies())
    {
        EXPECT_TRUE(GetTimerStep(named.policy, {0, 7}, 0).period.IsNever()) << named.name;
    }
}

/** B35, B36: the second early repeat comes 37.7 - 20.7 = 17 ms after the first. */
TEST(RetransmissionTimer, AdaptiveBeginsEarly)
{
    const RcPolicy& connectx = *FindRcPolicy("connectx");
    EXPECT_EQ(GetTimerStep(connectx, {14, 7}, 0),
              (TimerStep{SimTime::Microseconds(20'700), ExpiryAction::REPEAT}));
    EXPECT_EQ(GetTimerStep(connectx, {14, 7}, 1),
              (TimerStep{SimTime::Microseconds(17'000), ExpiryAction::REPEAT}));
}

/** retry_cnt 1 fails at the last early repeat: six of them come before 536.87 ms. */
TEST(RetransmissionTimer, AdaptiveWithOneRetryFailsAtTheLastEarlyRepeat)
{
    const RcPolicy& connectx = *FindRcPolicy("connectx");
    EXPECT_EQ(GetTimerStep(connectx, {14, 1}, 4).action, ExpiryAction::REPEAT);
    EXPECT_EQ(GetTimerStep(connectx, {14, 1}, 5).action, ExpiryAction::FAIL);
    // 2 x 4.096 us x 2^16
    EXPECT_EQ(GetTimerStep(connectx, {14, 2}, 6),
              (TimerStep{SimTime{536'870'912'000}, ExpiryAction::FAIL}));
}

TEST(RetransmissionTimer, RoughSendsNothingAtItsFirstExpiry)
{
    RcPolicy policy = *FindRcPolicy("connectx-no-floor");
    policy.firstExpiry = 0.5;
    const TimerStep first = GetTimerStep(policy, {14, 7}, 0);
    // 33.554 ms, at the next multiple of 0.388 ms
    EXPECT_EQ(first, (TimerStep{SimTime::Microseconds(33'756), ExpiryAction::WAIT}));
    const TimerStep second = GetTimerStep(policy, {14, 7}, 1);
    // 100.663 ms, at the next multiple: 260 x 0.388 ms
    EXPECT_EQ(first.period + second.period, SimTime::Microseconds(100'880));
    EXPECT_EQ(second.action, ExpiryAction::RETRY);
}

} // namespace
} // namespace ns3::rdma
