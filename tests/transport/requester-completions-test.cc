// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"
#include "transport/rc-policies.h"

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;
using enum CompletionStatus;

constexpr uint32_t MTU = RequesterTestbed::MTU;
constexpr uint8_t UNSIGNALLED = 0;

// --- Signalled and not: IBTA Vol 1 Rel 1.7 section 10.7.3 ---------------------------------------

/** Capture rxe_vt_unsignalled: five requests, one completion. */
TEST(RequesterCompletions, UnsignalledSuccessesAreLeftOut)
{
    RequesterTestbed qp{0};
    qp.Write(1, 1500, UNSIGNALLED).Write(2, 1500, UNSIGNALLED).Send(3, 100, UNSIGNALLED);
    qp.Send(4, 100, UNSIGNALLED).Write(5, 10);
    qp.Drain();
    EXPECT_EQ(qp.Ack(3), Progress(3000));
    EXPECT_THAT(qp.Completions(), IsEmpty());
    EXPECT_EQ(qp.Ack(6), Completing(210));
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(5, 10)));
}

TEST(RequesterCompletions, SignalsAllByTheQueuePair)
{
    RequesterTestbed qp{0, {.signalsAll = true}};
    qp.Write(1, 1, UNSIGNALLED).Drain();
    EXPECT_EQ(qp.Ack(0), Completing(1));
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(1, 1)));
}

/** The slot of an unsignalled request is free when a signalled one behind it has completed. */
TEST(RequesterCompletions, SlotsAreFreedBySignalledOnes)
{
    RequesterTestbed qp{0, {.capabilities = {.maxSendRequests = 3, .maxSendElements = 1}}};
    const SendRequest request = qp.Make(SendOpcode::RDMA_WRITE, 9, 1);
    const PostResult full{VerbsError::QUEUE_FULL, 0};
    qp.Write(1, 1, UNSIGNALLED).Write(2, 1, UNSIGNALLED);
    qp.Drain();
    qp.Ack(1);
    qp.Write(3, 1);
    EXPECT_EQ(qp.requester.Post({&request, 1}), full) << "completed, but nobody was told";
    qp.Drain();
    qp.Ack(2);
    EXPECT_EQ(qp.requester.Post({&request, 1}), full) << "until the completion is taken";
    EXPECT_THAT(qp.Completions(), ElementsAre(Written(3, 1)));
    const std::array<SendRequest, 4> list{request, request, request, request};
    EXPECT_EQ(qp.requester.Post(list), (PostResult{VerbsError::QUEUE_FULL, 3}));
    EXPECT_EQ(qp.Drain().size(), 3u) << "those before the refused one are posted";
}

// --- The error state: section 10.3.1, 11.6.2 ----------------------------------------------------

/** What completed before the error succeeds; then the failed request; then the flushed ones. */
TEST(RequesterCompletions, KeepTheirOrderAcrossAnError)
{
    RequesterTestbed qp{0};
    qp.settings.attributes.retryCount = 0;
    qp.Write(1, 10).Write(2, 20, UNSIGNALLED).Write(3, 2 * MTU).Write(4, 40).Write(5, 50);
    qp.Drain();
    qp.Ack(2);
    EXPECT_EQ(qp.TimeOut(), Failing(0));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Written(1, 10), Failed(3, RETRY_EXC_ERR), Flushed(4), Flushed(5)));
}

TEST(RequesterCompletions, FailuresCompleteUnsignalledRequestsToo)
{
    RequesterTestbed qp{0};
    qp.Write(1, 1, UNSIGNALLED).Write(2, 1, UNSIGNALLED).Write(3, 1);
    qp.Drain();
    EXPECT_EQ(qp.Answer(SYNDROME_NAK_REMOTE_ACCESS, 0), Failing(0));
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, REM_ACCESS_ERR), Flushed(2), Flushed(3)));
}

