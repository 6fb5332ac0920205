// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/rc-requester-makers.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

/** 4.096 us x 2^14. @verifies IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
constexpr SimTime PERIOD{67'108'864'000};

// --- Local ACK timeout: section 9.7.6.1.3 -------------------------------------------------------

TEST(RcRequester, TimerRunsWhileSomethingIsOnItsWay)
{
    RequesterScript qp{AckLast(), 0};
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever());
    qp.Post(1, 10).Post(2, 10);
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever());
    qp.At(SimTime::Microseconds(1));
    qp.Get().Next(qp.Now());
    EXPECT_EQ(qp.Get().GetDeadline(), SimTime::Microseconds(1) + PERIOD);
    qp.At(SimTime::Microseconds(2));
    qp.Get().Next(qp.Now());
    EXPECT_EQ(qp.Get().GetDeadline(), SimTime::Microseconds(1) + PERIOD) << "not restarted";
    qp.At(SimTime::Microseconds(5)).Receive(Ack(0, 1));
    EXPECT_EQ(qp.Get().GetDeadline(), SimTime::Microseconds(5) + PERIOD) << "progress";
    qp.At(SimTime::Microseconds(6)).Receive(Ack(1, 2));
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever());
}

TEST(RcRequester, EarlyTimeoutDoesNothing)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 10).Send();
    EXPECT_EQ(qp.Get().OnTimeout(SimTime{PERIOD.ps - 1}), RequesterOutcome{});
    EXPECT_EQ(qp.Get().OnTimeout(PERIOD), GoesBack(0));
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever()) << "off until the packet is sent again";
}

/**
 * Timeout code 14, retry count 7, silent peer: eight transmissions, and the error at
 * 8 x 67.108864 ms = 536.870912 ms, each period being exactly one.
 */
TEST(RcRequester, SilentPeerEndsInRetryExceeded)
{
    RequesterScript qp{{.pathMtu = MTU, .timeoutCode = 14, .retryCount = 7}, 0};
    qp.Post(1, 10).Post(2, 20).Post(3, 30);
    uint32_t transmissions = 0;
    while (!qp.Get().IsInError())
    {
        const std::vector<RequestPacket> sent = qp.Send();
        ASSERT_EQ(PsnsOf(sent), PsnsFrom(0, 3));
        ++transmissions;
        qp.TimeOut();
    }
    EXPECT_EQ(transmissions, 8u);
    EXPECT_EQ(qp.Now(), SimTime{536'870'912'000});
    qp.Post(4, 40);
    EXPECT_FALSE(qp.Get().HasUnsent());
    EXPECT_FALSE(qp.Get().CanSend(RcRequester::NO_WINDOW));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Failure(1, CompletionStatus::RETRY_EXC_ERR),
                            Failure(2, CompletionStatus::WR_FLUSH_ERR),
                            Failure(3, CompletionStatus::WR_FLUSH_ERR),
                            Failure(4, CompletionStatus::WR_FLUSH_ERR)));
    EXPECT_EQ(qp.Receive(Ack(2, 3)), Duplicate()) << "too late";
    qp.Post(5, 50);
    EXPECT_THAT(qp.Completions(), ElementsAre(Failure(5, CompletionStatus::WR_FLUSH_ERR)));
}

/** A retry count of 0 to 7 gives 1 to 8 transmissions; 7 is not infinite. */
TEST(RcRequester, RetryCountIsTheNumberOfRetries)
{
    for (uint8_t retryCount = 0; retryCount <= 7; ++retryCount)
    {
        RequesterScript qp{{.retryCount = retryCount}, 0};
        qp.Post(1, 10);
        uint32_t transmissions = 0;
        for (; !qp.Get().IsInError(); qp.TimeOut())
        {
            transmissions += static_cast<uint32_t>(qp.Send().size());
        }
        EXPECT_EQ(transmissions, retryCount + 1u);
    }
}

/** What completed before the error succeeds; then the failed request; then the flushed ones. */
TEST(RcRequester, CompletionsKeepTheirOrderAcrossAnError)
{
    RequesterScript qp{{.pathMtu = MTU, .retryCount = 0}, 0};
    qp.Post(1, 10).Post(2, 20).Post(3, 2 * MTU).Post(4, 40);
    qp.Send();
    qp.Receive(Ack(2, 2));
    EXPECT_EQ(qp.TimeOut(), Completes(0));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Success(1, 10),
                            Success(2, 20),
                            Failure(3, CompletionStatus::RETRY_EXC_ERR),
                            Failure(4, CompletionStatus::WR_FLUSH_ERR)));
}

TEST(RcRequester, ProgressGivesAllRetriesBack)
{
    RequesterScript qp{{.pathMtu = MTU, .retryCount = 1}, 0};
    qp.Post(1, 3 * MTU);
    for (uint32_t psn = 0; psn < 2; ++psn)
    {
        qp.Send();
        EXPECT_EQ(qp.TimeOut(), GoesBack(0));
        qp.Send();
        EXPECT_EQ(qp.Receive(Ack(psn, 0)), Acked(MTU));
    }
    EXPECT_EQ(qp.TimeOut(), GoesBack(0));
    qp.Send();
    EXPECT_EQ(qp.TimeOut(), Completes(0));
}

TEST(RcRequester, TimeoutCodeZeroNeverTimesOut)
{
    RequesterScript qp{{.timeoutCode = 0}, 0};
    qp.Post(1, 10).Post(2, 10).Send();
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever());
    qp.Receive(Ack(0, 1));
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever());
}

TEST(RcRequester, TimeoutIsARangeOf31Codes)
{
    EXPECT_EQ(RcConfig{.timeoutCode = 1}.GetTimeout(), SimTime::Nanoseconds(8192));
    EXPECT_EQ(RcConfig{.timeoutCode = 14}.GetTimeout(), PERIOD);
    // 4.096 us x 2^31 = 8796.093022208 s
    EXPECT_EQ(RcConfig{.timeoutCode = 31}.GetTimeout(), SimTime{8'796'093'022'208'000});
}

} // namespace
} // namespace ns3::rdma
