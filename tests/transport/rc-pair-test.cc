// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/rc-script.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t MTU = 1024;

/** A requester and a responder with a wire between them that a test may damage. */
class Pair
{
  public:
    Pair(const RcConfig& config, uint64_t initialPsn)
        : m_requester{config, initialPsn},
          m_responder{Psn{initialPsn}}
    {
    }

    RequesterScript& Requester()
    {
        return m_requester;
    }

    RcResponder& Responder()
    {
        return m_responder;
    }

    /**
     * Sends all that may be sent; then the survivors arrive; then their answers.
     *
     * @param isLost whether the n-th request packet of the whole test, from 1, is lost
     */
    void Exchange(const std::function<bool(uint32_t)>& isLost)
    {
        std::vector<AckPacket> answers;
        for (const RequestPacket& packet : m_requester.Send())
        {
            m_sent.push_back(packet);
            if (isLost(static_cast<uint32_t>(m_sent.size())))
            {
                continue;
            }
            const ResponderOutcome outcome = m_responder.OnRequest(Arrive(packet));
            m_deliveredBytes += outcome.deliveredMessageBytes;
            m_deliveredMessages += outcome.completesMessage ? 1 : 0;
            if (outcome.answer)
            {
                answers.push_back(*outcome.answer);
            }
        }
        m_answers.insert(m_answers.end(), answers.begin(), answers.end());
        for (const AckPacket& answer : answers)
        {
            m_requester.Receive(answer);
        }
    }

    /** Exchanges until nothing is left to send or to wait for, timeouts included. */
    void Run(const std::function<bool(uint32_t)>& isLost)
    {
        do
        {
            if (!m_requester.Get().HasUnsent())
            {
                ++m_timeouts;
                m_requester.TimeOut();
            }
            Exchange(isLost);
        } while (m_requester.Get().HasUnsent() || !m_requester.Get().GetDeadline().IsNever());
    }

    const std::vector<RequestPacket>& Sent() const
    {
        return m_sent;
    }

    const std::vector<AckPacket>& Answers() const
    {
        return m_answers;
    }

    uint64_t DeliveredBytes() const
    {
        return m_deliveredBytes;
    }

    uint32_t DeliveredMessages() const
    {
        return m_deliveredMessages;
    }

    uint32_t Timeouts() const
    {
        return m_timeouts;
    }

  private:
    RequesterScript m_requester;
    RcResponder m_responder;
    std::vector<RequestPacket> m_sent;
    std::vector<AckPacket> m_answers;
    uint64_t m_deliveredBytes{0};
    uint32_t m_deliveredMessages{0};
    uint32_t m_timeouts{0};
};

RcConfig
AckLast()
{
    return {.pathMtu = MTU, .ackEvery = RcConfig::ACK_LAST_OF_MESSAGE};
}

bool
NothingIsLost(uint32_t)
{
    return false;
}

