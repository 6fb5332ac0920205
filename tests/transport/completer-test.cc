// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t MTU = RequesterTestbed::MTU;

// --- Acknowledgements: IBTA Vol 1 Rel 1.7 section 9.7.5 -----------------------------------------

TEST(Completer, CoalescedAcknowledgementsCoverAllBefore)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10).Write(2, 3 * MTU).Write(3, 20);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_EQ(qp.Ack(2), Completing(10 + 2 * MTU));
    EXPECT_EQ(qp.requester.GetInFlightBytes(), MTU + 20u);
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(1, 10)));
    EXPECT_FALSE(qp.requester.IsDrained());
    EXPECT_EQ(qp.Ack(4), Completing(MTU + 20));
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(2, 3 * MTU), Written(3, 20)));
    EXPECT_TRUE(qp.requester.IsDrained());
}

TEST(Completer, StaleAndGhostAnswersChangeNothing)
{
    RequesterTestbed qp{0x100};
    qp.Write(1, 2 * MTU).Write(2, 10);
    qp.Drain();
    qp.At(SimTime::Microseconds(3));
    EXPECT_EQ(qp.Ack(0x101), Completing(2 * MTU));
    const SimTime deadline = qp.requester.GetDeadline();
    qp.Completions();
    qp.At(SimTime::Microseconds(9));
    EXPECT_EQ(qp.Ack(0x101), Ghost()) << "again";
    EXPECT_EQ(qp.Ack(0x0ff), Ghost()) << "before the first packet";
    EXPECT_EQ(qp.Ack(0x103), Ghost()) << "beyond what was sent";
    EXPECT_EQ(qp.Ack(0x102 + 0x7fffff), Ghost()) << "far beyond";
    EXPECT_EQ(qp.Ack(0x102 + 0x800000), Ghost()) << "half the space away";
    EXPECT_EQ(qp.Nak(0x100), Ghost()) << "a NAK of something acknowledged";
    EXPECT_EQ(qp.Nak(0x103), Ghost()) << "a NAK of something never sent";
    EXPECT_EQ(qp.Answer(0x62, 0x101), Ghost()) << "a fatal NAK of something acknowledged";
    EXPECT_EQ(qp.Answer(0x2c, 0x101), Ghost()) << "an RNR NAK of something acknowledged";
    EXPECT_EQ(qp.Respond(Opcode::RC_RDMA_READ_RESPONSE_ONLY, 0x101, 10), Ghost());
    EXPECT_EQ(qp.RespondAtomic(0x101, 1), Ghost());
    EXPECT_EQ(qp.requester.GetDeadline(), deadline) << "only progress restarts the timer";
    EXPECT_EQ(qp.Ack(0x102), Completing(10));
}

/** Types 010 and 1xx, and NAK codes 5 .. 31, are reserved: the packet is dropped. */
TEST(Completer, ReservedSyndromesChangeNothing)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10).Drain();
    for (uint32_t syndrome = 0; syndrome <= 0xff; ++syndrome)
    {
        const bool isAck = syndrome < 0x20;
        const bool isRnr = syndrome >= 0x20 && syndrome < 0x40;
        const bool isNak = syndrome >= 0x60 && syndrome <= 0x64;
        if (!isAck && !isRnr && !isNak)
        {
            ASSERT_EQ(qp.Answer(static_cast<uint8_t>(syndrome), 0), Ghost()) << syndrome;
        }
    }
    EXPECT_EQ(qp.Ack(0), Completing(10));
}

// --- Go-back-N ----------------------------------------------------------------------------------

/** Same boundaries, opcodes and RETH as the first time; AckReq by the policy. */
TEST(Completer, NakGoesBackToItsPsnAndAcknowledgesAllBefore)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10).Write(2, 3 * MTU + 7).Write(3, 20);
    qp.Drain();
    EXPECT_EQ(qp.Nak(2),
              (RequesterOutcome{.ackedBytes = 10 + MTU, .goesBack = true, .completes = true}));
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(1, 10)));
    EXPECT_EQ(qp.requester.GetInFlightBytes(), 0u);
    qp.Write(4, 5);
    EXPECT_THAT(qp.Drain(),
                ElementsAre(Repeated(WriteMiddle(2, 1)),
                            Repeated(WriteMiddle(3, 2)),
                            Repeated(WriteLast(4, 3, 7)),
                            Repeated(WriteOnly(5, 20)),
                            WriteOnly(6, 5)));
    EXPECT_EQ(qp.Ack(6), Completing(2 * MTU + 7 + 20 + 5));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Written(2, 3 * MTU + 7), Written(3, 20), Written(4, 5)));
}

