// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/rc-script.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t MTU = 1024;

/** 4.096 us x 2^14. @verifies IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
constexpr SimTime PERIOD{67'108'864'000};

RequestPacket
Packet(Opcode opcode, uint64_t psn, uint32_t payloadBytes)
{
    return {.opcode = opcode, .psn = Psn{psn}, .payloadBytes = payloadBytes};
}

RequestPacket
First(uint64_t psn, uint32_t messageBytes)
{
    RequestPacket packet = Packet(Opcode::RC_RDMA_WRITE_FIRST, psn, MTU);
    packet.reth = {RequesterScript::ADDRESS, RequesterScript::RKEY, messageBytes};
    return packet;
}

RequestPacket
Middle(uint64_t psn)
{
    return Packet(Opcode::RC_RDMA_WRITE_MIDDLE, psn, MTU);
}

RequestPacket
Last(uint64_t psn, uint32_t payloadBytes)
{
    RequestPacket packet = Packet(Opcode::RC_RDMA_WRITE_LAST, psn, payloadBytes);
    packet.ackRequest = true;
    return packet;
}

RequestPacket
Only(uint64_t psn, uint32_t payloadBytes)
{
    RequestPacket packet = Packet(Opcode::RC_RDMA_WRITE_ONLY, psn, payloadBytes);
    packet.ackRequest = true;
    packet.reth = {RequesterScript::ADDRESS, RequesterScript::RKEY, payloadBytes};
    return packet;
}

RequestPacket
Asking(RequestPacket packet)
{
    packet.ackRequest = true;
    return packet;
}

RequestPacket
Again(RequestPacket packet)
{
    packet.isRetransmission = true;
    return packet;
}

/** Acknowledgements only where a message ends: the shortest scripts. */
RcConfig
AckLast()
{
    return {.pathMtu = MTU, .ackEvery = RcConfig::ACK_LAST_OF_MESSAGE};
}

RequesterOutcome
Acked(uint64_t bytes)
{
    return {.ackedBytes = bytes};
}

RequesterOutcome
Completes(uint64_t bytes)
{
    return {.ackedBytes = bytes, .completes = true};
}

RequesterOutcome
GoesBack(uint64_t ackedBytes)
{
    return {.ackedBytes = ackedBytes, .goesBack = true};
}

RequesterOutcome
Duplicate()
{
    return {.isDuplicate = true};
}

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
