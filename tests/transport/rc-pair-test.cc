// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "tests/transport/rc-script.h"

#include <deque>
#include <set>

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
        completedBytes += completion->bytes;
    }
    EXPECT_EQ(completedBytes, PACKETS * MTU);
}

// --- Random faults in both directions -----------------------------------------------------------

/** Numbers from a seed. */
class Dice
{
  public:
    explicit Dice(uint64_t seed) : m_state{seed} {}

    /** 0 .. below - 1. */
    uint32_t Roll(uint32_t below)
    {
        return static_cast<uint32_t>((Mix64(m_state++) >> 32) % below);
    }

    bool Percent(uint32_t percent)
    {
        return Roll(100) < percent;
    }

  private:
    uint64_t m_state;
};

/** A direction of the wire that loses, doubles and reorders. */
template <typename T>
class FaultyWire
{
  public:
    FaultyWire(Dice& dice, uint32_t percent) : m_dice{dice}, m_percent{percent} {}

    void Put(const T& item)
    {
        if (m_dice.Percent(m_percent))
        {
            return;
        }
        m_items.push_back(item);
        if (m_dice.Percent(m_percent))
        {
            m_items.push_back(item);
        }
    }

    /** The oldest item, or sometimes one behind it. */
    std::optional<T> Take()
    {
        if (m_items.empty())
        {
            return std::nullopt;
        }
        const bool isLate = m_dice.Percent(m_percent);
        const size_t at =
            isLate ? m_dice.Roll(static_cast<uint32_t>(std::min<size_t>(4, m_items.size()))) : 0;
        const T item = m_items[at];
        m_items.erase(m_items.begin() + static_cast<std::ptrdiff_t>(at));
        return item;
    }

    bool IsEmpty() const
    {
        return m_items.empty();
    }

  private:
    Dice& m_dice;
    uint32_t m_percent;
    std::deque<T> m_items;
};

/** One random story of a connection with the checks that hold at every step. */
class Story
{
  public:
    explicit Story(uint64_t seed)
        : m_dice{seed},
          m_config{.pathMtu = 256,
                   .ackEvery = m_dice.Roll(4),
                   .retryCount = static_cast<uint8_t>(m_dice.Roll(8))},
          m_windowBytes{256 * (1 + m_dice.Roll(20))},
          m_initialPsn{0xffff00 + m_dice.Roll(512)},
          m_requester{m_config, Qpn{0x11}, m_initialPsn},
          m_responder{m_initialPsn},
          m_requests{m_dice, m_dice.Roll(12)},
          m_answers{m_dice, m_dice.Roll(12)}
    {
    }

    /** Until all work is completed, one way or the other. */
    void Run()
    {
        const uint32_t messages = 1 + m_dice.Roll(30);
        while (m_completed < messages && !testing::Test::HasFailure())
        {
            if (m_posted < messages && m_dice.Percent(20))
            {
                Post();
            }
            Step();
        }
        CheckEnd();
    }

    bool IsInError() const
    {
        return m_requester.IsInError();
    }

  private:
    void Post()
    {
        const uint64_t bytes = m_dice.Percent(10) ? 0 : m_dice.Roll(256 * 12);
        m_requester.Post({.wrId = m_posted++, .bytes = bytes});
        m_lengths.push_back(bytes);
    }

    void Step()
    {
        m_now += SimTime::Microseconds(1);
        const bool canSend = m_requester.CanSend(m_windowBytes);
        if (canSend && m_dice.Percent(60))
        {
            m_requests.Put(m_requester.Next(m_now, m_windowBytes));
            ASSERT_LE(m_requester.GetInFlightBytes(), std::max<uint64_t>(m_windowBytes, 256));
        }
        else if (const auto request = m_requests.Take())
        {
            Arrival(*request);
        }
        else if (const auto answer = m_answers.Take())
        {
            Answer(*answer);
        }
        else if (!canSend && !m_requester.GetDeadline().IsNever())
        {
            m_now = std::max(m_now, m_requester.GetDeadline());
            m_requester.OnTimeout(m_now);
        }
        Complete();
    }

    void Arrival(const RequestPacket& packet)
    {
        const ResponderOutcome outcome = m_responder.OnRequest(Arrive(packet));
        ASSERT_NE(outcome.verdict, RequestVerdict::INVALID);
        if (outcome.verdict == RequestVerdict::EXECUTED)
        {
            ASSERT_EQ(packet.psn, m_initialPsn.Plus(m_executed)) << "once and in order";
            ++m_executed;
            m_executedBytes += packet.payloadBytes;
        }
        if (outcome.completesMessage)
        {
            ASSERT_EQ(outcome.deliveredMessageBytes, m_lengths[m_delivered]);
            ++m_delivered;
        }
        if (outcome.answer)
        {
            m_answers.Put(*outcome.answer);
        }
    }

    void Answer(const AckPacket& answer)
    {
        m_ackedBytes += m_requester.OnAcknowledge(answer.aeth, answer.psn, m_now).ackedBytes;
        ASSERT_LE(m_ackedBytes, m_executedBytes) << "acknowledged bytes that never arrived";
    }

    void Complete()
    {
        while (const auto completion = m_requester.PopCompletion())
        {
            ASSERT_EQ(completion->wrId, m_completed) << "in posted order, once";
            if (completion->status == CompletionStatus::SUCCESS)
            {
                ASSERT_EQ(m_failures, 0u);
                ASSERT_LT(m_completed, m_delivered) << "completed before it was delivered";
                ASSERT_EQ(completion->bytes, m_lengths[m_completed]);
            }
            else
            {
                ASSERT_EQ(completion->status,
                          m_failures == 0 ? CompletionStatus::RETRY_EXC_ERR
                                          : CompletionStatus::WR_FLUSH_ERR);
                ++m_failures;
            }
            ++m_completed;
        }
    }

    void CheckEnd() const
    {
        if (m_requester.IsInError())
        {
            EXPECT_GT(m_failures, 0u);
            return;
        }
        EXPECT_EQ(m_failures, 0u);
        EXPECT_EQ(m_delivered, m_completed);
        EXPECT_EQ(m_ackedBytes, m_executedBytes);
        EXPECT_EQ(m_requester.GetInFlightBytes(), 0u);
        EXPECT_TRUE(m_requester.GetDeadline().IsNever());
    }

    Dice m_dice;
    RcConfig m_config;
    uint64_t m_windowBytes;
    Psn m_initialPsn;
    RcRequester m_requester;
    RcResponder m_responder;
    FaultyWire<RequestPacket> m_requests;
    FaultyWire<AckPacket> m_answers;
    SimTime m_now{};
    std::vector<uint64_t> m_lengths;
    uint64_t m_posted{0};
    uint64_t m_executed{0};
    uint64_t m_executedBytes{0};
    uint64_t m_delivered{0};
    uint64_t m_ackedBytes{0};
    uint64_t m_completed{0};
    uint64_t m_failures{0};
};

TEST(RcPair, RandomFaultsNeverBreakOrderOrDelivery)
{
    uint32_t errors = 0;
    constexpr uint32_t STORIES = 3000;
    for (uint64_t seed = 0; seed < STORIES && !HasFailure(); ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Story story{Mix64(seed)};
        story.Run();
        errors += story.IsInError() ? 1 : 0;
    }
    // Both ends must have been reached, or the test would show little.
    EXPECT_GT(errors, STORIES / 20);
    EXPECT_LT(errors, STORIES * 3 / 4);
    RecordProperty("stories that ended in error", static_cast<int>(errors));
}

} // namespace
} // namespace ns3::rdma
