// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/responder-script.h"

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = ResponderScript::MTU;
using enum Opcode;

// An idle queue pair costs little; READ and receive state is made when it is needed.
TEST(Responder, IdleIsSmall)
{
    EXPECT_LE(sizeof(Responder), 150U);
}

// ---- In order. IBTA section 9.7.4; MSN: section 9.7.7.1, the message's own ACK has it raised.

TEST(Responder, WriteIsAcknowledgedWhereItAsks)
{
    ResponderScript r{100};
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 100, 3 * MTU)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 101).AckReq()), "executed, ACK psn 101 msn 0");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 102).AckReq()),
              "executed, message of 3072 B, ACK psn 102 msn 1");
    EXPECT_EQ(r.responder->GetExpectedPsn(), Psn{103});
    EXPECT_EQ(r.responder->GetMsn(), 1U);
}

TEST(Responder, BytesStandWhereTheRethSays)
{
    ResponderScript r;
    r.hasPayload = true;
    r.Receive(WriteFirst(r.rkey, 0, 2 * MTU + 3).At(ResponderScript::REMOTE + 8));
    r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 1));
    r.Receive(Part(RC_RDMA_WRITE_LAST, 2, 3));
    std::vector<std::byte> expected(ResponderScript::REMOTE_BYTES);
    std::fill_n(expected.begin() + 8, 2 * MTU + 3, r.fill);
    EXPECT_EQ(r.bytes, expected);
}

TEST(Responder, PsnWraps)
{
    // Facts: sq_psn 0xfffffe and four packets have PSNs fffffe, ffffff, 0, 1.
    ResponderScript r{0xfffffe};
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 0xfffffe, 4 * MTU)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 0xffffff)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 0).AckReq()), "executed, ACK psn 0 msn 0");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 0xffffff)), "duplicate, ACK psn 0 msn 0");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 1).AckReq()),
              "executed, message of 4096 B, ACK psn 1 msn 1");
}

TEST(Responder, StartBeginsAnew)
{
    ResponderScript r;
    r.Receive(WriteOnly(r.rkey, 0, 8));
    r.responder->Flush();
    r.responder->Start(Psn{50});
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 50, 8)), "executed, message of 8 B, ACK psn 50 msn 1");
}

// ---- Later than expected: one NAK per gap, then silence. IBTA section 9.7.4.

TEST(Responder, GapDrawsOneNak)
{
    ResponderScript r;
    // Packet 4 of ten is lost once: the NAK has its PSN, the others behind it are not answered.
    r.Receive(WriteFirst(r.rkey, 0, 10 * MTU));
    for (uint64_t psn = 1; psn < 4; ++psn)
    {
        EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, psn)), "executed");
    }
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 5)),
              "out of sequence, NAK psn 4 syndrome 0x60 msn 0");
    for (uint64_t psn = 6; psn < 9; ++psn)
    {
        EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, psn)), "out of sequence");
    }
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 9).AckReq()), "out of sequence");
    for (uint64_t psn = 4; psn < 9; ++psn)
    {
        EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, psn)), "executed");
    }
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 9).AckReq()),
              "executed, message of 10240 B, ACK psn 9 msn 1");
}

TEST(Responder, SecondLossOfAPacketIsNotNakedAgain)
{
    ResponderScript r;
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 1, 8)), "out of sequence, NAK psn 0 syndrome 0x60 msn 0");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 1, 8)), "out of sequence");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 0, 8)), "executed, message of 8 B, ACK psn 0 msn 1");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 2, 8)), "out of sequence, NAK psn 1 syndrome 0x60 msn 1");
}

TEST(Responder, HalfTheRangeIsLaterTheOtherEarlier)
{
    ResponderScript r{10};
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 10 + Psn::HALF_WINDOW - 1, 8)),
              "out of sequence, NAK psn 10 syndrome 0x60 msn 0");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 10 + Psn::HALF_WINDOW, 8)), "duplicate, ACK psn 9 msn 0");
}

