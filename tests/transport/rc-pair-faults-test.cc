// SPDX-License-Identifier: GPL-2.0-only
#include "base/hash.h"
#include "tests/transport/rc-script.h"

#include <algorithm>
#include <deque>

namespace ns3::rdma
{
namespace
{

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
                ASSERT_EQ(completion->byteLength, m_lengths[m_completed]);
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
