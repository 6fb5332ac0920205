// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"

#include <cstring>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using enum Opcode;

constexpr uint32_t MTU = RequesterTestbed::MTU;

WorkCompletion
ReadDone(uint64_t wrId, uint32_t bytes)
{
    return Done(CompletionOpcode::RDMA_READ, wrId, bytes);
}

// --- Responses acknowledge: IBTA Vol 1 Rel 1.7 section 9.7.5 ------------------------------------

TEST(RequesterRead, CompletesWithItsLastResponse)
{
    RequesterTestbed qp{0x123456};
    qp.Read(1, 4 * MTU);
    EXPECT_THAT(qp.Drain(), ElementsAre(ReadRequest(0x123456, 4 * MTU)));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 0x123456, MTU), Progress(MTU));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 0x123457, MTU), Progress(MTU));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 0x123458, MTU), Progress(MTU));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_LAST, 0x123459, MTU), Completing(MTU));
    EXPECT_THAT(qp.Completions(), ElementsAre(ReadDone(1, 4 * MTU)));
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
}

TEST(RequesterRead, ResponseAcknowledgesAllRequestsBeforeIt)
{
    RequesterTestbed qp{0};
    qp.Write(1, 2 * MTU).Send(2, 5).Read(3, 7);
    qp.Drain();
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 3, 7), Completing(2 * MTU + 5 + 7));
    EXPECT_EQ(qp.requester.GetInFlightBytes(), 0u);
    EXPECT_THAT(
        qp.Completions(),
        ElementsAre(Written(1, 2 * MTU), Done(CompletionOpcode::SEND, 2, 5), ReadDone(3, 7)));
}

/** Capture rxe_wire_drop_read_resp_only_pipelined: both READs are repeated at once. */
TEST(RequesterRead, ResponseOfALaterReadIsAnImpliedNak)
{
    for (const bool retriesReadGapAtOnce : {false, true})
    {
        RequesterTestbed qp{0x123456, {.policy = {.retriesReadGapAtOnce = retriesReadGapAtOnce}}};
        qp.Read(1, 100).Read(2, 101).Write(3, 50);
        EXPECT_EQ(qp.Drain().size(), 3u);
        EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0x123457, 101), Back(0));
        EXPECT_EQ(qp.Drain().size(), 3u);
        EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0x123456, 100), Completing(100));
        EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0x123457, 101), Completing(101));
        EXPECT_EQ(qp.Ack(0x123458), Completing(50));
        EXPECT_THAT(qp.Completions(),
                    ElementsAre(ReadDone(1, 100), ReadDone(2, 101), Written(3, 50)));
    }
}

/** An ACK never takes the place of a READ's response; it acknowledges what is before the READ. */
TEST(RequesterRead, AcknowledgementBehindAPendingReadIsAnImpliedNak)
{
    RequesterTestbed qp{0};
    qp.Write(1, 5).Read(2, 100).Write(3, 7);
    qp.Drain();
    EXPECT_EQ(qp.Ack(2), (RequesterOutcome{.ackedBytes = 5, .goesBack = true, .completes = true}));
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(1, 5)));
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(ReadRequest(1, 100)), Repeated(WriteOnly(2, 7))));
}

/** Old answers that arrive after an implied NAK was heeded do not spend further retries. */
TEST(RequesterRead, OneImpliedNakIsOneRetry)
{
    RequesterSettings settings;
    settings.attributes.retryCount = 1;
    RequesterTestbed qp{0, settings};
    qp.Read(1, 100).Write(2, 1).Write(3, 1).Write(4, 1);
    qp.Drain();
    EXPECT_EQ(qp.Ack(1), Back(0));
    qp.Drain();
    EXPECT_EQ(qp.Ack(2), Ghost());
    EXPECT_EQ(qp.Ack(3), Ghost());
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0, 100), Completing(100));
    EXPECT_EQ(qp.Ack(3), Completing(3));
}

