// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"
#include "transport/responder.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t MTU = RequesterTestbed::MTU;

// --- Segmentation: IBTA Vol 1 Rel 1.7 section 9.7.2, path MTU 1024 ------------------------------

TEST(Requester, MessageOfNoBytesIsOnePacket)
{
    RequesterTestbed qp{7};
    qp.Write(1, 0).Send(2, 0).Read(3, 0).Post(SendOpcode::RDMA_WRITE_WITH_IMM, 4, 0);
    EXPECT_THAT(qp.Drain(),
                ElementsAre(WriteOnly(7, 0),
                            PacketOf(Opcode::RC_SEND_ONLY, 8, 0),
                            ReadRequest(9, 0),
                            PacketOfMessage(Opcode::RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 10, 0, 0)));
    EXPECT_EQ(qp.Ack(8), Completing(0));
    EXPECT_EQ(qp.Respond(Opcode::RC_RDMA_READ_RESPONSE_ONLY, 9, 0), Completing(0));
    EXPECT_EQ(qp.Ack(10), Completing(0));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Written(1, 0),
                            Done(CompletionOpcode::SEND, 2, 0),
                            Done(CompletionOpcode::RDMA_READ, 3, 0),
                            Written(4, 0)));
}

TEST(Requester, SegmentsAtThePathMtu)
{
    RequesterTestbed qp{7};
    qp.Write(1, 1).Write(2, MTU - 1).Write(3, MTU).Write(4, MTU + 1).Write(5, 2 * MTU);
    qp.Write(6, 2049);
    EXPECT_THAT(qp.Drain(),
                ElementsAre(WriteOnly(7, 1),
                            WriteOnly(8, MTU - 1),
                            WriteOnly(9, MTU),
                            WriteFirst(10, MTU + 1),
                            WriteLast(11, 1, 1),
                            WriteFirst(12, 2 * MTU),
                            WriteLast(13, 1, MTU),
                            WriteFirst(14, 2049),
                            WriteMiddle(15, 1),
                            WriteLast(16, 2, 1)));
    EXPECT_EQ(qp.requester.GetInFlightBytes(), 1u + 1023 + 1024 + 1025 + 2048 + 2049);
    EXPECT_EQ(qp.Ack(16), Completing(1 + 1023 + 1024 + 1025 + 2048 + 2049));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Written(1, 1),
                            Written(2, 1023),
                            Written(3, 1024),
                            Written(4, 1025),
                            Written(5, 2048),
                            Written(6, 2049)));
}

/** RETH in the first packet of a WRITE; immediate, IETH and the solicited event in the last. */
TEST(Requester, EachOperationHasItsOpcodesAndHeaders)
{
    struct Row
    {
        SendOpcode operation;
        Opcode first, middle, last, only;
        bool hasReth;
    };

    using enum Opcode;
    const std::array<Row, 5> rows{{
        {SendOpcode::SEND, RC_SEND_FIRST, RC_SEND_MIDDLE, RC_SEND_LAST, RC_SEND_ONLY, false},
        {SendOpcode::SEND_WITH_IMM,
         RC_SEND_FIRST,
         RC_SEND_MIDDLE,
         RC_SEND_LAST_WITH_IMMEDIATE,
         RC_SEND_ONLY_WITH_IMMEDIATE,
         false},
        {SendOpcode::SEND_WITH_INV,
         RC_SEND_FIRST,
         RC_SEND_MIDDLE,
         RC_SEND_LAST_WITH_INVALIDATE,
         RC_SEND_ONLY_WITH_INVALIDATE,
         false},
        {SendOpcode::RDMA_WRITE,
         RC_RDMA_WRITE_FIRST,
         RC_RDMA_WRITE_MIDDLE,
         RC_RDMA_WRITE_LAST,
         RC_RDMA_WRITE_ONLY,
         true},
        {SendOpcode::RDMA_WRITE_WITH_IMM,
         RC_RDMA_WRITE_FIRST,
         RC_RDMA_WRITE_MIDDLE,
         RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
         RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE,
         true},
    }};
    for (const Row& row : rows)
    {
        const auto start = [&row](Opcode opcode, uint64_t psn, uint32_t bytes, uint32_t message)
        {
            return row.hasReth ? PacketOfMessage(opcode, psn, bytes, message)
                               : PacketOf(opcode, psn, bytes);
        };
        RequesterTestbed qp{0};
        qp.Post(row.operation, 1, 2 * MTU + 1).Post(row.operation, 2, 5);
        EXPECT_THAT(qp.Drain(),
                    ElementsAre(start(row.first, 0, MTU, 2 * MTU + 1),
                                PacketOf(row.middle, 1, MTU, MTU),
                                PacketOf(row.last, 2, 1, 2 * MTU),
                                start(row.only, 3, 5, 5)));
    }
}

