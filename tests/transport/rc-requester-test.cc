// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/rc-requester-makers.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

// --- Segmentation: IBTA Vol 1 Rel 1.7 section 9.7.2, path MTU 1024 ------------------------------

TEST(RcRequester, MessageOfNoBytesIsOnePacket)
{
    RequesterScript qp{AckLast(), 7};
    qp.Post(1, 0);
    EXPECT_THAT(qp.Send(), ElementsAre(Only(7, 0)));
    EXPECT_EQ(qp.Receive(Ack(7, 1)), Completes(0));
    EXPECT_THAT(qp.Completions(), ElementsAre(Success(1, 0)));
}

TEST(RcRequester, SegmentsAtThePathMtu)
{
    RequesterScript qp{AckLast(), 7};
    qp.Post(1, 1).Post(2, MTU - 1).Post(3, MTU).Post(4, MTU + 1).Post(5, 2 * MTU).Post(6, 2049);
    EXPECT_THAT(qp.Send(),
                ElementsAre(Only(7, 1),
                            Only(8, MTU - 1),
                            Only(9, MTU),
                            First(10, MTU + 1),
                            Last(11, 1),
                            First(12, 2 * MTU),
                            Last(13, MTU),
                            First(14, 2049),
                            Middle(15),
                            Last(16, 1)));
    EXPECT_EQ(qp.Get().GetInFlightBytes(), 1u + 1023 + 1024 + 1025 + 2048 + 2049);
    EXPECT_EQ(qp.Receive(Ack(16, 6)), Completes(1 + 1023 + 1024 + 1025 + 2048 + 2049));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Success(1, 1),
                            Success(2, 1023),
                            Success(3, 1024),
                            Success(4, 1025),
                            Success(5, 2048),
                            Success(6, 2049)));
}

TEST(RcRequester, TakesMessagesUpTo2Pow31Bytes)
{
    RequesterScript qp{AckLast(), 7};
    EXPECT_TRUE(qp.Get().Post({.wrId = 1, .bytes = uint64_t{1} << 31}));
    EXPECT_FALSE(qp.Get().Post({.wrId = 2, .bytes = (uint64_t{1} << 31) + 1}));
    EXPECT_FALSE(qp.Get().Post({.wrId = 2, .bytes = uint64_t{5} << 30}));
    qp.Get().Next(qp.Now());
    EXPECT_EQ(qp.Receive(Ack(7, 0)), Acked(MTU));
    EXPECT_THAT(qp.Completions(), IsEmpty());
}

// --- AckReq policy ------------------------------------------------------------------------------

TEST(RcRequester, AsksOnEachPacketByPolicy)
{
    RequesterScript qp{{.pathMtu = MTU, .ackEvery = 1}, 0};
    qp.Post(1, 3 * MTU);
    EXPECT_THAT(qp.Send(), ElementsAre(Asking(First(0, 3 * MTU)), Asking(Middle(1)), Last(2, MTU)));
}

TEST(RcRequester, AsksOnEachNthPacketAndTheLast)
{
    RequesterScript qp{{.pathMtu = MTU, .ackEvery = 2}, 0};
    qp.Post(1, 5 * MTU).Post(2, 2 * MTU);
    // The count begins again behind each packet that asked.
    EXPECT_THAT(qp.Send(),
                ElementsAre(First(0, 5 * MTU),
                            Asking(Middle(1)),
                            Middle(2),
                            Asking(Middle(3)),
                            Last(4, MTU),
                            First(5, 2 * MTU),
                            Last(6, MTU)));
}