TEST(RequesterRead, ProgressMakesTheNextImpliedNakCount)
{
    RequesterTestbed qp{0};
    qp.Read(1, 100).Write(2, 1).Read(3, 100).Write(4, 1);
    qp.Drain();
    EXPECT_EQ(qp.Ack(1), Back(0));
    qp.Drain();
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0, 100), Completing(100));
    qp.Completions();
    EXPECT_EQ(qp.Ack(3), (RequesterOutcome{.ackedBytes = 1, .goesBack = true, .completes = true}));
}

// --- Holes in a response: section 9.7.6 ---------------------------------------------------------

/** Capture rxe_wire_reorder_read_resp: after the timeout the rest, VA and length moved. */
TEST(RequesterRead, RestIsAskedForAfterTheTimeout)
{
    RequesterTestbed qp{0x123456, {.policy = {.retriesReadGapAtOnce = false}}};
    qp.Read(1, 16384);
    qp.Drain();
    qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 0x123456, MTU);
    for (uint64_t psn = 0x123457; psn <= 0x12345b; ++psn)
    {
        EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, psn, MTU), Progress(MTU));
    }
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 0x12345d, MTU), Ghost());
    EXPECT_THAT(qp.Drain(), IsEmpty());
    EXPECT_EQ(qp.TimeOut(), Back(0));
    // len=10240 at va + 0x1800, psn 12345c
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(ReadRequest(0x12345c, 16384, 6 * MTU))));
    // rxe goes on with MIDDLE and LAST.
    for (uint64_t psn = 0x12345c; psn <= 0x123464; ++psn)
    {
        EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, psn, MTU), Progress(MTU));
    }
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_LAST, 0x123465, MTU), Completing(MTU));
}

TEST(RequesterRead, RestIsAskedForAtOnceByTheStandard)
{
    RequesterTestbed qp{0};
    qp.Read(1, 4 * MTU);
    qp.Drain();
    qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 0, MTU);
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 2, MTU), Back(0));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_LAST, 3, MTU), Ghost());
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(ReadRequest(1, 4 * MTU, MTU))));
    // A response that begins anew.
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 1, MTU), Progress(MTU));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 2, MTU), Progress(MTU));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_LAST, 3, MTU), Completing(MTU));
}

/** Responses that were late, not lost, make the repeated request's unnecessary. */
TEST(RequesterRead, LateResponsesCountAfterGoingBack)
{
    RequesterTestbed qp{0};
    qp.Read(1, 2 * MTU).Read(2, 1).Write(3, 1);
    qp.Drain();
    qp.TimeOut();
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 0, MTU), Progress(MTU));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_LAST, 1, MTU), Completing(MTU));
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(ReadRequest(2, 1)), Repeated(WriteOnly(3, 1))));
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 2, 1), Completing(1));
    EXPECT_EQ(qp.Ack(3), Completing(1));
}

// --- Responses that do not fit: section 9.9.2 ---------------------------------------------------

TEST(RequesterRead, WrongOpcodeOrLengthFails)
{
    struct Row
    {
        uint32_t messageBytes;
        Opcode opcode;
        uint16_t bytes;
        CompletionStatus status;
    };

    using enum CompletionStatus;
    const std::array<Row, 9> rows{{
        {10, RC_RDMA_READ_RESPONSE_ONLY, 9, LOC_LEN_ERR},
        {10, RC_RDMA_READ_RESPONSE_ONLY, 11, LOC_LEN_ERR},
        {10, RC_RDMA_READ_RESPONSE_FIRST, 10, LOC_LEN_ERR},
        {10, RC_RDMA_READ_RESPONSE_LAST, 10, BAD_RESP_ERR},
        {10, RC_RDMA_READ_RESPONSE_MIDDLE, 10, BAD_RESP_ERR},
        {0, RC_RDMA_READ_RESPONSE_ONLY, 1, LOC_LEN_ERR},
        {2 * MTU, RC_RDMA_READ_RESPONSE_FIRST, MTU - 1, LOC_LEN_ERR},
        {2 * MTU, RC_RDMA_READ_RESPONSE_ONLY, MTU, LOC_LEN_ERR},
        {2 * MTU, RC_RDMA_READ_RESPONSE_MIDDLE, MTU, BAD_RESP_ERR},
    }};
    for (const Row& row : rows)
    {
        RequesterTestbed qp{0};
        qp.Read(1, row.messageBytes).Write(2, 1);
        qp.Drain();
        EXPECT_EQ(qp.Respond(row.opcode, 0, row.bytes), Failing(0)) << row.messageBytes;
        EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, row.status), Flushed(2)));
    }
}

