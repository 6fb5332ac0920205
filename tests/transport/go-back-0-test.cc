// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"
#include "tests/transport/responder-script.h"
#include "transport/rc-policies.h"

namespace ns3::rdma
{
namespace
{

using enum Opcode;

constexpr uint32_t MTU = RequesterTestbed::MTU;

const RcPolicy&
GoBack0()
{
    return *FindRcPolicy("go-back-0");
}

// ---- Responder: Guo et al., SIGCOMM 2016, section 4.1: a gap makes it begin the message again.

TEST(GoBack0, GapInAMessageAsksForItsFirstPacket)
{
    ResponderScript r{100, GoBack0()};
    r.Receive(WriteOnly(r.rkey, 100, 8));
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 101, 4 * MTU)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 102)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 104)),
              "out of sequence, NAK psn 101 syndrome 0x60 msn 1");
    // The packet that was missing is none of those that are expected now.
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 103)), "out of sequence");
    EXPECT_EQ(r.Receive(WriteFirst(r.rkey, 101, 4 * MTU)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 102)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 103)), "executed");
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 104).AckReq()),
              "executed, message of 4096 B, ACK psn 104 msn 2");
}

TEST(GoBack0, GapBetweenMessagesIsAsEver)
{
    ResponderScript r{100, GoBack0()};
    r.Receive(WriteFirst(r.rkey, 100, 2 * MTU));
    r.Receive(Part(RC_RDMA_WRITE_LAST, 101));
    EXPECT_EQ(r.Receive(WriteOnly(r.rkey, 103, 8)),
              "out of sequence, NAK psn 102 syndrome 0x60 msn 1");
}

TEST(GoBack0, MessageOverTheWrapOfThePsn)
{
    ResponderScript r{0xffffff, GoBack0()};
    r.Receive(WriteFirst(r.rkey, 0xffffff, 4 * MTU));
    r.Receive(Part(RC_RDMA_WRITE_MIDDLE, 0));
    EXPECT_EQ(r.Receive(Part(RC_RDMA_WRITE_LAST, 2)),
              "out of sequence, NAK psn 16777215 syndrome 0x60 msn 0");
}

// ---- Requester: nothing counts before a message is whole.

TEST(GoBack0, AcknowledgementInsideAMessageFreesNothing)
{
    RequesterSettings settings;
    settings.policy = GoBack0();
    RequesterTestbed qp{0, settings};
    qp.Write(1, 2 * MTU).Write(2, 3 * MTU).Drain();
    EXPECT_EQ(qp.Ack(0).ackedBytes, 0U);
    EXPECT_EQ(qp.requester.GetInFlightBytes(), 5 * MTU);
    EXPECT_EQ(qp.Ack(3).ackedBytes, 2 * MTU) << "the first message, and not the second";
    EXPECT_EQ(qp.Ack(4).ackedBytes, 3 * MTU);
    EXPECT_EQ(qp.Completions().size(), 2U);
}

TEST(GoBack0, NakRepeatsTheMessage)
{
    RequesterSettings settings;
    settings.policy = GoBack0();
    RequesterTestbed qp{0, settings};
    qp.Write(1, 2 * MTU).Write(2, 3 * MTU).Drain();
    qp.Ack(3);
    EXPECT_TRUE(qp.Nak(2).goesBack);
    EXPECT_EQ(qp.Drain().size(), 3U) << "packets 2, 3 and 4";
}

// Acknowledgements inside the message give the retries back: the livelock never ends in an error.
TEST(GoBack0, LivesOnWithoutProgress)
{
    RequesterSettings settings;
    settings.policy = GoBack0();
    RequesterTestbed qp{0, settings};
    qp.Write(1, 3 * MTU);
    for (int round = 0; round < 20; ++round)
    {
        qp.Drain();
        qp.Ack(0);
        EXPECT_TRUE(qp.Nak(0).goesBack);
    }
    EXPECT_FALSE(qp.requester.IsInError());
}

} // namespace
} // namespace ns3::rdma
