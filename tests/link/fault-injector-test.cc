// SPDX-License-Identifier: GPL-2.0-only
#include "link/fault-injector.h"
#include "tests/support/port-bench.h"

#include <gmock/gmock.h>
#include <map>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

/** Puts numbered frames (Frame::flow) into an injector and notes what comes out. */
class FaultInjectorTest : public testing::Test
{
  protected:
    Frame* Make(Opcode opcode, uint32_t psn = 0, uint16_t payloadBytes = 0)
    {
        Frame* frame = m_ledger.Create(FrameKind::ROCE, 100);
        frame->opcode = opcode;
        frame->psn = Psn{psn};
        frame->payloadBytes = payloadBytes;
        frame->flow = ++m_count;
        return frame;
    }

    /** @return the numbers of the frames that came out; they are consumed */
    std::vector<uint32_t> Pass(Frame* frame)
    {
        m_injector.Put(frame);
        std::vector<uint32_t> out;
        while (Frame* passed = m_injector.Take())
        {
            out.push_back(passed->flow);
            m_last = {passed->isDamaged, passed->ecn};
            m_damaged += passed->isDamaged ? 1 : 0;
            m_ledger.Consume(passed);
        }
        return out;
    }

    std::vector<uint32_t> Pass(Opcode opcode, uint32_t psn = 0, uint16_t payloadBytes = 0)
    {
        return Pass(Make(opcode, psn, payloadBytes));
    }

    struct Marks
    {
        bool isDamaged;
        Ecn ecn;
    };

    FrameLedger m_ledger;
    FaultInjector m_injector{m_ledger};
    Marks m_last{};
    uint32_t m_count{0};
    uint32_t m_damaged{0};
};

constexpr Opcode MIDDLE = Opcode::RC_RDMA_WRITE_MIDDLE;
constexpr Opcode LAST = Opcode::RC_RDMA_WRITE_LAST;

TEST_F(FaultInjectorTest, WithoutRulesEverythingPasses)
{
    EXPECT_THAT(Pass(MIDDLE), ElementsAre(1));
    EXPECT_THAT(Pass(LAST), ElementsAre(2));
    EXPECT_FALSE(m_last.isDamaged);
}

TEST_F(FaultInjectorTest, CountsOnlyMatchingFrames)
{
    m_injector.AddRule({.match = {.opcodes = {MIDDLE}}, .which = {2}});
    EXPECT_THAT(Pass(MIDDLE), ElementsAre(1));
    EXPECT_THAT(Pass(LAST), ElementsAre(2));
    EXPECT_THAT(Pass(MIDDLE), IsEmpty()); // the second MIDDLE
    EXPECT_THAT(Pass(MIDDLE), ElementsAre(4));
    EXPECT_EQ(m_ledger.GetDropped(DropReason::INJECTED_FAULT).frames, 1U);
}

TEST_F(FaultInjectorTest, WithoutNumbersEveryMatchIsStruck)
{
    m_injector.AddRule({.match = {.opcodes = {MIDDLE, LAST}}});
    EXPECT_THAT(Pass(MIDDLE), IsEmpty());
    EXPECT_THAT(Pass(LAST), IsEmpty());
    EXPECT_THAT(Pass(Opcode::RC_SEND_ONLY), ElementsAre(3));
}

// A packet lost, and its repeat lost too: the second rule must not count what the first one took.
TEST_F(FaultInjectorTest, LaterRulesDoNotSeeWhatAnEarlierOneStruck)
{
    m_injector.AddRule({.match = {.opcodes = {MIDDLE}}, .which = {1}});
    m_injector.AddRule({.match = {.opcodes = {MIDDLE}, .psns = {Psn{7}}}, .which = {1}});
    EXPECT_THAT(Pass(MIDDLE, 7), IsEmpty());
    EXPECT_THAT(Pass(MIDDLE, 8), ElementsAre(2));
    EXPECT_THAT(Pass(MIDDLE, 7), IsEmpty());
    EXPECT_THAT(Pass(MIDDLE, 7), ElementsAre(4));
}

// Every third of the matching frames; others are not counted.
TEST_F(FaultInjectorTest, EveryNth)
{
    m_injector.AddRule({.match = {.opcodes = {MIDDLE}}, .every = 3});
    std::vector<uint32_t> passed;
    for (int n = 0; n < 4; ++n)
    {
        for (Opcode opcode : {MIDDLE, MIDDLE, LAST})
        {
            for (uint32_t number : Pass(opcode))
            {
                passed.push_back(number);
            }
        }
    }
    // Frames 1 .. 12; 3, 6, 9 and 12 do not match; the third and the sixth that do are 4 and 8.
    EXPECT_THAT(passed, ElementsAre(1, 2, 3, 5, 6, 7, 9, 10, 11, 12));
}

