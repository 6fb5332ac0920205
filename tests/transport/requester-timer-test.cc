// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/measured-rows.h"
#include "tests/transport/requester-script.h"
#include "transport/rc-policies.h"

#include <string>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint32_t MTU = RequesterTestbed::MTU;

/** 4.096 us x 2^14. @verifies IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
constexpr SimTime PERIOD{67'108'864'000};

RequesterSettings
WithRetries(uint8_t timeout, uint8_t retryCount)
{
    RequesterSettings settings;
    settings.attributes.timeout = timeout;
    settings.attributes.retryCount = retryCount;
    return settings;
}

/** How a request to a silent peer ended. */
struct Silence
{
    uint32_t transmissions{0};
    SimTime end{};
};

Silence
AskASilentPeer(RequesterTestbed& qp)
{
    qp.Write(1, 10);
    Silence silence;
    while (!qp.requester.IsInError())
    {
        silence.transmissions += static_cast<uint32_t>(qp.Drain().size());
        qp.TimeOut();
    }
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, CompletionStatus::RETRY_EXC_ERR)));
    silence.end = qp.now;
    return silence;
}

// --- The standard: sections 9.7.6.1.3 and 9.7.6.1 -----------------------------------------------

TEST(RequesterTimer, RunsWhileSomethingIsOnItsWay)
{
    RequesterTestbed qp{0};
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
    qp.Write(1, 10).Write(2, 10);
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
    qp.At(SimTime::Microseconds(1));
    qp.requester.Next(qp.now);
    EXPECT_EQ(qp.requester.GetDeadline(), SimTime::Microseconds(1) + PERIOD);
    qp.At(SimTime::Microseconds(2));
    qp.requester.Next(qp.now);
    EXPECT_EQ(qp.requester.GetDeadline(), SimTime::Microseconds(1) + PERIOD) << "not restarted";
    qp.At(SimTime::Microseconds(5)).Ack(0);
    EXPECT_EQ(qp.requester.GetDeadline(), SimTime::Microseconds(5) + PERIOD) << "progress";
    qp.At(SimTime::Microseconds(6)).Ack(1);
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
}

TEST(RequesterTimer, EachResponseRestartsIt)
{
    RequesterTestbed qp{0};
    qp.Read(1, 2 * MTU).Drain();
    EXPECT_EQ(qp.requester.GetDeadline(), PERIOD);
    qp.At(SimTime::Microseconds(5)).Respond(Opcode::RC_RDMA_READ_RESPONSE_FIRST, 0, MTU);
    EXPECT_EQ(qp.requester.GetDeadline(), SimTime::Microseconds(5) + PERIOD);
}

TEST(RequesterTimer, EarlyTimeoutDoesNothing)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10).Drain();
    EXPECT_EQ(qp.requester.OnTimeout(SimTime{PERIOD.ps - 1}), RequesterOutcome{});
    EXPECT_EQ(qp.requester.OnTimeout(PERIOD), Back(0));
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever()) << "off until the packet is sent again";
}

