// SPDX-License-Identifier: GPL-2.0-only
#include "transport/response-queue.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = 1024;
constexpr uint32_t KEY = 7;

/** A queue told in one line per answer: opcode, PSN, MSN, bytes. */
class QueueScript
{
  public:
    explicit QueueScript(uint32_t resources) : queue{resources, MTU} {}

    static ReadAtomicRequest Read(uint64_t psn, uint32_t bytes, uint64_t address = 0)
    {
        return {Opcode::RC_RDMA_READ_REQUEST, Psn{psn}, address, KEY, bytes};
    }

    static ReadAtomicRequest Atomic(uint64_t psn)
    {
        return {Opcode::RC_FETCH_ADD, Psn{psn}, 0, KEY, 0};
    }

    std::string Pop()
    {
        const OutgoingResponse response = queue.Pop(SYNDROME_ACK_UNLIMITED);
        std::ostringstream line;
        switch (response.opcode)
        {
        case Opcode::RC_ACKNOWLEDGE:
            line << (response.aeth.syndrome == SYNDROME_ACK_UNLIMITED ? "ACK " : "NAK ");
            break;
        case Opcode::RC_ATOMIC_ACKNOWLEDGE:
            line << "ATOMIC=" << response.atomicOriginal << ' ';
            break;
        default:
            line << NameOf(response.opcode) << ' ' << response.payloadBytes << '@'
                 << response.address << ' ';
        }
        line << response.psn.Get();
        return line.str();
    }

    std::string All()
    {
        std::string all;
        while (!queue.IsEmpty())
        {
            all += (all.empty() ? "" : ", ") + Pop();
        }
        return all;
    }

    void Ack(uint64_t psn)
    {
        queue.PushAck(Psn{psn}, {SYNDROME_ACK_UNLIMITED, 1});
    }

    void Nak(uint64_t psn)
    {
        queue.PushNak(Psn{psn}, {SYNDROME_NAK_SEQUENCE, 1});
    }

    ResponseQueue queue;

  private:
    static std::string NameOf(Opcode opcode)
    {
        const std::string name{GetOpcodeInfo(opcode).name};
        return name.substr(name.rfind(' ') + 1);
    }
};

TEST(ResponseQueue, ResponsesAreCutAtThePathMtu)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, 0), 1);
    q.queue.Push(QueueScript::Read(1, MTU - 1), 2);
    q.queue.Push(QueueScript::Read(2, MTU), 3);
    q.queue.Push(QueueScript::Read(3, 2 * MTU + 1), 4);
    EXPECT_EQ(q.All(),
              "Only 0@0 0, Only 1023@0 1, Only 1024@0 2, "
              "First 1024@0 3, Middle 1024@1024 4, Last 1@2048 5");
}

TEST(ResponseQueue, AethIsThatOfTheRequestAndNotOnMiddle)
{
    QueueScript q{1};
    q.queue.Push(QueueScript::Read(0, 3 * MTU), 9);
    EXPECT_EQ(q.queue.Pop(5).aeth, (Aeth{5, 9}));
    EXPECT_EQ(q.queue.Pop(5).aeth, (Aeth{0, 0}));
    EXPECT_EQ(q.queue.Pop(6).aeth, (Aeth{6, 9}));
}

TEST(ResponseQueue, AnswersKeepTheOrderOfRequests)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, MTU), 1);
    q.Ack(1);
    q.queue.Push(QueueScript::Atomic(2), 3, 77);
    EXPECT_EQ(q.All(), "Only 1024@0 0, ACK 1, ATOMIC=77 2");
    q.queue.Push(QueueScript::Read(3, MTU), 4);
    q.Nak(4);
    q.queue.Push(QueueScript::Atomic(4), 5, 78);
    EXPECT_EQ(q.All(), "Only 1024@0 3, NAK 4, ATOMIC=78 4");
}

TEST(ResponseQueue, WaitingAcksCoalesce)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, MTU), 1);
    q.Ack(1);
    q.Ack(2);
    EXPECT_EQ(q.All(), "Only 1024@0 0, ACK 2");
}

TEST(ResponseQueue, NakAcknowledgesAndIsNotLostBehindAnAck)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, MTU), 1);
    q.Ack(1);
    q.Nak(2);
    q.Ack(2);
    EXPECT_EQ(q.All(), "Only 1024@0 0, NAK 2, ACK 2");
}

TEST(ResponseQueue, RoomWhileAResponseHasLeft)
{
    QueueScript q{2};
    EXPECT_TRUE(q.queue.HasRoom());
    q.queue.Push(QueueScript::Read(0, 2 * MTU), 1);
    q.queue.Push(QueueScript::Read(2, MTU), 2);
    EXPECT_FALSE(q.queue.HasRoom());
    q.Pop();
    EXPECT_FALSE(q.queue.HasRoom()) << "its last packet has not left";
    q.Pop();
    EXPECT_TRUE(q.queue.HasRoom());
    q.queue.Push(QueueScript::Read(3, MTU), 3);
    EXPECT_EQ(q.All(), "Only 1024@0 2, Only 1024@0 3");
    EXPECT_FALSE((ResponseQueue{0, MTU}.HasRoom()));
}

// ---- Repeats

