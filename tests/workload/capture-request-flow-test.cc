// SPDX-License-Identifier: GPL-2.0-only
// What a requester did and what arrived, from packets in the order of a capture.
#include "workload/capture-request-flow.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t FIRST_PSN = 0xfffffe; ///< the third packet wraps

class CaptureRequestFlowTest : public testing::Test
{
  protected:
    /** Packets of both directions; PSNs count from FIRST_PSN. @{ */
    void Request(Opcode opcode, uint32_t psn, uint32_t bytes, uint32_t length = 0)
    {
        CapturedPacket packet = Make(opcode, psn);
        packet.payloadBytes = bytes;
        packet.extended.reth = {.virtualAddress = 0x1000, .rkey = 7, .dmaLength = length};
        packet.extended.immediate.data = 0xabcd;
        m_flow.OnRequest(packet, ++m_now);
    }

    void Respond(Opcode opcode, uint32_t psn, uint8_t syndrome = SYNDROME_ACK_UNLIMITED)
    {
        CapturedPacket packet = Make(opcode, psn);
        packet.extended.aeth = {.syndrome = syndrome, .msn = 0};
        m_flow.OnResponse(packet, ++m_now);
    }

    void Ack(uint32_t psn, uint8_t syndrome = SYNDROME_ACK_UNLIMITED)
    {
        Respond(Opcode::RC_ACKNOWLEDGE, psn, syndrome);
    }

    /** @} */

    /** "post 2 64 @1" or "done 0 64 @2 !10": opcode, bytes, time, and a status that is not 0. */
    static std::vector<std::string> Take(CaptureEnd& end)
    {
        std::vector<std::string> lines;
        TraceOperation operation;
        while (end.Pop(operation))
        {
            std::string line = operation.kind == OperationKind::POST_SEND ? "post " : "done ";
            line += std::to_string(operation.opcode) + " " + std::to_string(operation.bytes) +
                    " @" + std::to_string(operation.timeNs);
            line += operation.status == 0 ? "" : " !" + std::to_string(operation.status);
            lines.push_back(line);
        }
        return lines;
    }

    std::vector<std::string> Sender()
    {
        return Take(m_requester);
    }

    std::vector<std::string> Receiver()
    {
        return Take(m_responder);
    }

    void Restart(CaptureRequestFlow::Setup setup)
    {
        setup.requester = &m_requester;
        setup.responder = &m_responder;
        setup.counters = &m_counters;
        setup.firstPsn = FIRST_PSN;
        m_flow = CaptureRequestFlow{setup};
    }

    CaptureEnd m_requester;
    CaptureEnd m_responder;
    CaptureCounters m_counters;
    CaptureRequestFlow m_flow{{.requester = &m_requester,
                               .responder = &m_responder,
                               .counters = &m_counters,
                               .firstPsn = FIRST_PSN}};

  private:
    static CapturedPacket Make(Opcode opcode, uint32_t psn)
    {
        CapturedPacket packet;
        packet.bth.opcode = static_cast<uint8_t>(opcode);
        packet.bth.psn = Psn{FIRST_PSN}.Plus(psn);
        return packet;
    }

    int64_t m_now{0};
};

using enum Opcode;

TEST_F(CaptureRequestFlowTest, AMessageIsPostedWithItsFirstPacketAndArrivesWithItsLast)
{
    Request(RC_SEND_FIRST, 0, 1024);
    Request(RC_SEND_MIDDLE, 1, 1024);
    EXPECT_THAT(Sender(), IsEmpty()) << "its length is not known yet";
    Request(RC_SEND_LAST_WITH_IMMEDIATE, 2, 10);
    EXPECT_THAT(Sender(), ElementsAre("post 3 2058 @1"));
    EXPECT_THAT(Receiver(), IsEmpty()) << "it may be refused";
    Ack(2);
    EXPECT_THAT(Sender(), ElementsAre("done 0 2058 @4"));
    EXPECT_THAT(Receiver(), ElementsAre("done 128 2058 @3"));
}

