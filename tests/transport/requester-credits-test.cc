// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint32_t MTU = RequesterTestbed::MTU;

/** AETH syndromes of ACKs by the number of credits. @verifies IBTA section 9.7.7.2, credit code */
constexpr uint8_t CREDITS_0 = 0;
constexpr uint8_t CREDITS_2 = 2;
constexpr uint8_t CREDITS_6 = 5;

RequesterSettings
WithCredits()
{
    return {.policy = {.ackEvery = 0, .hasEndToEndCredits = true}};
}

// --- IBTA Vol 1 Rel 1.7 section 9.7.7.2: end-to-end flow control at the requester ----------------

/** SSN 1 is one beyond the first limit 0: its first packet goes, asking. */
TEST(RequesterCredits, FirstSendIsAProbe)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Send(1, 3 * MTU).Send(2, 1);
    EXPECT_THAT(qp.Drain(), ElementsAre(Asks(PacketOf(Opcode::RC_SEND_FIRST, 0, MTU))));
    EXPECT_TRUE(qp.requester.HasUnsent());
    // MSN 0 and 2 credits: up to SSN 2.
    EXPECT_EQ(qp.Answer(CREDITS_2, 0), Progress(MTU));
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1, 2, 3));
}

/** The responder has no more receive requests, but it has given this message one. */
TEST(RequesterCredits, AcknowledgedProbeReleasesItsMessage)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Send(1, 2 * MTU).Send(2, 2 * MTU);
    qp.Drain();
    qp.Answer(CREDITS_0, 0);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1)) << "SSN 2 is two beyond the limit";
    qp.Answer(CREDITS_0, 1, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(2)) << "and now a probe";
}

/** LSN = MSN + credits: with MSN 1 and 6 credits SSNs 2 .. 7 go, 8 as a probe. */
TEST(RequesterCredits, LimitIsMsnAndCredits)
{
    RequesterTestbed qp{0, WithCredits()};
    for (uint64_t wrId = 1; wrId <= 10; ++wrId)
    {
        qp.Send(wrId, 1);
    }
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0));
    qp.Answer(CREDITS_6, 0, 1);
    EXPECT_EQ(qp.requester.Next(qp.now).psn, Psn{1});
    // A limit never moves back, whatever a later ACK says.
    qp.Answer(CREDITS_0, 1, 2);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(2, 3, 4, 5, 6, 7));
}

/** WRITE, READ and atomics need no credit, and do not use one up. */
TEST(RequesterCredits, OnlyWhatTakesAReceiveIsCounted)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Write(1, 1).Read(2, 1).FetchAdd(3);
    qp.Post(SendOpcode::RDMA_WRITE_WITH_IMM, 4, 2 * MTU).Write(5, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0, 1, 2, 3)) << "SSN 4 with the limit 3: a probe";
}

TEST(RequesterCredits, RepeatedFreeRequestsDoNotRaiseTheLimitAgain)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Write(1, 1).Send(2, 1).Send(3, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0, 1));
    qp.TimeOut();
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0, 1)) << "the WRITE again, then the probe again";
}

/** Code 31, as with a shared receive queue: the limit is off from then on. */
TEST(RequesterCredits, InvalidCodeLiftsTheLimit)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Send(1, 1).Send(2, 3 * MTU).Send(3, 1);
    EXPECT_EQ(qp.Drain().size(), 1u);
    qp.Ack(0);
    EXPECT_EQ(qp.Drain().size(), 4u);
    qp.Answer(CREDITS_0, 4, 3);
    qp.Send(4, 1).Send(5, 1);
    EXPECT_EQ(qp.Drain().size(), 2u);
}

/** An ACK of what was acknowledged last, sent to tell of new receive requests. */
TEST(RequesterCredits, UnsolicitedAckBringsCredits)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Send(1, 1);
    qp.Drain();
    qp.Answer(CREDITS_0, 0, 1);
    qp.Send(2, 2 * MTU);
    EXPECT_EQ(qp.Drain().size(), 1u);
    RequesterTestbed idle{0, WithCredits()};
    idle.Send(1, 1);
    idle.Drain();
    idle.Answer(CREDITS_0, 0, 1);
    EXPECT_EQ(idle.Answer(CREDITS_2, 0, 1), Ghost());
    idle.Send(2, 2 * MTU);
    EXPECT_EQ(idle.Drain().size(), 2u);
}

/** A probe that finds no receive request draws an RNR NAK, and is a probe again. */
TEST(RequesterCredits, RefusedProbeIsSentAgain)
{
    RequesterTestbed qp{0, WithCredits()};
    qp.Send(1, 2 * MTU);
    qp.Drain();
    EXPECT_EQ(qp.Answer(0x21, 0), Back(0));
    qp.TimeOut();
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(Asks(PacketOf(Opcode::RC_SEND_FIRST, 0, MTU)))));
}

TEST(RequesterCredits, PoliciesWithoutThemAreNotLimited)
{
    RequesterTestbed qp{0};
    qp.Send(1, 1).Send(2, 1).Send(3, 1);
    EXPECT_EQ(qp.Drain().size(), 3u);
    qp.Answer(CREDITS_0, 2, 3);
    qp.Send(4, 1).Send(5, 1);
    EXPECT_EQ(qp.Drain().size(), 2u);
}

} // namespace
} // namespace ns3::rdma
