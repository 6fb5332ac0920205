// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/frame-log.h"
#include "tests/support/verbs-bench.h"

#include "ns3/simulator.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint32_t BYTES = 100;

/**
 * From the last bit of an RNR NAK to the last bit of the request that follows it, and back to the
 * next NAK, the wait apart: two cables of 1 us, a SEND of 62 + 100 bytes and an acknowledgement of
 * 62 + 4, each with 8 of preamble, at 80 ps a byte.
 */
constexpr SimTime ROUND_TRIP{2'000'000 + (8 + 162 + 8 + 66) * 80};

/** A sender whose peer posts no receive request, unless a test does. */
class ReceiverNotReady : public testing::Test
{
  protected:
    ReceiverNotReady()
    {
        m_bench.a.GetDevice().GetPort().AddTap(m_log);
    }

    void Connect(uint8_t rnrRetry, uint8_t minRnrTimer)
    {
        QueuePairAttributes attributes = VerbsBench::MakeAttributes();
        attributes.rnrRetry = rnrRetry;
        attributes.minRnrTimer = minRnrTimer;
        m_pair = m_bench.Connect(attributes);
    }

    void Send(uint64_t wrId)
    {
        ASSERT_TRUE(
            m_bench.a.Post(m_pair.a, {.wrId = wrId, .opcode = SendOpcode::SEND}, BYTES).IsOk());
    }

    WorkCompletion Failure(uint64_t wrId, CompletionStatus status) const
    {
        return {.wrId = wrId, .status = status, .qpn = m_pair.a};
    }

    QueuePairState State()
    {
        return m_bench.a.GetDevice().QueryQueuePair(m_pair.a).attributes.state;
    }

    /** Each transmission of the first request but the first comes a wait and a round trip later. */
    void ExpectWaitsOf(SimTime wait) const
    {
        const std::vector<LoggedFrame> sent = m_log.Sent(Psn{0});
        for (std::size_t i = 1; i < sent.size(); ++i)
        {
            EXPECT_EQ((sent[i].time - sent[i - 1].time).ps, (wait + ROUND_TRIP).ps) << i;
        }
    }

    VerbsBench m_bench;
    FrameLog m_log;
    ConnectedPair m_pair{};
};

// rnr_retry 3: sent four times, four NAKs, then RNR_RETRY_EXC_ERR (13 of ibv_wc_status); what is
// posted later is flushed. Timer code 12 is 0.64 ms: IBTA Vol 1 Rel 1.7 table 46.
TEST_F(ReceiverNotReady, RetriesAsOftenAsAllowed)
{
    Connect(3, 12);
    Send(1);
    m_bench.Run();
    EXPECT_EQ(m_log.Sent(Psn{0}).size(), 4U);
    EXPECT_EQ(m_log.Received(SYNDROME_TYPE_RNR).size(), 4U);
    EXPECT_EQ(m_bench.a.GetDevice().GetStatistics(m_pair.a).rnrNaksReceived, 4U);
    ExpectWaitsOf(SimTime::Microseconds(640));
    EXPECT_EQ(State(), QueuePairState::ERR);
    Send(2);
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(Failure(1, CompletionStatus::RNR_RETRY_EXC_ERR),
                            Failure(2, CompletionStatus::WR_FLUSH_ERR)));
    EXPECT_EQ(static_cast<int>(CompletionStatus::RNR_RETRY_EXC_ERR), 13);
    EXPECT_EQ(static_cast<int>(CompletionStatus::WR_FLUSH_ERR), 5);
}

// A SEND before the receive request ends the connection at once when rnr_retry is 0.
TEST_F(ReceiverNotReady, NoRetryFailsAtTheFirstNak)
{
    Connect(0, 12);
    Send(1);
    m_bench.Run();
    EXPECT_EQ(m_log.Sent().size(), 1U);
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(Failure(1, CompletionStatus::RNR_RETRY_EXC_ERR)));
    EXPECT_EQ(State(), QueuePairState::ERR);
    EXPECT_LT(m_bench.a.completions[0].time, SimTime::Microseconds(3));
}

// rnr_retry 7 is without end. A receive posted at 10 ms is found by the next retry; retries are
// 642.01952 us apart, so that the 16th, 10.272 ms after the first transmission, is the one.
TEST_F(ReceiverNotReady, SevenRetriesUntilTheReceiverIsReady)
{
    Connect(7, 12);
    Send(1);
    const SimTime ready = SimTime::Milliseconds(10);
    Simulator::Schedule(MilliSeconds(10),
                        [this, ready] { m_bench.b.Receive(m_pair.b, 50, BYTES, ready); });
    m_bench.Run();
    EXPECT_EQ(m_log.Sent(Psn{0}).size(), 17U);
    EXPECT_EQ(m_log.Received(SYNDROME_TYPE_RNR).size(), 16U);
    ASSERT_EQ(m_bench.b.completions.size(), 1U);
    EXPECT_EQ(m_bench.b.completions[0].completion.wrId, 50U);
    const SimTime flight{(8 + 162) * 80 + 1'000'000};
    EXPECT_EQ(m_bench.b.completions[0].time.ps,
              (flight + 16 * (SimTime::Microseconds(640) + ROUND_TRIP)).ps);
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(WorkCompletion{.wrId = 1, .qpn = m_pair.a, .byteLength = BYTES}));
}

// Code 0, what a program that forgets min_rnr_timer asks for, is the longest wait: 655.36 ms.
TEST_F(ReceiverNotReady, CodeZeroIsTheLongestWait)
{
    Connect(2, 0);
    Send(1);
    m_bench.Run();
    EXPECT_EQ(m_log.Sent(Psn{0}).size(), 3U);
    ExpectWaitsOf(SimTime::Microseconds(655'360));
}

// The NAK is sent at once; the wait is the requester's.
TEST_F(ReceiverNotReady, NakComesAtOnce)
{
    Connect(0, 0);
    Send(1);
    m_bench.Run();
    const std::vector<LoggedFrame> naks = m_log.Received(SYNDROME_TYPE_RNR);
    ASSERT_EQ(naks.size(), 1U);
    EXPECT_EQ(naks[0].time.ps, ROUND_TRIP.ps);
    EXPECT_EQ(naks[0].syndrome, SYNDROME_TYPE_RNR | 0);
}

} // namespace
} // namespace ns3::rdma