TEST(RequesterRead, ResponseInTheMiddleThatBeginsAnewFails)
{
    RequesterTestbed qp{0};
    qp.Read(1, 3 * MTU);
    qp.Drain();
    qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 0, MTU);
    EXPECT_EQ(qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 1, MTU), Failing(0));
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, CompletionStatus::BAD_RESP_ERR)));
}

TEST(RequesterRead, ResponseToAnotherOperationFailsIt)
{
    RequesterTestbed write{0};
    write.Write(1, 1).Drain();
    EXPECT_EQ(write.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0, 1), Failing(0));
    EXPECT_THAT(write.Completions(), ElementsAre(Failed(1, CompletionStatus::BAD_RESP_ERR)));
    RequesterTestbed atomic{0};
    atomic.FetchAdd(1).Drain();
    EXPECT_EQ(atomic.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0, 8), Failing(0));
    RequesterTestbed read{0};
    read.Read(1, 8).Drain();
    EXPECT_EQ(read.RespondAtomic(0, 1), Failing(0));
}

// --- Atomics ------------------------------------------------------------------------------------

TEST(RequesterRead, AtomicResponseStoresTheOriginal)
{
    RequesterTestbed qp{0};
    qp.FetchAdd(1).Post(SendOpcode::ATOMIC_CMP_AND_SWP, 2, ATOMIC_BYTES);
    qp.Drain();
    EXPECT_EQ(qp.RespondAtomic(0, 0x0102030405060708), Completing(8));
    EXPECT_EQ(qp.memory.LoadWord(qp.region.lkey, RequesterTestbed::LOCAL), 0x0102030405060708u);
    EXPECT_EQ(qp.RespondAtomic(0, 99), Ghost()) << "of a repeated request";
    EXPECT_EQ(qp.memory.LoadWord(qp.region.lkey, RequesterTestbed::LOCAL), 0x0102030405060708u);
    EXPECT_EQ(qp.RespondAtomic(1, 7), Completing(8));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Done(CompletionOpcode::FETCH_ADD, 1, 8),
                            Done(CompletionOpcode::COMP_SWAP, 2, 8)));
}

/** Lost: the very same request again; the responder answers it from what it saved. */
TEST(RequesterRead, AtomicIsRepeatedAfterTheTimeout)
{
    RequesterTestbed qp{7};
    qp.FetchAdd(1);
    const std::vector<OutgoingRequest> first = qp.Drain();
    EXPECT_EQ(qp.TimeOut(), Back(0));
    EXPECT_THAT(qp.Drain(), ElementsAre(Repeated(first.front())));
}

// --- Memory -------------------------------------------------------------------------------------