// ---- Earlier than expected: acknowledged again with the last PSN in order. Section 9.7.5.1.3.

TEST(Responder, DuplicatesAreAcknowledgedNotExecuted)
{
    ResponderScript r;
    r.hasPayload = true;
    r.PostReceive(1, MTU);
    r.PostReceive(2, MTU);
    r.Receive(SendOnly(0, 100));
    r.Receive(WriteOnly(r.rkey, 1, 8));
    r.fill = std::byte{0x11};
    EXPECT_EQ(r.Receive(SendOnly(0, 100)), "duplicate, ACK psn 1 msn 2");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 1, 8)), "duplicate, ACK psn 1 msn 2");
    EXPECT_EQ(r.bytes[0], std::byte{0x5a});
    EXPECT_EQ(r.receives.GetCount(), 1U);
}

TEST(Responder, DuplicateThatDoesNotAskIsThePolicysBusiness)
{
    ResponderScript r;
    ScriptPacket write = WriteOnly(r.rkey, 0, 8);
    r.Receive(write);
    write.ackRequest = false;
    EXPECT_EQ(r.Receive(write), "duplicate, ACK psn 0 msn 1");
    r.policy.acksEveryDuplicate = false;
    EXPECT_EQ(r.Receive(write), "duplicate");
    EXPECT_EQ(r.Receive(write.AckReq()), "duplicate, ACK psn 0 msn 1");
}

TEST(Responder, DuplicateLeavesAGapAsItIs)
{
    ResponderScript r;
    r.Receive(WriteOnly(r.rkey, 0, 8));
    r.Receive(WriteOnly(r.rkey, 2, 8)); // draws the NAK
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 0, 8)), "duplicate, ACK psn 0 msn 1");
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 3, 8)), "out of sequence");
}

// ---- Error state. IBTA section 10.3.1: packets are discarded.

TEST(Responder, InErrorNothingIsAnswered)
{
    ResponderScript r;
    r.PostReceive(1, 8);
    r.PostReceive(2, 8);
    r.Receive(WriteFirst(r.rkey, 0, 2 * MTU));
    EXPECT_FALSE(r.responder->IsInError());
    EXPECT_TRUE(r.responder->Flush());
    EXPECT_TRUE(r.responder->IsInError());
    EXPECT_EQ(r.Completions(), "wr 1 WR_FLUSH_ERR, wr 2 WR_FLUSH_ERR");
    EXPECT_FALSE(r.responder->Flush());
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 1).AckReq()), "ignored");
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 0, 2 * MTU)), "ignored");
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 7, 2 * MTU)), "ignored");
    r.PostReceive(3, 8);
    EXPECT_TRUE(r.responder->Flush()) << "a receive posted in the error state is flushed";
    EXPECT_EQ(r.Completions(), "wr 3 WR_FLUSH_ERR");
}

TEST(Responder, FlushCompletesTheReceiveUnderWayFirst)
{
    ResponderScript r;
    r.PostReceive(1, 4 * MTU);
    r.PostReceive(2, 4 * MTU);
    r.Receive(Part(RC_SEND_FIRST, 0));
    EXPECT_TRUE(r.responder->Flush());
    EXPECT_EQ(r.Completions(), "wr 1 WR_FLUSH_ERR, wr 2 WR_FLUSH_ERR");
}

TEST(Responder, SharedQueueIsNotFlushed)
{
    ResponderScript r;
    r.isReceiveQueueShared = true;
    r.Start(0);
    r.PostReceive(1, 4 * MTU);
    r.PostReceive(2, 4 * MTU);
    r.Receive(Part(RC_SEND_FIRST, 0));
    EXPECT_TRUE(r.responder->Flush());
    EXPECT_EQ(r.Completions(), "wr 1 WR_FLUSH_ERR");
    EXPECT_EQ(r.receives.GetCount(), 1U);
}

} // namespace
} // namespace ns3::rdma