TEST_F(CaptureRequestFlowTest, OneAcknowledgementCompletesAllBefore)
{
    Request(RC_RDMA_WRITE_ONLY, 0, 100, 100);
    Request(RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE, 1, 8, 8);
    Request(RC_SEND_ONLY, 2, 0);
    Ack(1);
    EXPECT_THAT(
        Sender(),
        ElementsAre("post 0 100 @1", "post 1 8 @2", "post 2 0 @3", "done 1 100 @4", "done 1 8 @4"));
    Ack(2);
    EXPECT_THAT(Sender(), ElementsAre("done 0 0 @5"));
    EXPECT_THAT(Receiver(), ElementsAre("done 129 8 @2", "done 128 0 @3"));
}

TEST_F(CaptureRequestFlowTest, RepeatedPacketsAreNoNewMessages)
{
    Request(RC_SEND_ONLY, 0, 64);
    Request(RC_SEND_ONLY, 0, 64);
    Ack(0);
    Request(RC_SEND_ONLY, 0, 64);
    Ack(0);
    EXPECT_THAT(Sender(), ElementsAre("post 2 64 @1", "done 0 64 @3"));
    EXPECT_THAT(Receiver(), ElementsAre("done 128 64 @1"));
    EXPECT_EQ(m_counters.repeatedPackets, 2U);
}

TEST_F(CaptureRequestFlowTest, WhatWasLostOnTheWayIsTakenWhenItIsSentAgain)
{
    Request(RC_SEND_ONLY, 1, 20); // as the receiver sees it: the first was lost
    Ack(0, SYNDROME_NAK_SEQUENCE);
    Request(RC_SEND_ONLY, 0, 10);
    Request(RC_SEND_ONLY, 1, 20);
    Ack(1);
    EXPECT_THAT(Sender(),
                ElementsAre("post 2 10 @3", "post 2 20 @3", "done 0 10 @5", "done 0 20 @5"));
    EXPECT_THAT(Receiver(), ElementsAre("done 128 10 @3", "done 128 20 @3"));
    EXPECT_EQ(m_counters.missingPackets, 0U);
    EXPECT_EQ(m_counters.sequenceNaks, 1U);
}

TEST_F(CaptureRequestFlowTest, AReceiverThatWasNotReadyHasTheMessageLater)
{
    Request(RC_SEND_ONLY, 0, 10);
    Ack(0, SYNDROME_TYPE_RNR | 12);
    Request(RC_SEND_ONLY, 0, 10);
    Ack(0);
    EXPECT_THAT(Sender(), ElementsAre("post 2 10 @1", "done 0 10 @4"));
    EXPECT_THAT(Receiver(), ElementsAre("done 128 10 @3"));
    EXPECT_EQ(m_counters.rnrNaks, 1U);
}

TEST_F(CaptureRequestFlowTest, AReadCompletesWithTheLastPacketOfItsResponse)
{
    Restart({.pathMtu = 1024});
    Request(RC_RDMA_READ_REQUEST, 0, 0, 2500);
    Request(RC_SEND_ONLY, 3, 5); // the READ takes as many numbers as its response has packets
    Respond(RC_RDMA_READ_RESPONSE_FIRST, 0);
    Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 1);
    Ack(3);
    EXPECT_THAT(Sender(), ElementsAre("post 4 2500 @1", "post 2 5 @2"))
        << "completions come in order";
    Respond(RC_RDMA_READ_RESPONSE_LAST, 2);
    EXPECT_THAT(Sender(), ElementsAre("done 2 2500 @6", "done 0 5 @6"));
}

TEST_F(CaptureRequestFlowTest, ThePacketsOfAReadAreLearntFromTheNextRequest)
{
    Request(RC_RDMA_READ_REQUEST, 0, 0, 2500);
    Request(RC_RDMA_READ_REQUEST, 3, 0, 2500); // 1024 bytes each: no response was captured yet
    EXPECT_EQ(m_flow.GetPathMtu(), 1024U);
    EXPECT_EQ(m_counters.missingPackets, 0U);
    EXPECT_EQ(m_counters.messages, 2U);
}