TEST(RequesterRead, ResponsesAreScatteredAndRequestsGathered)
{
    RequesterTestbed qp{0};
    std::array<std::byte, 3 * MTU> storage{};
    MemoryRegion region;
    ASSERT_EQ(qp.memory.Register({.protectionDomain = RequesterTestbed::DOMAIN,
                                  .address = 0x9000,
                                  .length = storage.size(),
                                  .access = ACCESS_LOCAL_WRITE,
                                  .storage = storage.data()},
                                 region),
              VerbsError::NONE);
    // Pieces in reverse order: the second half of the message comes first in memory.
    const std::array<ScatterGatherElement, 2> pieces{
        {{0x9000 + MTU, 2 * MTU, region.lkey}, {0x9000, MTU, region.lkey}}};
    qp.Post({.wrId = 1, .opcode = SendOpcode::RDMA_READ, .sgList = pieces});
    qp.Drain();
    std::array<std::byte, MTU> payload;
    for (uint32_t i = 0; i < 3; ++i)
    {
        payload.fill(std::byte(i + 1));
        qp.Respond(i == 0   ? RC_RDMA_READ_RESPONSE_FIRST
                   : i == 1 ? RC_RDMA_READ_RESPONSE_MIDDLE
                            : RC_RDMA_READ_RESPONSE_LAST,
                   i,
                   MTU,
                   payload);
    }
    EXPECT_EQ(storage[MTU], std::byte{1});
    EXPECT_EQ(storage[2 * MTU], std::byte{2});
    EXPECT_EQ(storage[0], std::byte{3});
    qp.Post({.wrId = 2, .opcode = SendOpcode::SEND, .sgList = pieces});
    qp.requester.Next(qp.now);
    const OutgoingRequest second = qp.requester.Next(qp.now);
    qp.requester.Gather(second, payload);
    EXPECT_EQ(payload.front(), std::byte{2});
    EXPECT_EQ(payload.back(), std::byte{2});
}

// --- Outstanding READs, fence: section 10.8.3.3 -------------------------------------------------

/** max_rd_atomic 2; what is behind a READ that waits, waits too (capture rxe_vt_rd1_reads). */
TEST(RequesterRead, OnlySoManyAreOutstanding)
{
    RequesterSettings settings;
    settings.attributes.maxReadAtomic = 2;
    RequesterTestbed qp{0, settings};
    qp.Read(1, 1).FetchAdd(2).Read(3, 1).Write(4, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0, 1));
    EXPECT_TRUE(qp.requester.HasUnsent());
    qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(2, 3));
    qp.Read(5, 1);
    EXPECT_THAT(qp.Drain(), IsEmpty());
    // Going back sends again as many as are allowed.
    qp.TimeOut();
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1, 2, 3));
    qp.RespondAtomic(1, 0);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(4));
    qp.settings.attributes.maxReadAtomic = 3;
    qp.Read(6, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(5)) << "a modify raised the number";
}

/** Capture rxe_vt_fence: READ, fenced WRITE, READ, fenced SEND. */
TEST(RequesterRead, FenceWaitsForReadsAndAtomics)
{
    RequesterTestbed qp{0x123456};
    qp.Read(1, 4096).Write(2, 100, SEND_SIGNALED | SEND_FENCE);
    qp.Read(3, 100).Send(4, 10, SEND_SIGNALED | SEND_FENCE);
    EXPECT_THAT(qp.Drain(), ElementsAre(ReadRequest(0x123456, 4096)));
    qp.Respond(RC_RDMA_READ_RESPONSE_FIRST, 0x123456, MTU);
    qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 0x123457, MTU);
    qp.Respond(RC_RDMA_READ_RESPONSE_MIDDLE, 0x123458, MTU);
    EXPECT_THAT(qp.Drain(), IsEmpty());
    qp.Respond(RC_RDMA_READ_RESPONSE_LAST, 0x123459, MTU);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0x12345a, 0x12345b));
    qp.Ack(0x12345a);
    EXPECT_THAT(qp.Drain(), IsEmpty());
    qp.Respond(RC_RDMA_READ_RESPONSE_ONLY, 0x12345b, 100);
    EXPECT_THAT(qp.Drain(), ElementsAre(PacketOf(RC_SEND_ONLY, 0x12345c, 10)));
}

TEST(RequesterRead, FenceDoesNotWaitForWrites)
{
    RequesterTestbed qp{0};
    qp.Write(1, 1).Write(2, 1, SEND_SIGNALED | SEND_FENCE);
    EXPECT_EQ(qp.Drain().size(), 2u);
}

} // namespace
} // namespace ns3::rdma