TEST(RcRequester, CountOfThePolicyBeginsAgainAfterGoingBack)
{
    RequesterScript qp{{.pathMtu = MTU, .ackEvery = 3}, 0};
    qp.Post(1, 6 * MTU);
    for (uint32_t psn = 0; psn < 5; ++psn)
    {
        EXPECT_EQ(qp.Get().Next(qp.Now()).ackRequest, psn == 2);
    }
    EXPECT_EQ(qp.Receive(Nak(1, 0)), GoesBack(MTU));
    EXPECT_THAT(qp.Send(),
                ElementsAre(Again(Middle(1)),
                            Again(Middle(2)),
                            Again(Asking(Middle(3))),
                            Again(Middle(4)),
                            Last(5, MTU)));
}

TEST(RcRequester, AsksWhereTheWindowEnds)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 5 * MTU);
    const uint64_t window = 2 * MTU + 1;
    EXPECT_THAT(qp.Send(window), ElementsAre(First(0, 5 * MTU), Asking(Middle(1))));
    EXPECT_EQ(qp.Receive(Ack(1, 0)), Acked(2 * MTU));
    EXPECT_THAT(qp.Send(window), ElementsAre(Middle(2), Asking(Middle(3))));
    EXPECT_EQ(qp.Receive(Ack(3, 0)), Acked(2 * MTU));
    EXPECT_THAT(qp.Send(window), ElementsAre(Last(4, MTU)));
}

TEST(RcRequester, OnePacketMayGoHoweverSmallTheWindow)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 2 * MTU);
    EXPECT_THAT(qp.Send(0), ElementsAre(Asking(First(0, 2 * MTU))));
    EXPECT_FALSE(qp.Get().CanSend(MTU));
    EXPECT_TRUE(qp.Get().HasUnsent());
    EXPECT_EQ(qp.Receive(Ack(0, 0)), Acked(MTU));
    EXPECT_THAT(qp.Send(0), ElementsAre(Last(1, MTU)));
}

// --- Acknowledgements: section 9.7.5 ------------------------------------------------------------

TEST(RcRequester, CoalescedAcknowledgementsCoverAllBefore)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 10).Post(2, 3 * MTU).Post(3, 20);
    EXPECT_THAT(PsnsOf(qp.Send()), testing::ElementsAreArray(PsnsFrom(0, 5)));
    EXPECT_EQ(qp.Receive(Ack(2, 1)), Completes(10 + 2 * MTU));
    EXPECT_EQ(qp.Get().GetInFlightBytes(), MTU + 20u);
    EXPECT_THAT(qp.Completions(), ElementsAre(Success(1, 10)));
    EXPECT_EQ(qp.Receive(Ack(4, 3)), Completes(MTU + 20));
    EXPECT_THAT(qp.Completions(), ElementsAre(Success(2, 3 * MTU), Success(3, 20)));
}

TEST(RcRequester, StaleAndGhostAcknowledgementsChangeNothing)
{
    RequesterScript qp{AckLast(), 0x100};
    qp.Post(1, 2 * MTU).Post(2, 10);
    qp.Send();
    qp.At(SimTime::Microseconds(3));
    EXPECT_EQ(qp.Receive(Ack(0x101, 1)), Completes(2 * MTU));
    const SimTime deadline = qp.Get().GetDeadline();
    qp.At(SimTime::Microseconds(9));
    EXPECT_EQ(qp.Receive(Ack(0x101, 1)), Duplicate()) << "again";
    EXPECT_EQ(qp.Receive(Ack(0x0ff, 0)), Duplicate()) << "before the first packet";
    EXPECT_EQ(qp.Receive(Ack(0x103, 3)), Duplicate()) << "beyond what was sent";
    EXPECT_EQ(qp.Receive(Ack(0x102 + 0x7fffff, 3)), Duplicate()) << "far beyond";
    EXPECT_EQ(qp.Receive(Ack(0x102 + 0x800000, 3)), Duplicate()) << "half the space away";
    EXPECT_EQ(qp.Receive(Nak(0x100, 0)), Duplicate()) << "a NAK of something acknowledged";
    EXPECT_EQ(qp.Receive(Nak(0x103, 0)), Duplicate()) << "a NAK of something never sent";
    EXPECT_EQ(qp.Receive({Psn{0x102}, Aeth{0x2c, 1}}), Duplicate()) << "RNR NAK: not modelled";
    EXPECT_EQ(qp.Receive({Psn{0x102}, Aeth{0x61, 1}}), Duplicate()) << "NAK code 1: not modelled";
    EXPECT_EQ(qp.Get().GetDeadline(), deadline) << "only progress restarts the timer";
    EXPECT_EQ(qp.Receive(Ack(0x102, 2)), Completes(10));
}