TEST(Requester, SolicitedEventStandsInTheLastPacketOfWhatTakesAReceive)
{
    RequesterTestbed qp{0};
    const uint8_t flags = SEND_SIGNALED | SEND_SOLICITED;
    qp.Send(1, MTU + 1, flags).Write(2, 1, flags).Read(3, 1, flags);
    qp.Post(SendOpcode::RDMA_WRITE_WITH_IMM, 4, 1, flags);
    std::vector<bool> solicited;
    for (const OutgoingRequest& packet : qp.Drain())
    {
        solicited.push_back(packet.isSolicited);
    }
    EXPECT_THAT(solicited, ElementsAre(false, true, false, false, true));
}

TEST(Requester, AtomicCarriesItsOperands)
{
    RequesterTestbed qp{0};
    qp.FetchAdd(1).Post(SendOpcode::ATOMIC_CMP_AND_SWP, 2, ATOMIC_BYTES);
    const OutgoingRequest add = qp.requester.Next(qp.now);
    EXPECT_EQ(add.opcode, Opcode::RC_FETCH_ADD);
    EXPECT_EQ(add.reth, Reth{}) << "an atomic has no RETH";
    EXPECT_TRUE(add.ackRequest);
    EXPECT_EQ(qp.requester.GetAtomic(add),
              (AtomicEth{RequesterTestbed::REMOTE, RequesterTestbed::RKEY, 3, 0}));
    const OutgoingRequest swap = qp.requester.Next(qp.now);
    EXPECT_EQ(swap.opcode, Opcode::RC_COMPARE_SWAP);
    EXPECT_EQ(qp.requester.GetAtomic(swap),
              (AtomicEth{RequesterTestbed::REMOTE, RequesterTestbed::RKEY, 4, 3}));
}

// --- AckReq -------------------------------------------------------------------------------------

TEST(Requester, AsksOnEachPacketByPolicy)
{
    RequesterTestbed qp{0, {.policy = {.ackEvery = 1}}};
    qp.Write(1, 3 * MTU);
    EXPECT_THAT(
        qp.Drain(),
        ElementsAre(Asks(WriteFirst(0, 3 * MTU)), Asks(WriteMiddle(1, 1)), WriteLast(2, 2, MTU)));
}

TEST(Requester, AsksOnEachNthPacketAndTheLast)
{
    RequesterTestbed qp{0, {.policy = {.ackEvery = 2}}};
    qp.Write(1, 5 * MTU).Write(2, 2 * MTU);
    // The count begins again behind each packet that asked.
    EXPECT_THAT(qp.Drain(),
                ElementsAre(WriteFirst(0, 5 * MTU),
                            Asks(WriteMiddle(1, 1)),
                            WriteMiddle(2, 2),
                            Asks(WriteMiddle(3, 3)),
                            WriteLast(4, 4, MTU),
                            WriteFirst(5, 2 * MTU),
                            WriteLast(6, 1, MTU)));
}

TEST(Requester, CountOfThePolicyBeginsAgainAfterGoingBack)
{
    RequesterTestbed qp{0, {.policy = {.ackEvery = 3}}};
    qp.Write(1, 6 * MTU);
    for (uint32_t psn = 0; psn < 5; ++psn)
    {
        EXPECT_EQ(qp.requester.Next(qp.now).ackRequest, psn == 2);
    }
    EXPECT_EQ(qp.Nak(1), Back(MTU));
    EXPECT_THAT(qp.Drain(),
                ElementsAre(Repeated(WriteMiddle(1, 1)),
                            Repeated(WriteMiddle(2, 2)),
                            Repeated(Asks(WriteMiddle(3, 3))),
                            Repeated(WriteMiddle(4, 4)),
                            WriteLast(5, 5, MTU)));
}

TEST(Requester, AsksWhereTheWindowEnds)
{
    RequesterTestbed qp{0};
    qp.Write(1, 5 * MTU);
    const uint64_t window = 2 * MTU + 1;
    EXPECT_THAT(qp.Drain(window), ElementsAre(WriteFirst(0, 5 * MTU), Asks(WriteMiddle(1, 1))));
    EXPECT_EQ(qp.Ack(1), Progress(2 * MTU));
    EXPECT_THAT(qp.Drain(window), ElementsAre(WriteMiddle(2, 2), Asks(WriteMiddle(3, 3))));
    EXPECT_EQ(qp.Ack(3), Progress(2 * MTU));
    EXPECT_THAT(qp.Drain(window), ElementsAre(WriteLast(4, 4, MTU)));
}