TEST(ResponseQueue, RepeatsAreAnsweredFromTheResource)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, 3 * MTU, 500), 1);
    q.queue.Push(QueueScript::Atomic(3), 2, 77);
    q.All();
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Atomic(3), 9));
    EXPECT_EQ(q.All(), "ATOMIC=77 3");
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(0, 3 * MTU, 500), 9));
    EXPECT_EQ(q.All(), "First 1024@500 0, Middle 1024@1524 1, Last 1024@2548 2");
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(1, 2 * MTU, 500 + MTU), 9));
    EXPECT_EQ(q.All(), "First 1024@1524 1, Last 1024@2548 2") << "a request of its own";
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(2, MTU, 500 + 2 * MTU), 9));
    EXPECT_EQ(q.All(), "Only 1024@2548 2");
}

TEST(ResponseQueue, RepeatsCarryTheMsnOfNow)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Atomic(0), 1);
    q.queue.Push(QueueScript::Read(1, 2 * MTU), 2);
    q.Pop();
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Atomic(0), 9));
    EXPECT_EQ(q.queue.Pop(0).aeth.msn, 9U);
    EXPECT_EQ(q.queue.Pop(0).aeth.msn, 9U) << "it never goes back";
}

TEST(ResponseQueue, WhatNoResourceHoldsIsNotAnswered)
{
    QueueScript q{2};
    q.queue.Push(QueueScript::Read(10, 2 * MTU, 500), 1);
    q.queue.Push(QueueScript::Atomic(12), 2, 77);
    q.All();
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Read(9, MTU, 500), 9));
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Read(13, MTU, 500), 9));
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Read(12, MTU, 0), 9)) << "an atomic stands there";
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Atomic(10), 9));
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Read(10, 2 * MTU, 501), 9)) << "elsewhere";
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Read(11, 2 * MTU, 500 + MTU), 9)) << "beyond its end";
    ReadAtomicRequest otherKey = QueueScript::Read(10, 2 * MTU, 500);
    ++otherKey.rkey;
    EXPECT_FALSE(q.queue.Repeat(otherKey, 9));
    EXPECT_TRUE(q.queue.IsEmpty());
    // A third request takes the place of the first.
    q.queue.Push(QueueScript::Atomic(13), 3, 78);
    EXPECT_FALSE(q.queue.Repeat(QueueScript::Read(10, 2 * MTU, 500), 9));
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Atomic(12), 9));
}

TEST(ResponseQueue, AResponseThatStillWaitsAnswersItsRepeat)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, 3 * MTU), 1);
    q.Pop();
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(1, 2 * MTU, MTU), 9));
    EXPECT_EQ(q.All(), "Middle 1024@1024 1, Last 1024@2048 2");
}

TEST(ResponseQueue, AResponseUnderWayBeginsAnewWhenItsBeginningIsRepeated)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, 3 * MTU), 1);
    q.Ack(3);
    q.Pop();
    q.Pop();
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(1, 2 * MTU, MTU), 9));
    EXPECT_EQ(q.All(), "First 1024@1024 1, Last 1024@2048 2, ACK 3");
}

TEST(ResponseQueue, ARepeatGoesBeforeLaterRequestsWhichBeginAnew)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, MTU), 1);
    q.queue.Push(QueueScript::Read(1, 2 * MTU, 5000), 2);
    EXPECT_EQ(q.Pop(), "Only 1024@0 0");
    EXPECT_EQ(q.Pop(), "First 1024@5000 1");
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(0, MTU), 9));
    EXPECT_EQ(q.All(), "Only 1024@0 0, First 1024@5000 1, Last 1024@6024 2");
}

TEST(ResponseQueue, ARepeatThatNobodyNeedsAnyMoreGivesItsPlace)
{
    QueueScript q{2};
    q.queue.Push(QueueScript::Atomic(0), 1, 70);
    q.queue.Push(QueueScript::Atomic(1), 2, 71);
    q.All();
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Atomic(0), 2));
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Atomic(1), 2));
    EXPECT_TRUE(q.queue.HasRoom()) << "a third request says that the first has its answer";
    q.queue.Push(QueueScript::Atomic(2), 3, 72);
    EXPECT_EQ(q.All(), "ATOMIC=71 1, ATOMIC=72 2");
}

TEST(ResponseQueue, TheNewestRequestWithAPsnCounts)
{
    // The same PSN again after 2^24 packets.
    QueueScript q{4};
    q.queue.Push(QueueScript::Atomic(5), 1, 70);
    q.queue.Push(QueueScript::Read(5, MTU, 500), 2);
    q.All();
    EXPECT_TRUE(q.queue.Repeat(QueueScript::Read(5, MTU, 500), 9));
    EXPECT_EQ(q.All(), "Only 1024@500 5");
}

TEST(ResponseQueue, ClearForgetsWhatWaits)
{
    QueueScript q{4};
    q.queue.Push(QueueScript::Read(0, MTU), 1);
    q.Nak(1);
    q.Ack(1);
    q.queue.Clear();
    EXPECT_TRUE(q.queue.IsEmpty());
    EXPECT_TRUE(q.queue.HasRoom());
}

} // namespace
} // namespace ns3::rdma