std::vector<uint32_t>
Joined(std::vector<uint32_t> first, const std::vector<uint32_t>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/** Ten packets, the fifth lost once: 10 + 6 = 16 packets, one NAK, one completion. */
TEST(RcPair, OneLossCostsOneNakAndTheRest)
{
    Pair pair{AckLast(), 0};
    pair.Requester().Post(1, 10 * MTU);
    pair.Run([](uint32_t n) { return n == 5; });
    EXPECT_EQ(PsnsOf(pair.Sent()), Joined(PsnsFrom(0, 10), PsnsFrom(4, 6)));
    EXPECT_EQ(pair.Sent().size(), 16u);
    EXPECT_THAT(pair.Answers(), ElementsAre(Nak(4, 0), Ack(9, 1)));
    EXPECT_THAT(pair.Requester().Completions(), ElementsAre(Success(1, 10 * MTU)));
    EXPECT_EQ(pair.Timeouts(), 0u);
}

/** The same packet lost again (the eleventh sent): no second NAK, the timer recovers. */
TEST(RcPair, SecondLossOfTheSamePacketIsRecoveredByTheTimer)
{
    Pair pair{AckLast(), 0};
    pair.Requester().Post(1, 10 * MTU);
    pair.Run([](uint32_t n) { return n == 5 || n == 11; });
    EXPECT_EQ(PsnsOf(pair.Sent()), Joined(Joined(PsnsFrom(0, 10), PsnsFrom(4, 6)), PsnsFrom(4, 6)));
    EXPECT_THAT(pair.Answers(), ElementsAre(Nak(4, 0), Ack(9, 1)));
    EXPECT_EQ(pair.Timeouts(), 1u);
    EXPECT_THAT(pair.Requester().Completions(), ElementsAre(Success(1, 10 * MTU)));
    EXPECT_EQ(pair.Requester().Now(), SimTime{67'108'864'000}) << "one period";
}

TEST(RcPair, TailLossIsRecoveredAfterOnePeriod)
{
    Pair pair{{.pathMtu = MTU, .ackEvery = 1}, 0};
    pair.Requester().Post(1, 4 * MTU);
    pair.Run([](uint32_t n) { return n == 4; });
    EXPECT_EQ(PsnsOf(pair.Sent()), Joined(PsnsFrom(0, 4), PsnsFrom(3, 1)));
    EXPECT_EQ(pair.Timeouts(), 1u);
    EXPECT_EQ(pair.Requester().Now(), SimTime{67'108'864'000});
    EXPECT_THAT(pair.Requester().Completions(), ElementsAre(Success(1, 4 * MTU)));
}

/** Every packet of three messages lost in turn, under each acknowledgement policy. */
TEST(RcPair, EverySingleLossIsRecovered)
{
    for (const uint32_t ackEvery : {0U, 1U, 3U})
    {
        for (uint32_t lost = 1; lost <= 12; ++lost)
        {
            SCOPED_TRACE(testing::Message() << "ackEvery " << ackEvery << " lost " << lost);
            Pair pair{{.pathMtu = MTU, .ackEvery = ackEvery}, 0xfffffa};
            pair.Requester().Post(1, 7 * MTU).Post(2, 0).Post(3, 3 * MTU + 1);
            pair.Run([&](uint32_t n) { return n == lost; });
            EXPECT_EQ(pair.DeliveredBytes(), 10u * MTU + 1);
            EXPECT_EQ(pair.DeliveredMessages(), 3u);
            EXPECT_EQ(pair.Timeouts(), lost == 12 ? 1u : 0u) << "only the last leaves no gap";
            EXPECT_THAT(pair.Requester().Completions(),
                        ElementsAre(Success(1, 7 * MTU), Success(2, 0), Success(3, 3 * MTU + 1)));
        }
    }
}

// --- The packet sequences of Linux rxe (kernel 6.1), same stimulus ------------------------------

constexpr uint64_t RXE_PSN = 0x123456;

/** Wire trace rxe_wire_drop_write_first: WRITE of 16384, the First packet lost. */
TEST(RcPair, AgreesWithRxeOnALostFirstPacket)
{
    Pair pair{AckLast(), RXE_PSN};
    pair.Requester().Post(1, 16384);
    pair.Run([](uint32_t n) { return n == 1; });
    EXPECT_EQ(PsnsOf(pair.Sent()), Joined(PsnsFrom(0x123456, 16), PsnsFrom(0x123456, 16)));
    EXPECT_EQ(pair.Sent()[16].opcode, Opcode::RC_RDMA_WRITE_FIRST);
    EXPECT_EQ(pair.Sent()[16].reth, pair.Sent()[0].reth);
    EXPECT_THAT(pair.Answers(), ElementsAre(Nak(0x123456, 0), Ack(0x123465, 1)));
}

/** Wire trace rxe_wire_drop_write_mid: WRITE of 16384, the fifth Middle lost; WRITE of 10. */
TEST(RcPair, AgreesWithRxeOnALostMiddlePacket)
{
    Pair pair{AckLast(), RXE_PSN};
    pair.Requester().Post(1, 16384);
    pair.Run([](uint32_t n) { return n == 6; });
    pair.Requester().Post(2, 10);
    pair.Run(NothingIsLost);
    EXPECT_EQ(
        PsnsOf(pair.Sent()),
        Joined(Joined(PsnsFrom(0x123456, 16), PsnsFrom(0x12345b, 11)), PsnsFrom(0x123466, 1)));
    EXPECT_EQ(pair.Sent()[16].opcode, Opcode::RC_RDMA_WRITE_MIDDLE);
    EXPECT_EQ(pair.Sent()[26].opcode, Opcode::RC_RDMA_WRITE_LAST);
    for (size_t i = 0; i < pair.Sent().size(); ++i)
    {
        EXPECT_EQ(pair.Sent()[i].ackRequest, i == 15 || i == 26 || i == 27) << i;
    }
    EXPECT_THAT(pair.Answers(), ElementsAre(Nak(0x12345b, 0), Ack(0x123465, 1), Ack(0x123466, 2)));
}

/**
 * Wire trace rxe_wire_drop_write_last: WRITE of 16384, Last lost. Nothing was acknowledged, so
 * the timer repeats the message; each of the 15 duplicates draws an ACK of the last in order.
 */
TEST(RcPair, AgreesWithRxeOnALostLastPacket)
{
    Pair pair{AckLast(), RXE_PSN};
    pair.Requester().Post(1, 16384);
    pair.Run([](uint32_t n) { return n == 16; });
    EXPECT_EQ(PsnsOf(pair.Sent()), Joined(PsnsFrom(0x123456, 16), PsnsFrom(0x123456, 16)));
    std::vector<AckPacket> expected(15, Ack(0x123464, 0));
    expected.push_back(Ack(0x123465, 1));
    EXPECT_EQ(pair.Answers(), expected);
    EXPECT_EQ(pair.Timeouts(), 1u);
}

/** Wire trace rxe_wire_drop_same_twice: the fifth Middle lost, and lost again. */
TEST(RcPair, AgreesWithRxeOnTheSameLossTwice)
{
    Pair pair{AckLast(), RXE_PSN};
    pair.Requester().Post(1, 16384);
    pair.Run([](uint32_t n) { return n == 6 || n == 17; });
    EXPECT_EQ(
        PsnsOf(pair.Sent()),
        Joined(Joined(PsnsFrom(0x123456, 16), PsnsFrom(0x12345b, 11)), PsnsFrom(0x12345b, 11)));
    EXPECT_THAT(pair.Answers(), ElementsAre(Nak(0x12345b, 0), Ack(0x123465, 1)));
    EXPECT_EQ(pair.Timeouts(), 1u);
}

/**
 * Wire trace rxe_wire_drop_ack_pipelined: WRITEs of 10 to 13 bytes, the first ACK lost; the
 * second covers both, nothing is repeated.
 */
TEST(RcPair, AgreesWithRxeOnALostAcknowledgement)
{
    RequesterScript requester{AckLast(), RXE_PSN};
    requester.Post(1, 10).Post(2, 11).Post(3, 12).Post(4, 13);
    EXPECT_EQ(PsnsOf(requester.Send()), PsnsFrom(0x123456, 4));
    requester.Receive(Ack(0x123457, 2));
    requester.Receive(Ack(0x123458, 3));
    requester.Receive(Ack(0x123459, 4));
    EXPECT_THAT(requester.Send(), IsEmpty());
    EXPECT_THAT(requester.Completions(),
                ElementsAre(Success(1, 10), Success(2, 11), Success(3, 12), Success(4, 13)));
}

/** Wire trace rxe_wire_reorder_write_by1, answers: a late packet fills its gap, the next opens one.
 */
TEST(RcPair, AgreesWithRxeOnReordering)
{
    RcResponder responder{Psn{RXE_PSN}};
    RequesterScript requester{AckLast(), RXE_PSN};
    std::vector<RequestPacket> sent = requester.Post(1, 16384).Send();
    std::swap(sent[5], sent[6]);
    std::vector<AckPacket> answers;
    const auto arrive = [&](const RequestPacket& packet)
    {
        if (const auto answer = responder.OnRequest(Arrive(packet)).answer)
        {
            answers.push_back(*answer);
        }
    };
    std::ranges::for_each(sent, arrive);
    EXPECT_THAT(answers, ElementsAre(Nak(0x12345b, 0), Nak(0x12345c, 0)));
    // As in the trace, the first NAK has sending go back before the second is seen.
    requester.Receive(answers[0]);
    sent = requester.Send();
    EXPECT_EQ(PsnsOf(sent), PsnsFrom(0x12345b, 11));
    answers.clear();
    std::ranges::for_each(sent, arrive);
    EXPECT_THAT(answers, ElementsAre(Ack(0x12345b, 0), Ack(0x123465, 1)));
}

// --- Long runs ----------------------------------------------------------------------------------

/** 2^24 + 10 packets of 1024 bytes, an ACK each, across the wrap: no packet is sent twice. */
TEST(RcPair, MorePacketsThanPsnsWithoutRetransmission)
{
    constexpr uint64_t PACKETS = (uint64_t{1} << 24) + 10;
    constexpr uint64_t MESSAGE = uint64_t{1} << 31;
    const RcConfig config{.pathMtu = MTU, .ackEvery = 1};
    RcRequester requester{config, Qpn{1}, Psn{0xfffffe}};
    RcResponder responder{Psn{0xfffffe}};
    for (uint64_t left = PACKETS * MTU; left > 0; left -= std::min(left, MESSAGE))
    {
        ASSERT_TRUE(requester.Post({.bytes = std::min(left, MESSAGE)}));
    }
    uint64_t packets = 0;
    uint64_t ackedBytes = 0;
    bool isClean = true;
    while (requester.CanSend(8 * MTU))
    {
        const RequestPacket packet = requester.Next(SimTime{packets}, 8 * MTU);
        const ResponderOutcome answer = responder.OnRequest(Arrive(packet));
        isClean = isClean && !packet.isRetransmission && answer.answer.has_value() &&
                  packet.psn == Psn{0xfffffe + packets};
        ++packets;
        ackedBytes +=
            requester.OnAcknowledge(answer.answer->aeth, answer.answer->psn, SimTime{packets})
                .ackedBytes;
    }
    EXPECT_TRUE(isClean);
    EXPECT_EQ(packets, PACKETS);
    EXPECT_EQ(ackedBytes, PACKETS * MTU);
    uint64_t completedBytes = 0;
    while (const auto completion = requester.PopCompletion())
    {
        completedBytes += completion->byteLength;
    }
    EXPECT_EQ(completedBytes, PACKETS * MTU);
}

} // namespace
} // namespace ns3::rdma