/** Ten packets, the fifth lost: 10 + 6 packets, one completion. */
TEST(Completer, OneLostPacketOfTen)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10 * MTU);
    EXPECT_EQ(qp.Drain().size(), 10u);
    EXPECT_EQ(qp.Nak(4), Back(4 * MTU));
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(4, 5, 6, 7, 8, 9));
    EXPECT_EQ(qp.Ack(9), Completing(6 * MTU));
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(1, 10 * MTU)));
}

TEST(Completer, NakOfTheFirstPacketRepeatsTheReth)
{
    RequesterTestbed qp{0};
    qp.Write(1, 2 * MTU);
    qp.Drain();
    EXPECT_EQ(qp.Nak(0), Back(0));
    EXPECT_THAT(qp.Drain(),
                ElementsAre(Repeated(WriteFirst(0, 2 * MTU)), Repeated(WriteLast(1, 1, MTU))));
}

/** What arrived before sending went back need not be sent again once it is acknowledged. */
TEST(Completer, AcknowledgementBeyondTheRestartSkipsAhead)
{
    RequesterTestbed qp{0};
    qp.Write(1, 4 * MTU).Write(2, 2 * MTU);
    qp.Drain();
    qp.TimeOut();
    qp.requester.Next(qp.now);
    EXPECT_EQ(qp.Ack(4), Completing(5 * MTU));
    EXPECT_EQ(qp.requester.GetInFlightBytes(), 0u);
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever()) << "nothing is on its way";
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(WriteLast(5, 1, MTU))));
    EXPECT_EQ(qp.Ack(5), Completing(MTU));
    EXPECT_FALSE(qp.requester.HasUnsent());
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
}

/** A NAK repeated by the network, while sending is where it asks: no retry is spent. */
TEST(Completer, RepeatedNakBeforeSendingAgainIsFree)
{
    RequesterSettings settings;
    settings.attributes.retryCount = 1;
    RequesterTestbed qp{0, settings};
    qp.Write(1, 2 * MTU);
    qp.Drain();
    EXPECT_EQ(qp.Nak(0), Back(0));
    EXPECT_EQ(qp.Nak(0), Ghost());
    EXPECT_FALSE(qp.requester.IsInError());
}

TEST(Completer, NaksCountAgainstTheRetries)
{
    RequesterSettings settings;
    settings.attributes.retryCount = 2;
    RequesterTestbed qp{0, settings};
    qp.Write(1, 3 * MTU);
    qp.Drain();
    EXPECT_EQ(qp.Nak(0), Back(0));
    qp.Drain();
    EXPECT_EQ(qp.Nak(0), Back(0));
    qp.Drain();
    EXPECT_EQ(qp.Nak(1), Back(MTU)) << "progress: the count starts again";
    qp.Drain();
    EXPECT_EQ(qp.Nak(1), Back(0));
    qp.Drain();
    EXPECT_EQ(qp.Nak(1), Failing(0));
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, CompletionStatus::RETRY_EXC_ERR)));
}

// --- NAKs that end the connection: section 9.9.2 ------------------------------------------------

/** Status by NAK code; all before its PSN succeeds, its request fails, the rest is flushed. */
TEST(Completer, FatalNaksFailTheirRequest)
{
    using enum CompletionStatus;
    const std::array<std::pair<uint8_t, CompletionStatus>, 4> rows{{{0x61, REM_INV_REQ_ERR},
                                                                    {0x62, REM_ACCESS_ERR},
                                                                    {0x63, REM_OP_ERR},
                                                                    {0x64, REM_INV_RD_REQ_ERR}}};
    for (const auto& [syndrome, status] : rows)
    {
        RequesterTestbed qp{0};
        qp.Write(1, 10).Write(2, 2 * MTU).Write(3, 10);
        qp.Drain();
        RequesterOutcome failing = Failing(10);
        EXPECT_EQ(qp.Answer(syndrome, 1), failing);
        EXPECT_FALSE(qp.requester.CanSend(Requester::NO_WINDOW));
        EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
        EXPECT_THAT(qp.Completions(), ElementsAre(Written(1, 10), Failed(2, status), Flushed(3)));
        EXPECT_EQ(qp.Ack(3), Ghost()) << "too late";
        qp.Write(4, 1);
        EXPECT_THAT(qp.Completions(), ElementsAre(Flushed(4)));
    }
}

// --- RNR NAK: section 9.7.5.2.8 -----------------------------------------------------------------

/** In units of 10 us, by code: enum ib_rnr_timeout of Linux. */
constexpr std::array<uint32_t, 32> RNR_10US{65536, 1,    2,    3,     4,     6,     8,     12,
                                            16,    24,   32,   48,    64,    96,    128,   192,
                                            256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                            4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};