TEST(Requester, OnePacketMayGoHoweverSmallTheWindow)
{
    RequesterTestbed qp{0};
    qp.Write(1, 2 * MTU);
    EXPECT_THAT(qp.Drain(0), ElementsAre(Asks(WriteFirst(0, 2 * MTU))));
    EXPECT_FALSE(qp.requester.CanSend(MTU));
    EXPECT_TRUE(qp.requester.HasUnsent());
    EXPECT_EQ(qp.Ack(0), Progress(MTU));
    EXPECT_THAT(qp.Drain(0), ElementsAre(WriteLast(1, 1, MTU)));
}

/** What a READ asks for is the responder's to send: a window does not count it. */
TEST(Requester, ReadsTakeNoWindow)
{
    RequesterTestbed qp{0};
    qp.Read(1, 100 * MTU).Read(2, 100 * MTU).Write(3, MTU);
    EXPECT_EQ(qp.Drain(MTU).size(), 3u);
    EXPECT_EQ(qp.requester.GetInFlightBytes(), MTU);
}

// --- PSN space: section 9.7.1 -------------------------------------------------------------------

TEST(Requester, PsnWrapsAround)
{
    RequesterTestbed qp{0xfffffe};
    qp.Write(1, 4 * MTU);
    EXPECT_EQ(qp.requester.GetNextPsn(), Psn{0xfffffe});
    EXPECT_THAT(qp.Drain(),
                ElementsAre(WriteFirst(0xfffffe, 4 * MTU),
                            WriteMiddle(0xffffff, 1),
                            WriteMiddle(0, 2),
                            WriteLast(1, 3, MTU)));
    EXPECT_EQ(qp.requester.GetNextPsn(), Psn{2});
    EXPECT_EQ(qp.Ack(0xffffff), Progress(2 * MTU));
    EXPECT_EQ(qp.Nak(1), Back(MTU));
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(WriteLast(1, 3, MTU))));
    EXPECT_EQ(qp.Ack(1), Completing(MTU));
}

/** 2^24 + 10 packets on one connection: every PSN is used again, none is a retransmission. */
TEST(Requester, MorePacketsThanPsns)
{
    RequesterTestbed qp{0xfffff0};
    constexpr uint64_t PACKETS = (uint64_t{1} << 24) + 10;
    uint64_t sent = 0;
    while (sent < PACKETS)
    {
        // 2^21 packets are the longest message, 2^31 bytes.
        const uint64_t packets = std::min<uint64_t>(PACKETS - sent, 1U << 21);
        qp.Write(sent, static_cast<uint32_t>(packets * MTU));
        while (qp.requester.CanSend(Requester::NO_WINDOW))
        {
            const OutgoingRequest packet = qp.requester.Next(qp.now);
            ASSERT_FALSE(packet.isRetransmission);
            ASSERT_EQ(packet.psn, Psn{0xfffff0 + sent});
            ++sent;
            if (packet.ackRequest || sent % 64 == 0)
            {
                ASSERT_FALSE(qp.Ack(packet.psn.Get()).isDuplicate);
            }
        }
        EXPECT_EQ(qp.Completions().size(), 1u);
    }
    EXPECT_EQ(sent, PACKETS);
}

/** Each READ takes as many PSNs as its response has packets; an atomic takes one. */
TEST(Requester, ReadTakesThePsnsOfItsResponse)
{
    RequesterTestbed qp{0xfffffe};
    qp.Read(1, 4096).FetchAdd(2).Read(3, 1).Write(4, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0xfffffe, 2, 3, 4));
    EXPECT_EQ(qp.requester.GetNextPsn(), Psn{5});
}

/** Less than half of the space in flight, and the last of them asks. */
TEST(Requester, HalfThePsnSpaceIsTheMostInFlight)
{
    RequesterSettings settings;
    settings.attributes.pathMtu = 256;
    RequesterTestbed qp{0x800000, settings};
    // 2^31 bytes at 256 a packet are 2^23 packets: one more than may be in flight.
    qp.Write(1, 1U << 31);
    uint32_t sent = 0;
    while (qp.requester.CanSend(Requester::NO_WINDOW))
    {
        const OutgoingRequest packet = qp.requester.Next(qp.now);
        ++sent;
        ASSERT_EQ(packet.ackRequest, sent == (1U << 23) - 1);
    }
    EXPECT_EQ(sent, (1U << 23) - 1);
    EXPECT_EQ(qp.Ack(0x800000 + sent - 1), Progress(uint64_t{256} * sent));
    EXPECT_EQ(qp.Drain().size(), 1u);
    EXPECT_EQ(qp.Ack(0x800000 + sent), Completing(256));
}