/** B47 of the measurements: no completions for eight unsignalled requests that are flushed. */
TEST(RequesterCompletions, ConnectXFlushesUnsignalledOnesSilently)
{
    RequesterTestbed qp{0, {.policy = *FindRcPolicy("connectx")}};
    qp.Write(1, 1, UNSIGNALLED);
    for (uint64_t wrId = 2; wrId < 10; ++wrId)
    {
        qp.Write(wrId, 1, UNSIGNALLED);
    }
    qp.Write(10, 1).Write(11, 1, UNSIGNALLED);
    qp.Drain();
    EXPECT_EQ(qp.Answer(SYNDROME_NAK_REMOTE_ACCESS, 0), Failing(0));
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, REM_ACCESS_ERR), Flushed(10)));
    qp.Write(12, 1, UNSIGNALLED);
    EXPECT_FALSE(qp.requester.HasCompletion());
}

TEST(RequesterCompletions, FlushEndsEverything)
{
    RequesterTestbed qp{0};
    EXPECT_FALSE(qp.requester.Flush()) << "nothing to complete";
    EXPECT_TRUE(qp.requester.IsInError());
    RequesterTestbed busy{0};
    busy.Write(1, 1).Read(2, 100);
    busy.Drain();
    busy.Ack(0);
    busy.Post(busy.Make(SendOpcode::SEND, 3, 1), true);
    EXPECT_TRUE(busy.requester.Flush());
    EXPECT_TRUE(busy.requester.GetDeadline().IsNever());
    EXPECT_FALSE(busy.requester.HasUnsent());
    EXPECT_EQ(busy.requester.GetInFlightBytes(), 0u);
    EXPECT_THAT(busy.Completions(), ElementsAre(Written(1, 1), Flushed(2), Flushed(3)));
    EXPECT_FALSE(busy.requester.Flush()) << "no second time";
    busy.Write(4, 1);
    EXPECT_THAT(busy.Completions(), ElementsAre(Flushed(4)));
}

TEST(RequesterCompletions, FlushDuringAnRnrWaitEndsIt)
{
    RequesterTestbed qp{0};
    qp.Send(1, 1).Drain();
    qp.Answer(0x20, 0);
    EXPECT_TRUE(qp.requester.Flush());
    EXPECT_TRUE(qp.requester.GetDeadline().IsNever());
    EXPECT_THAT(qp.Completions(), ElementsAre(Flushed(1)));
}

// --- Local memory: sections 10.6.3, 11.6.2; B01 .. B03 of the measurements ----------------------

TEST(RequesterCompletions, BadLocalMemoryFailsInItsTurn)
{
    RequesterTestbed qp{0};
    MemoryRegion readOnly;
    ASSERT_EQ(qp.memory.Register(
                  {.protectionDomain = RequesterTestbed::DOMAIN, .address = 0x8000, .length = 100},
                  readOnly),
              VerbsError::NONE);
    MemoryRegion foreign;
    ASSERT_EQ(qp.memory.Register({.protectionDomain = RequesterTestbed::DOMAIN + 1,
                                  .address = 0x8000,
                                  .length = 100,
                                  .access = ACCESS_LOCAL_WRITE},
                                 foreign),
              VerbsError::NONE);

    struct Row
    {
        SendOpcode opcode;
        ScatterGatherElement element;
        const char* why;
    };

    const std::array<Row, 5> rows{
        {{SendOpcode::RDMA_WRITE, {0x8000, 101, readOnly.lkey}, "longer than the region (B01)"},
         {SendOpcode::SEND, {0x8000, 10, 0xbad}, "no such key (B02)"},
         {SendOpcode::RDMA_READ, {0x8000, 10, readOnly.lkey}, "no local write (B03)"},
         {SendOpcode::ATOMIC_FETCH_AND_ADD, {0x8000, 8, readOnly.lkey}, "no local write"},
         {SendOpcode::RDMA_WRITE, {0x8000, 10, foreign.lkey}, "another protection domain"}}};
    for (const Row& row : rows)
    {
        Requester requester{{.policy = &qp.settings.policy,
                             .attributes = &qp.settings.attributes,
                             .memory = &qp.memory,
                             .protectionDomain = RequesterTestbed::DOMAIN,
                             .qpn = RequesterTestbed::QPN,
                             .capabilities = qp.settings.capabilities}};
        requester.Start(Psn{0});
        const SendRequest good = qp.Make(SendOpcode::RDMA_WRITE, 1, 10);
        const std::array<SendRequest, 3> list{
            good, SendRequest{.wrId = 2, .opcode = row.opcode, .sgList = {&row.element, 1}}, good};
        ASSERT_TRUE(requester.Post(list).IsOk()) << row.why;
        requester.Next(SimTime{});
        EXPECT_FALSE(requester.CanSend(Requester::NO_WINDOW)) << row.why;
        EXPECT_FALSE(requester.IsInError()) << "the one before it comes first: " << row.why;
        EXPECT_EQ(requester.OnAcknowledge({0x1f, 1}, Psn{0}, SimTime{}), Failing(10)) << row.why;
        EXPECT_EQ(requester.PopCompletion(), Written(1, 10));
        EXPECT_EQ(requester.PopCompletion(), Failed(2, LOC_PROT_ERR)) << row.why;
        EXPECT_EQ(requester.PopCompletion(), Flushed(1));
        EXPECT_EQ(requester.PopCompletion(), std::nullopt);
    }
}