// --- Go-back-N ----------------------------------------------------------------------------------

/** Same boundaries, opcodes and RETH as the first time; AckReq by the policy. */
TEST(RcRequester, NakGoesBackToItsPsnAndAcknowledgesAllBefore)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 10).Post(2, 3 * MTU + 7).Post(3, 20);
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(2, 1)),
              (RequesterOutcome{.ackedBytes = 10 + MTU, .goesBack = true, .completes = true}));
    EXPECT_THAT(qp.Completions(), ElementsAre(Success(1, 10)));
    EXPECT_EQ(qp.Get().GetInFlightBytes(), 0u);
    qp.Post(4, 5);
    EXPECT_THAT(
        qp.Send(),
        ElementsAre(
            Again(Middle(2)), Again(Middle(3)), Again(Last(4, 7)), Again(Only(5, 20)), Only(6, 5)));
    EXPECT_EQ(qp.Receive(Ack(6, 4)), Completes(2 * MTU + 7 + 20 + 5));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Success(2, 3 * MTU + 7), Success(3, 20), Success(4, 5)));
}

TEST(RcRequester, NakOfTheFirstPacketRepeatsTheReth)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 2 * MTU);
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(0, 0)), GoesBack(0));
    EXPECT_THAT(qp.Send(), ElementsAre(Again(First(0, 2 * MTU)), Again(Last(1, MTU))));
}

/** What arrived before sending went back need not be sent again once it is acknowledged. */
TEST(RcRequester, AcknowledgementBeyondTheRestartSkipsAhead)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 4 * MTU).Post(2, 2 * MTU);
    qp.Send();
    qp.TimeOut();
    EXPECT_EQ(qp.Get().Next(qp.Now()), Again(First(0, 4 * MTU)));
    EXPECT_EQ(qp.Receive(Ack(4, 1)), Completes(5 * MTU));
    EXPECT_EQ(qp.Get().GetInFlightBytes(), 0u);
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever()) << "nothing is on its way";
    EXPECT_THAT(qp.Send(), ElementsAre(Again(Last(5, MTU))));
    EXPECT_EQ(qp.Receive(Ack(5, 2)), Completes(MTU));
    EXPECT_FALSE(qp.Get().HasUnsent());
    EXPECT_TRUE(qp.Get().GetDeadline().IsNever());
}

/** A NAK repeated by the network, while sending is where it asks: no retry is spent. */
TEST(RcRequester, RepeatedNakBeforeSendingAgainIsFree)
{
    RequesterScript qp{{.pathMtu = MTU, .retryCount = 1}, 0};
    qp.Post(1, 2 * MTU);
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(0, 0)), GoesBack(0));
    EXPECT_EQ(qp.Receive(Nak(0, 0)), Duplicate());
    EXPECT_FALSE(qp.Get().IsInError());
}

TEST(RcRequester, NaksCountAgainstTheRetries)
{
    RequesterScript qp{{.pathMtu = MTU, .retryCount = 2}, 0};
    qp.Post(1, 3 * MTU);
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(0, 0)), GoesBack(0));
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(0, 0)), GoesBack(0));
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(1, 0)), GoesBack(MTU)) << "progress: the count starts again";
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(1, 0)), GoesBack(0));
    qp.Send();
    EXPECT_EQ(qp.Receive(Nak(1, 0)), Completes(0));
    EXPECT_TRUE(qp.Get().IsInError());
    EXPECT_THAT(qp.Completions(), ElementsAre(Failure(1, CompletionStatus::RETRY_EXC_ERR)));
}