/** The longest READ at the smallest MTU has 2^23 responses: it goes alone, and PSNs stay plain. */
TEST(Requester, LongestReadTakesHalfThePsnSpaceAlone)
{
    RequesterSettings settings;
    settings.attributes.pathMtu = 256;
    RequesterTestbed qp{5, settings};
    qp.Write(1, 1).Read(2, 1U << 31).Write(3, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(5)) << "the READ waits until nothing is in flight";
    qp.Ack(5);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(6));
    for (uint64_t psn = 6; psn < 6 + (1U << 23); ++psn)
    {
        const bool isLast = psn + 1 == 6 + (1U << 23);
        const Opcode opcode = psn == 6 ? Opcode::RC_RDMA_READ_RESPONSE_FIRST
                              : isLast ? Opcode::RC_RDMA_READ_RESPONSE_LAST
                                       : Opcode::RC_RDMA_READ_RESPONSE_MIDDLE;
        ASSERT_FALSE(qp.Respond(opcode, psn, 256).isDuplicate);
    }
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(6 + (1U << 23)));
    EXPECT_EQ(qp.Ack(6 + (1U << 23)), Completing(1));
    EXPECT_THAT(
        qp.Completions(),
        ElementsAre(Written(1, 1), Done(CompletionOpcode::RDMA_READ, 2, 1U << 31), Written(3, 1)));
}

/** The captured rxe: at most 129 packets unacknowledged, AckReq on each 66th packet only. */
TEST(Requester, PolicyLimitsThePacketsInFlight)
{
    RequesterTestbed qp{0, {.policy = {.ackEvery = 66, .maxPacketsInFlight = 129}}};
    qp.Write(1, 200 * MTU);
    std::vector<uint32_t> asking;
    const std::vector<OutgoingRequest> sent = qp.Drain();
    for (const OutgoingRequest& packet : sent)
    {
        if (packet.ackRequest)
        {
            asking.push_back(packet.psn.Get());
        }
    }
    EXPECT_EQ(sent.size(), 129u);
    EXPECT_THAT(asking, ElementsAre(65));
    EXPECT_EQ(qp.Ack(65), Progress(66 * MTU));
    EXPECT_EQ(qp.Drain().size(), 66u);
}

/** Where nothing in flight has asked, the last that fits does. */
TEST(Requester, AsksAtTheLimitOfPacketsIfNothingHasAsked)
{
    RequesterTestbed qp{0, {.policy = {.ackEvery = 0, .maxPacketsInFlight = 2}}};
    qp.Write(1, 3 * MTU);
    EXPECT_THAT(qp.Drain(), ElementsAre(WriteFirst(0, 3 * MTU), Asks(WriteMiddle(1, 1))));
}

// --- Memory -------------------------------------------------------------------------------------

/** 100 000 connections on a host: both machines with a posted request stay small. */
TEST(Requester, IdleConnectionIsSmall)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10);
    EXPECT_EQ(qp.requester.GetHeapBytes(), 64u) << "one cache line a request";
    const uint64_t bytes = sizeof(Requester) + sizeof(Responder) + qp.requester.GetHeapBytes();
    RecordProperty("bytes", static_cast<int>(bytes));
    EXPECT_LE(sizeof(Requester), 248u);
}

TEST(Requester, QueueGrowsAndIsUsedAgain)
{
    RequesterTestbed qp{0};
    uint64_t posted = 0;
    uint64_t completed = 0;
    const auto check = [&]
    {
        for (const WorkCompletion& completion : qp.Completions())
        {
            ASSERT_EQ(completion, Written(completed++, 1));
        }
    };
    for (uint32_t round = 0; round < 100; ++round)
    {
        for (uint32_t i = 0; i <= round % 13; ++i)
        {
            qp.Write(posted++, 1);
        }
        const std::vector<OutgoingRequest> sent = qp.Drain();
        qp.Ack(sent[sent.size() / 2].psn.Get());
        check();
        qp.Ack(sent.back().psn.Get());
    }
    check();
    EXPECT_EQ(completed, posted);
    EXPECT_LE(qp.requester.GetHeapBytes(), 32u * 64) << "at most 19 requests were in the queue";
}

} // namespace
} // namespace ns3::rdma