TEST(RequesterCompletions, BadLocalMemoryOfTheOnlyRequestFailsInThePost)
{
    RequesterTestbed qp{0};
    SendRequest request = qp.Make(SendOpcode::SEND, 1, 10);
    qp.element.lkey = 0xbad;
    qp.Post(request);
    EXPECT_TRUE(qp.requester.IsInError());
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, LOC_PROT_ERR)));
}

/** A message of no bytes needs no key (section 9.7.2 and capture rxe_vt_allops). */
TEST(RequesterCompletions, NoBytesNeedNoKey)
{
    RequesterTestbed qp{0};
    SendRequest request = qp.Make(SendOpcode::SEND, 1, 0);
    qp.element.lkey = 0xbad;
    qp.Post(request);
    EXPECT_EQ(qp.Drain().size(), 1u);
}

TEST(RequesterCompletions, MemoryThatIsGoneWhenItIsSentAgainFails)
{
    RequesterTestbed qp{0};
    qp.Write(1, 10).Drain();
    qp.memory.Deregister(qp.region.lkey);
    EXPECT_EQ(qp.TimeOut(), Failing(0));
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(1, LOC_PROT_ERR)));
}

// --- Local invalidate: section 10.6.5.1 ---------------------------------------------------------

TEST(RequesterCompletions, LocalInvalidateWaitsForAllBeforeIt)
{
    RequesterTestbed qp{0};
    MemoryRegion region;
    ASSERT_EQ(qp.memory.Register({.protectionDomain = RequesterTestbed::DOMAIN,
                                  .address = 0x8000,
                                  .length = 100,
                                  .access = ACCESS_ALL,
                                  .isInvalidatable = true},
                                 region),
              VerbsError::NONE);
    SendRequest invalidate{.wrId = 2, .opcode = SendOpcode::LOCAL_INV};
    invalidate.invalidateRkey = region.rkey;
    qp.Write(1, 2 * MTU).Post(invalidate).Write(3, 10);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0, 1));
    qp.Ack(0);
    EXPECT_TRUE(qp.memory.CanInvalidate(region.rkey, RequesterTestbed::DOMAIN));
    EXPECT_EQ(qp.Ack(1), Completing(MTU));
    EXPECT_FALSE(qp.memory.CanInvalidate(region.rkey, RequesterTestbed::DOMAIN));
    EXPECT_THAT(qp.Completions(),
                ElementsAre(Written(1, 2 * MTU), Done(CompletionOpcode::LOCAL_INV, 2, 0)));
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(2)) << "it takes no PSN";
    EXPECT_EQ(qp.Ack(2), Completing(10));
    // The key is of no use any more: a memory management operation error.
    qp.Completions();
    qp.Post(invalidate);
    EXPECT_THAT(qp.Completions(), ElementsAre(Failed(2, MW_BIND_ERR)));
}

} // namespace
} // namespace ns3::rdma
