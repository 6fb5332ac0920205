// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/rc-script.h"

namespace ns3::rdma
{
namespace
{

constexpr uint32_t MTU = 1024;

ArrivedRequest
First(uint64_t psn, uint32_t messageBytes)
{
    return {Opcode::RC_RDMA_WRITE_FIRST, Psn{psn}, MTU, false, Reth{0, 0, messageBytes}};
}

ArrivedRequest
Middle(uint64_t psn)
{
    return {Opcode::RC_RDMA_WRITE_MIDDLE, Psn{psn}, MTU};
}

ArrivedRequest
Last(uint64_t psn, uint32_t payloadBytes)
{
    return {Opcode::RC_RDMA_WRITE_LAST, Psn{psn}, payloadBytes, true};
}

ArrivedRequest
Only(uint64_t psn, uint32_t payloadBytes)
{
    return {Opcode::RC_RDMA_WRITE_ONLY, Psn{psn}, payloadBytes, true, Reth{0, 0, payloadBytes}};
}

ArrivedRequest
AskingForAck(ArrivedRequest request)
{
    request.ackRequest = true;
    return request;
}

ResponderOutcome
Executed()
{
    return {};
}

ResponderOutcome
Executed(const AckPacket& answer)
{
    return {.answer = answer};
}

ResponderOutcome
Completed(uint64_t bytes, const AckPacket& answer)
{
    return {.deliveredMessageBytes = bytes, .completesMessage = true, .answer = answer};
}

ResponderOutcome
Duplicate(const AckPacket& answer)
{
    return {.verdict = RequestVerdict::DUPLICATE, .answer = answer};
}

ResponderOutcome
OutOfSequence(std::optional<AckPacket> answer = std::nullopt)
{
    return {.verdict = RequestVerdict::OUT_OF_SEQUENCE, .answer = answer};
}

ResponderOutcome
Invalid()
{
    return {.verdict = RequestVerdict::INVALID};
}

/** A responder that has taken the first packet of a message of three full packets. */
RcResponder
ResponderInMessage(uint64_t firstPsn)
{
    RcResponder responder{Psn{firstPsn}};
    EXPECT_EQ(responder.OnRequest(First(firstPsn, 3 * MTU)), Executed());
    return responder;
}

TEST(RcResponder, AcknowledgesWhatAsks)
{
    RcResponder responder{Psn{7}};
    EXPECT_EQ(responder.OnRequest(First(7, 3 * MTU)), Executed());
    EXPECT_EQ(responder.OnRequest(AskingForAck(Middle(8))), Executed(Ack(8, 0)));
    EXPECT_EQ(responder.OnRequest(Last(9, MTU)), Completed(3 * MTU, Ack(9, 1)));
    EXPECT_EQ(responder.OnRequest(Only(10, 5)), Completed(5, Ack(10, 2)));
    EXPECT_EQ(responder.GetMsn(), 2u);
}

TEST(RcResponder, TakesAMessageWithoutPayload)
{
    RcResponder responder{Psn{7}};
    EXPECT_EQ(responder.OnRequest(Only(7, 0)), Completed(0, Ack(7, 1)));
}

/** IBTA Vol 1 Rel 1.7 section 9.7.5.2.8: one NAK a gap. */
TEST(RcResponder, AnswersAGapOnceAndThenKeepsSilent)
{
    RcResponder responder = ResponderInMessage(0x100);
    EXPECT_EQ(responder.OnRequest(Last(0x102, MTU)), OutOfSequence(Nak(0x101, 0)));
    EXPECT_EQ(responder.OnRequest(Only(0x103, 10)), OutOfSequence());
    EXPECT_EQ(responder.OnRequest(Only(0x104, 10)), OutOfSequence());
    EXPECT_EQ(responder.OnRequest(Middle(0x101)), Executed());
    EXPECT_EQ(responder.OnRequest(Last(0x102, MTU)), Completed(3 * MTU, Ack(0x102, 1)));
    // A new gap has its own NAK.
    EXPECT_EQ(responder.OnRequest(Only(0x104, 10)), OutOfSequence(Nak(0x103, 1)));
}

TEST(RcResponder, DuplicatesDoNotEndTheSilence)
{
    RcResponder responder = ResponderInMessage(0x100);
    EXPECT_EQ(responder.OnRequest(Last(0x102, MTU)), OutOfSequence(Nak(0x101, 0)));
    EXPECT_EQ(responder.OnRequest(First(0x100, 3 * MTU)), Duplicate(Ack(0x100, 0)));
    EXPECT_EQ(responder.OnRequest(Last(0x102, MTU)), OutOfSequence());
}

/** Wire trace rxe_wire_dup_write_mid: a Middle without AckReq, twice: ACK of the last in order. */
TEST(RcResponder, AcknowledgesADuplicateWithTheLastGoodPsn)
{
    RcResponder responder{Psn{0x123456}};
    EXPECT_EQ(responder.OnRequest(First(0x123456, 8192)), Executed());
    for (uint32_t psn = 0x123457; psn <= 0x123459; ++psn)
    {
        EXPECT_EQ(responder.OnRequest(Middle(psn)), Executed());
    }
    EXPECT_EQ(responder.OnRequest(Middle(0x123459)), Duplicate(Ack(0x123459, 0)));
    for (uint32_t psn = 0x12345a; psn <= 0x12345c; ++psn)
    {
        EXPECT_EQ(responder.OnRequest(Middle(psn)), Executed());
    }
    EXPECT_EQ(responder.OnRequest(Last(0x12345d, MTU)), Completed(8192, Ack(0x12345d, 1)));
    EXPECT_EQ(responder.OnRequest(Only(0x12345e, 10)), Completed(10, Ack(0x12345e, 2)));
}

/** Half of the PSN space lies before the expected PSN, half behind it. */
TEST(RcResponder, TellsEarlierFromLaterByHalfTheSpace)
{
    RcResponder responder{Psn{5}};
    EXPECT_EQ(responder.OnRequest(Only(4, 1)), Duplicate(Ack(4, 0)));
    EXPECT_EQ(responder.OnRequest(Only(5 + (1 << 23), 1)), Duplicate(Ack(4, 0)));
    EXPECT_EQ(responder.OnRequest(Only(5 + (1 << 23) - 1, 1)), OutOfSequence(Nak(5, 0)));
}

TEST(RcResponder, WrapsThePsnAndTheMsn)
{
    RcResponder responder{Psn{0xfffffe}};
    EXPECT_EQ(responder.OnRequest(Only(0xfffffe, 1)), Completed(1, Ack(0xfffffe, 1)));
    EXPECT_EQ(responder.OnRequest(Only(0xffffff, 1)), Completed(1, Ack(0xffffff, 2)));
    EXPECT_EQ(responder.OnRequest(Only(0, 1)), Completed(1, Ack(0, 3)));
    for (uint64_t msn = 4; msn <= 0x1000001; ++msn)
    {
        ASSERT_TRUE(responder.OnRequest(Only(msn - 3, 1)).completesMessage);
    }
    EXPECT_EQ(responder.GetMsn(), 1u);
}

TEST(RcResponder, RefusesWhatMayNotStandHere)
{
    RcResponder fresh{Psn{0x100}};
    EXPECT_EQ(fresh.OnRequest(Middle(0x100)), Invalid());
    EXPECT_EQ(fresh.OnRequest(Last(0x100, MTU)), Invalid());
    EXPECT_EQ(fresh.OnRequest({Opcode::RC_ACKNOWLEDGE, Psn{0x100}}), Invalid());
    EXPECT_EQ(fresh.OnRequest({Opcode::CNP, Psn{0x100}}), Invalid());
    EXPECT_EQ(fresh.OnRequest(First(0x100, MTU)), Invalid()) << "nothing would be left for Last";
    ArrivedRequest wrongLength = Only(0x100, 10);
    wrongLength.reth.dmaLength = 11;
    EXPECT_EQ(fresh.OnRequest(wrongLength), Invalid());
    EXPECT_EQ(fresh.OnRequest(Only(0x100, 10)), Completed(10, Ack(0x100, 1)));

    RcResponder inMessage = ResponderInMessage(0x100);
    EXPECT_EQ(inMessage.OnRequest(First(0x101, 3 * MTU)), Invalid());
    EXPECT_EQ(inMessage.OnRequest(Only(0x101, 10)), Invalid());
    EXPECT_EQ(inMessage.OnRequest(Last(0x101, MTU)), Invalid()) << "one packet short";
    EXPECT_EQ(inMessage.OnRequest(Middle(0x101)), Executed());
    EXPECT_EQ(inMessage.OnRequest(Middle(0x102)), Invalid()) << "the message ends with Last";
    EXPECT_EQ(inMessage.OnRequest(Last(0x102, MTU)), Completed(3 * MTU, Ack(0x102, 1)));
}

} // namespace
} // namespace ns3::rdma