// --- PSN space ----------------------------------------------------------------------------------

TEST(RcRequester, PsnWrapsAround)
{
    RequesterScript qp{AckLast(), 0xfffffe};
    qp.Post(1, 4 * MTU);
    EXPECT_THAT(qp.Send(),
                ElementsAre(First(0xfffffe, 4 * MTU), Middle(0xffffff), Middle(0), Last(1, MTU)));
    EXPECT_EQ(qp.Receive(Ack(0xffffff, 0)), Acked(2 * MTU));
    EXPECT_EQ(qp.Receive(Nak(1, 0)), GoesBack(MTU));
    EXPECT_THAT(qp.Send(), ElementsAre(Again(Last(1, MTU))));
    EXPECT_EQ(qp.Receive(Ack(1, 1)), Completes(MTU));
}

/** Section 9.7.1: less than half of the space in flight, and the last of them asks. */
TEST(RcRequester, HalfThePsnSpaceIsTheMostInFlight)
{
    RequesterScript qp{{.pathMtu = 256, .ackEvery = 0}, 0x800000};
    // 2^31 bytes at 256 a packet are 2^23 packets: one more than may be in flight.
    qp.Post(1, uint64_t{1} << 31);
    uint32_t sent = 0;
    RequestPacket packet;
    while (qp.Get().CanSend(RcRequester::NO_WINDOW))
    {
        packet = qp.Get().Next(qp.Now());
        ++sent;
        ASSERT_EQ(packet.ackRequest, sent == (1U << 23) - 1);
    }
    EXPECT_EQ(sent, (1U << 23) - 1);
    EXPECT_EQ(qp.Receive(Ack(0x800000 + sent - 1, 0)), Acked(uint64_t{256} * sent));
    EXPECT_EQ(qp.Send().size(), 1u);
    EXPECT_EQ(qp.Receive(Ack(0x800000 + sent, 1)), Completes(256));
}

// --- Memory -------------------------------------------------------------------------------------

/** 100 000 connections on a host: both machines with a posted request fit into 400 bytes. */
TEST(RcRequester, IdleConnectionIsSmall)
{
    RequesterScript qp{AckLast(), 0};
    qp.Post(1, 10);
    EXPECT_LE(sizeof(RcRequester) + sizeof(RcResponder) + qp.Get().GetHeapBytes(), 400u);
    RecordProperty(
        "bytes",
        static_cast<int>(sizeof(RcRequester) + sizeof(RcResponder) + qp.Get().GetHeapBytes()));
}

TEST(RcRequester, QueueGrowsAndIsUsedAgain)
{
    RequesterScript qp{AckLast(), 0};
    uint64_t posted = 0;
    uint64_t completed = 0;
    for (uint32_t round = 0; round < 100; ++round)
    {
        for (uint32_t i = 0; i <= round % 13; ++i)
        {
            qp.Post(posted++, 1);
        }
        const std::vector<RequestPacket> sent = qp.Send();
        qp.Receive(Ack(sent[sent.size() / 2].psn.Get(), 0));
        for (const WorkCompletion& completion : qp.Completions())
        {
            ASSERT_EQ(completion, Success(completed++, 1));
        }
        // All but the younger half completed; the rest comes with the next round's.
        qp.Receive(Ack(sent.back().psn.Get(), 0));
    }
    for (const WorkCompletion& completion : qp.Completions())
    {
        ASSERT_EQ(completion, Success(completed++, 1));
    }
    EXPECT_EQ(completed, posted);
    EXPECT_LE(qp.Get().GetHeapBytes(), 32u * 40) << "at most 19 requests were in the queue";
}

} // namespace
} // namespace ns3::rdma