// 4 sigma of a binomial of 10 000 at 0.1: 4 sqrt(10000 x 0.1 x 0.9) = 120.
TEST_F(FaultInjectorTest, RuleStrikesByChance)
{
    m_injector.SetStream(RandomStream{7, "faults"});
    m_injector.AddRule({.match = {.opcodes = {MIDDLE}}, .probability = 0.1});
    for (uint32_t n = 0; n < 10'000; ++n)
    {
        Pass(MIDDLE);
        EXPECT_THAT(Pass(LAST), testing::SizeIs(1));
    }
    EXPECT_NEAR(m_ledger.GetDropped(DropReason::INJECTED_FAULT).frames, 1000, 120);
}

TEST_F(FaultInjectorTest, SyndromeMatchesOnlyFramesWithAnAeth)
{
    m_injector.AddRule({.match = {.syndromes = {SYNDROME_NAK_SEQUENCE}}});
    EXPECT_THAT(Pass(MIDDLE), ElementsAre(1)); // no AETH, whatever stands in its place
    Frame* ack = Make(Opcode::RC_ACKNOWLEDGE);
    ack->aeth = {SYNDROME_ACK_UNLIMITED, 1};
    EXPECT_THAT(Pass(ack), ElementsAre(2));
    Frame* nak = Make(Opcode::RC_ACKNOWLEDGE);
    nak->aeth = {SYNDROME_NAK_SEQUENCE, 1};
    EXPECT_THAT(Pass(nak), IsEmpty());
}

TEST_F(FaultInjectorTest, LeastPayload)
{
    m_injector.AddRule({.match = {.minPayloadBytes = 100}});
    EXPECT_THAT(Pass(LAST, 0, 99), ElementsAre(1));
    EXPECT_THAT(Pass(LAST, 0, 100), IsEmpty());
}

TEST_F(FaultInjectorTest, CopyFollowsAtOnceWithTheSameBytes)
{
    m_injector.AddRule({.which = {1}, .action = FaultAction::DUPLICATE});
    Frame* frame = Make(LAST, 3, 4);
    m_ledger.Extend(*frame);
    m_ledger.AddPayload(*frame).bytes[3] = std::byte{9};
    m_injector.Put(frame);
    Frame* first = m_injector.Take();
    Frame* second = m_injector.Take();
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(m_injector.Take(), nullptr);
    EXPECT_EQ(second->psn, first->psn);
    EXPECT_NE(second->GetPayload(), first->GetPayload());
    EXPECT_EQ(second->GetPayload()->bytes[3], std::byte{9});
    m_ledger.Consume(first);
    m_ledger.Consume(second);
    EXPECT_EQ(m_ledger.GetCreated().frames, 2U);
    EXPECT_EQ(m_ledger.GetConsumed().frames, 2U);
}

class FaultInjectorDelay : public FaultInjectorTest, public testing::WithParamInterface<uint32_t>
{
};

// Frame 1 comes out right behind the frame that is the n-th to overtake it.
TEST_P(FaultInjectorDelay, LeavesBehindTheNthLaterFrame)
{
    const uint32_t by = GetParam();
    m_injector.AddRule({.which = {1}, .action = FaultAction::DELAY, .delayFrames = by});
    EXPECT_THAT(Pass(MIDDLE), IsEmpty());
    EXPECT_EQ(m_injector.GetHeld().all, (FrameCount{1, 100}));
    for (uint32_t n = 1; n < by; ++n)
    {
        EXPECT_THAT(Pass(MIDDLE), ElementsAre(1 + n));
    }
    EXPECT_THAT(Pass(MIDDLE), ElementsAre(1 + by, 1));
    EXPECT_EQ(m_injector.GetHeld().all.frames, 0U);
}

INSTANTIATE_TEST_SUITE_P(Frames, FaultInjectorDelay, testing::Values(1, 2, 5));

TEST_F(FaultInjectorTest, DamageAndMark)
{
    m_injector.AddRule({.which = {1}, .action = FaultAction::DAMAGE_ICRC});
    m_injector.AddRule({.which = {1}, .action = FaultAction::MARK_CE});
    EXPECT_THAT(Pass(LAST), ElementsAre(1));
    EXPECT_TRUE(m_last.isDamaged);
    EXPECT_EQ(m_last.ecn, Ecn::NOT_ECT);
    EXPECT_THAT(Pass(LAST), ElementsAre(2));
    EXPECT_FALSE(m_last.isDamaged);
    EXPECT_EQ(m_last.ecn, Ecn::CE);
    EXPECT_EQ(m_ledger.GetFaultMarks(), 1U);
}

TEST_F(FaultInjectorTest, CopyOfAMarkedFrameIsOneMarkMore)
{
    m_injector.AddRule({.action = FaultAction::DUPLICATE});
    Frame* frame = Make(LAST);
    frame->ecn = Ecn::CE;
    m_injector.Put(frame);
    m_ledger.Consume(m_injector.Take());
    m_ledger.Consume(m_injector.Take());
    EXPECT_EQ(m_ledger.GetFaultMarks(), 1U);
}

TEST_F(FaultInjectorTest, MarkOnAMarkedFrameIsNone)
{
    m_injector.AddRule({.action = FaultAction::MARK_CE});
    Frame* frame = Make(LAST);
    frame->ecn = Ecn::CE;
    m_injector.Put(frame);
    m_ledger.Consume(m_injector.Take());
    EXPECT_EQ(m_ledger.GetFaultMarks(), 0U);
}

TEST_F(FaultInjectorTest, CorruptionChangesOneBitOfThePayload)
{
    m_injector.AddRule({.action = FaultAction::CORRUPT_PAYLOAD});
    Frame* frame = Make(LAST, 3, 4);
    m_ledger.Extend(*frame);
    m_ledger.AddPayload(*frame).bytes.fill(std::byte{0});
    m_injector.Put(frame);
    ASSERT_EQ(m_injector.Take(), frame);
    EXPECT_TRUE(frame->isDamaged);
    int bits = 0;
    for (uint16_t n = 0; n < frame->payloadBytes; ++n)
    {
        bits += std::popcount(std::to_integer<unsigned>(frame->GetPayload()->bytes[n]));
    }
    EXPECT_EQ(bits, 1);
    m_ledger.Consume(frame);
}

// 4 sigma of a binomial of 100 000 at 0.05 is 4 sqrt(100000 x 0.05 x 0.95) = 276.
TEST_F(FaultInjectorTest, ChanceStrikesAsOftenAsAsked)
{
    constexpr uint32_t COUNT = 100'000;
    m_injector.SetStream(RandomStream{7, "faults"});
    m_injector.SetProbabilities(
        {.loss = 0.05, .duplication = 0.05, .reordering = 0.05, .corruption = 0.05});
    std::map<uint32_t, uint32_t> copies;
    uint32_t overtaken = 0;
    uint32_t highest = 0;
    for (uint32_t n = 0; n < COUNT; ++n)
    {
        for (uint32_t number : Pass(LAST))
        {
            ++copies[number];
            overtaken += number < highest ? 1 : 0;
            highest = std::max(highest, number);
        }
    }
    uint32_t twice = 0;
    for (const auto& [number, times] : copies)
    {
        twice += times == 2 ? 1 : 0;
    }
    EXPECT_NEAR(m_ledger.GetDropped(DropReason::INJECTED_FAULT).frames, COUNT * 0.05, 276);
    EXPECT_NEAR(twice, COUNT * 0.05, 276);
    EXPECT_NEAR(overtaken, COUNT * 0.05, 276);
    EXPECT_NEAR(m_damaged, COUNT * 0.05, 276);
    m_injector.Stop();
    EXPECT_THAT(Pass(LAST), testing::Contains(COUNT + 1));
    EXPECT_EQ(m_injector.GetHeld().all.frames, 0U);
}

// On a cable: the second frame is lost, the third marked; the first and the fourth pass. All are
// accounted for.
TEST(FaultInjectorOnPort, StrikesFramesThatArrive)
{
    PortBench bench{{.rate = BitRate::Gbps(100), .delay = SimTime::Microseconds(1)}};
    FaultInjector injector{bench.ledger};
    injector.AddRule({.which = {2}, .action = FaultAction::DROP});
    injector.AddRule({.which = {3}, .action = FaultAction::DELAY});
    bench.b.SetFaultInjector(&injector);
    for (uint32_t mark = 1; mark <= 5; ++mark)
    {
        bench.Enqueue(3, 1086, mark);
    }
    bench.RunToEnd();
    std::vector<uint32_t> marks;
    for (const FrameNote& note : bench.ownerB.arrivals)
    {
        marks.push_back(note.mark);
    }
    // Of those that the first rule leaves (1, 3, 4, 5) the third is 4: it is behind 5.
    EXPECT_THAT(marks, ElementsAre(1, 3, 5, 4));
    EXPECT_EQ(bench.ledger.GetDropped(DropReason::INJECTED_FAULT).frames, 1U);
    EXPECT_EQ(bench.ledger.GetConsumed().frames, 4U);
}

TEST(FaultInjectorOnPort, DelayedFrameIsStillHeldByItsDirection)
{
    PortBench bench{{.rate = BitRate::Gbps(100)}};
    FaultInjector injector{bench.ledger};
    injector.AddRule({.which = {1}, .action = FaultAction::DELAY});
    bench.b.SetFaultInjector(&injector);
    bench.Enqueue(3, 1086);
    bench.RunToEnd();
    EXPECT_THAT(bench.ownerB.arrivals, IsEmpty());
    EXPECT_EQ(bench.a.CountHeld().all, (FrameCount{1, 1086}));
    bench.b.SetFaultInjector(nullptr);
    bench.Enqueue(3, 1086);
    bench.RunToEnd();
    EXPECT_EQ(bench.ownerB.arrivals.size(), 1U);
}

} // namespace
} // namespace ns3::rdma