TEST(Completer, WaitsAsEachRnrTimerCodeSays)
{
    for (uint8_t code = 0; code < 32; ++code)
    {
        RequesterTestbed qp{0};
        qp.Send(1, 10).Send(2, 10);
        qp.Drain();
        qp.At(SimTime::Microseconds(7));
        EXPECT_EQ(qp.Answer(0x20 | code, 0), Back(0));
        EXPECT_FALSE(qp.requester.CanSend(Requester::NO_WINDOW));
        EXPECT_TRUE(qp.requester.HasUnsent());
        const SimTime end = SimTime::Microseconds(7 + 10 * uint64_t{RNR_10US[code]});
        ASSERT_EQ(qp.requester.GetDeadline(), end) << int{code};
        EXPECT_EQ(qp.requester.OnTimeout(SimTime{end.ps - 1}), RequesterOutcome{});
        EXPECT_FALSE(qp.requester.CanSend(Requester::NO_WINDOW));
        EXPECT_EQ(qp.requester.OnTimeout(end), RequesterOutcome{});
        EXPECT_THAT(qp.Drain(),
                    ElementsAre(Repeated(PacketOf(Opcode::RC_SEND_ONLY, 0, 10)),
                                Repeated(PacketOf(Opcode::RC_SEND_ONLY, 1, 10))));
    }
}

/** rnr_retry 3, code 12: four transmissions 0.64 ms apart, then RNR_RETRY_EXC_ERR. */
TEST(Completer, RnrRetriesAreCounted)
{
    RequesterSettings settings;
    settings.attributes.rnrRetry = 3;
    RequesterTestbed qp{0, settings};
    qp.Send(1, 100).Send(2, 100);
    uint32_t transmissions = 0;
    while (!qp.requester.IsInError())
    {
        ASSERT_THAT(qp.DrainPsns(), ElementsAre(0, 1));
        ++transmissions;
        const SimTime sent = qp.now;
        if (qp.Answer(0x2c, 0).fails)
        {
            break;
        }
        qp.TimeOut();
        EXPECT_EQ(qp.now, sent + SimTime::Microseconds(640));
    }
    EXPECT_EQ(transmissions, 4u);
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Failed(1, CompletionStatus::RNR_RETRY_EXC_ERR), Flushed(2)));
    qp.Send(3, 100);
    EXPECT_THAT(qp.Completions(), ElementsAre(Flushed(3)));
}

TEST(Completer, RnrRetrySevenIsWithoutEnd)
{
    RequesterTestbed qp{0};
    qp.Send(1, 100);
    for (uint32_t i = 0; i < 1000; ++i)
    {
        ASSERT_THAT(qp.DrainPsns(), ElementsAre(0));
        ASSERT_EQ(qp.Answer(0x21, 0), Back(0));
        qp.TimeOut();
    }
    qp.Drain();
    EXPECT_EQ(qp.Ack(0), Completing(100));
}

TEST(Completer, ProgressGivesTheRnrRetriesBack)
{
    RequesterSettings settings;
    settings.attributes.rnrRetry = 1;
    RequesterTestbed qp{0, settings};
    qp.Send(1, 1).Send(2, 1);
    for (uint64_t psn = 0; psn < 2; ++psn)
    {
        qp.Drain();
        EXPECT_EQ(qp.Answer(0x21, psn),
                  (RequesterOutcome{.ackedBytes = psn, .goesBack = true, .completes = psn == 1}));
        qp.TimeOut();
    }
    qp.Drain();
    EXPECT_TRUE(qp.Answer(0x21, 1).fails);
}

/** The captured rxe answers packets behind the refused one with a NAK of its PSN: no matter. */
TEST(Completer, AnswersDuringTheRnrWaitDoNotEndIt)
{
    RequesterTestbed qp{0};
    qp.Send(1, 1).Send(2, 1);
    qp.Drain();
    qp.Answer(0x2c, 0);
    const SimTime deadline = qp.requester.GetDeadline();
    EXPECT_EQ(qp.Nak(0), Ghost());
    EXPECT_EQ(qp.Answer(0x2c, 0), Ghost()) << "repeated by the network";
    EXPECT_EQ(qp.requester.GetDeadline(), deadline);
    EXPECT_FALSE(qp.requester.CanSend(Requester::NO_WINDOW));
    qp.Write(3, 1);
    EXPECT_FALSE(qp.requester.CanSend(Requester::NO_WINDOW)) << "a post does not end it";
    // What was refused arrived all the same, as an acknowledgement on a slower path says.
    EXPECT_EQ(qp.Ack(0), Completing(1));
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1, 2));
}

} // namespace
} // namespace ns3::rdma