TEST_F(CaptureRequestFlowTest, ARefusedRequestFailsAndWhatIsBehindItIsFlushed)
{
    Request(RC_RDMA_WRITE_ONLY, 0, 4, 4);
    Request(RC_RDMA_WRITE_ONLY, 1, 4, 4);
    Request(RC_SEND_ONLY, 2, 4);
    Ack(1, SYNDROME_NAK_REMOTE_ACCESS);
    EXPECT_THAT(Sender(),
                ElementsAre("post 0 4 @1",
                            "post 0 4 @2",
                            "post 2 4 @3",
                            "done 1 4 @4",
                            "done 1 4 @4 !10",
                            "done 0 4 @4 !5"));
    EXPECT_THAT(Receiver(), IsEmpty());
}

TEST_F(CaptureRequestFlowTest, WhatIsAcknowledgedButNotThereIsCounted)
{
    Request(RC_SEND_FIRST, 0, 256);
    Request(RC_SEND_LAST, 3, 100); // two packets in the middle are missing
    Request(RC_SEND_LAST, 5, 9);   // its first packet is missing
    Ack(5);
    EXPECT_THAT(Sender(), ElementsAre("post 2 868 @1", "done 0 868 @4"));
    EXPECT_EQ(m_counters.missingPackets, 3U);
    EXPECT_EQ(m_counters.incompleteMessages, 1U);
    EXPECT_EQ(m_counters.missingBeginnings, 1U);
}

TEST_F(CaptureRequestFlowTest, TheEndOfACaptureClosesWhatIsOpen)
{
    Request(RC_SEND_ONLY, 0, 10);
    Request(RC_SEND_FIRST, 1, 1024);
    m_flow.Finish();
    EXPECT_THAT(Sender(), ElementsAre("post 2 10 @1"));
    EXPECT_THAT(Receiver(), ElementsAre("done 128 10 @1"));
    EXPECT_EQ(m_counters.missingEnds, 1U);
    EXPECT_EQ(m_counters.unacknowledged, 1U);
}

TEST_F(CaptureRequestFlowTest, OneDirectionAloneHasNoCompletions)
{
    Restart({.hasResponses = false});
    Request(RC_SEND_ONLY, 0, 10);
    EXPECT_THAT(Sender(), ElementsAre("post 2 10 @1"));
    EXPECT_THAT(Receiver(), ElementsAre("done 128 10 @1"));
    EXPECT_EQ(m_counters.unacknowledged, 1U);

    Restart({.hasRequests = false});
    Ack(0);
    EXPECT_EQ(m_counters.strayResponses, 1U);
}

TEST_F(CaptureRequestFlowTest, AnUnreliableMessageCompletesWhenItWasSent)
{
    Restart({.isReliable = false});
    Request(UC_SEND_FIRST, 0, 1024);
    Request(UC_SEND_LAST, 2, 10); // a packet is missing, and will not come again
    Request(UC_RDMA_WRITE_ONLY, 3, 4, 4);
    EXPECT_THAT(Sender(),
                ElementsAre("post 2 2058 @1", "done 0 2058 @2", "post 0 4 @3", "done 1 4 @3"));
    EXPECT_EQ(m_counters.incompleteMessages, 1U);
}

TEST_F(CaptureRequestFlowTest, HoldsNoMoreThanIsOutstanding)
{
    for (uint32_t i = 0; i < 100000; ++i)
    {
        Request(RC_SEND_ONLY, i, 8);
        Ack(i);
        EXPECT_LE(m_requester.GetHeld(), 2U);
        Sender();
        Receiver();
    }
    EXPECT_EQ(m_counters.messages, 100000U);
}

} // namespace
} // namespace ns3::rdma