/** Code 14, seven retries: eight transmissions, the error at 8 x 67.108864 ms = 536.870912 ms. */
TEST(RequesterTimer, SilentPeerEndsInRetryExceeded)
{
    RequesterTestbed qp{0, WithRetries(14, 7)};
    const Silence silence = AskASilentPeer(qp);
    EXPECT_EQ(silence.transmissions, 8u);
    EXPECT_EQ(silence.end, SimTime{536'870'912'000});
}

/** A retry count of 0 to 7 gives 1 to 8 transmissions; 7 is not without end. */
TEST(RequesterTimer, RetryCountIsTheNumberOfRetries)
{
    for (uint8_t retryCount = 0; retryCount <= 7; ++retryCount)
    {
        RequesterTestbed qp{0, WithRetries(14, retryCount)};
        EXPECT_EQ(AskASilentPeer(qp).transmissions, retryCount + 1u);
    }
}

/** The captured rxe, rxe_wire_retry_exceeded_t12_r7: retry_cnt 7 goes on, 6 ends. */
TEST(RequesterTimer, SoftwareRoceTakesSevenForEver)
{
    RequesterSettings settings = WithRetries(14, 7);
    settings.policy = *FindRcPolicy("rxe");
    RequesterTestbed qp{0, settings};
    qp.Write(1, 10);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        ASSERT_EQ(qp.Drain().size(), 1u);
        ASSERT_EQ(qp.TimeOut(), Back(0));
    }
    settings.attributes.retryCount = 6;
    RequesterTestbed six{0, settings};
    EXPECT_EQ(AskASilentPeer(six).transmissions, 7u);
}

TEST(RequesterTimer, ProgressGivesAllRetriesBack)
{
    RequesterTestbed qp{0, WithRetries(14, 1)};
    qp.Write(1, 3 * MTU);
    for (uint32_t psn = 0; psn < 2; ++psn)
    {
        qp.Drain();
        EXPECT_EQ(qp.TimeOut(), Back(0));
        qp.Drain();
        EXPECT_EQ(qp.Ack(psn), Progress(MTU));
    }
    EXPECT_EQ(qp.TimeOut(), Back(0));
    qp.Drain();
    EXPECT_EQ(qp.TimeOut(), Failing(0));
}

TEST(RequesterTimer, CodeZeroNeverTimesOut)
{
    RequesterTestbed qp{0, WithRetries(0, 7)};
    qp.Write(1, 10).Write(2, 10).Drain();
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
    qp.Ack(0);
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
}

/** A lost last packet: the message completes after one period. */
TEST(RequesterTimer, TailLossIsRepaired)
{
    RequesterTestbed qp{0};
    qp.Write(1, 2 * MTU);
    qp.Drain();
    qp.TimeOut();
    EXPECT_EQ(qp.now, PERIOD);
    EXPECT_EQ(qp.Drain().size(), 2u);
    EXPECT_EQ(qp.Ack(1), Completing(2 * MTU));
}

// --- ConnectX-6 as measured ---------------------------------------------------------------------

/** Each row's time of failure, within its extremes and 5 %, and its number of packets. */
TEST(RequesterTimer, ConnectXFailsWhenTheMeasuredOneDid)
{
    const std::vector<MeasuredRow> rows = ReadRetransmitRows();
    ASSERT_EQ(rows.size(), 21u);
    for (const MeasuredRow& row : rows)
    {
        const bool hasFloor = row.Text("min_ack_timeout_floor") == "on";
        RequesterSettings settings = WithRetries(static_cast<uint8_t>(row.Number("qp_timeout_T")),
                                                 static_cast<uint8_t>(row.Number("retry_cnt_R")));
        settings.policy = *FindRcPolicy(hasFloor ? "connectx" : "connectx-no-floor");
        if (!hasFloor)
        {
            // The phase of the first expiry differs from run to run; it is the row's own.
            settings.policy.firstExpiry =
                row.Number("first_regular_timeout_ms") / row.Number("nominal_ms");
        }
        RequesterTestbed qp{0, settings};
        const Silence silence = AskASilentPeer(qp);
        const std::string name = row.Text("min_ack_timeout_floor") + " T " +
                                 row.Text("qp_timeout_T") + " R " + row.Text("retry_cnt_R");
        const double milliseconds = silence.end.ToSeconds() * 1000;
        EXPECT_GE(milliseconds, 0.95 * row.Number("retry_exhaust_min_ms")) << name;
        EXPECT_LE(milliseconds, 1.05 * row.Number("retry_exhaust_max_ms")) << name;
        EXPECT_GE(silence.transmissions, row.Number("own_transmissions_min")) << name;
        EXPECT_LE(silence.transmissions, row.Number("own_transmissions_max")) << name;
    }
}

/** B35 .. B44 of the measurements: early repeats with timeout code 20, ms after the post. */
TEST(RequesterTimer, ConnectXRepeatsEarly)
{
    RequesterSettings settings = WithRetries(20, 7);
    settings.policy = *FindRcPolicy("connectx");
    RequesterTestbed qp{0, settings};
    qp.Write(1, 10).Drain();
    for (const double milliseconds :
         {20.7, 37.7, 71.4, 138.4, 239.1, 440.4, 977.3, 1782.4, 3930.3, 8225.1})
    {
        EXPECT_EQ(qp.TimeOut(), Back(0));
        EXPECT_NEAR(qp.now.ToSeconds() * 1000, milliseconds, 1e-6);
        EXPECT_EQ(qp.Drain().size(), 1u);
    }
    // B27 with code 20: 2 x 4.096 us x 2^20 = 8589.93 ms
    qp.TimeOut();
    EXPECT_NEAR(qp.now.ToSeconds() * 1000, 8225.1 + 8589.934592, 1e-6);
}

/** Progress begins the sequence anew. */
TEST(RequesterTimer, ConnectXBeginsEarlyAgainAfterProgress)
{
    RequesterSettings settings = WithRetries(14, 7);
    settings.policy = *FindRcPolicy("connectx");
    RequesterTestbed qp{0, settings};
    qp.Write(1, 10).Write(2, 10).Drain();
    qp.TimeOut();
    qp.Drain();
    qp.TimeOut();
    qp.Drain();
    const SimTime progress = qp.now;
    qp.Ack(0);
    EXPECT_EQ(qp.requester.GetDeadline(), progress + SimTime::Microseconds(20'700));
}

} // namespace
} // namespace ns3::rdma
