// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/verbs-bench.h"
#include "verbs/bring-up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ns3::rdma
{

namespace
{

using testing::ElementsAre;

/** One end with a shared receive queue for two queue pairs that the other end sends to. */
class SharedReceive : public testing::Test
{
  protected:
    SharedReceive()
    {
        Rnic& device = bench.b.GetDevice();
        device.AllocateProtectionDomain(domain);
        device.RegisterMemory({.protectionDomain = domain.value,
                               .address = 0,
                               .length = 1U << 20,
                               .access = ACCESS_ALL},
                              region);
        device.CreateCompletionQueue(64, nullptr, queue);
        EXPECT_EQ(device.CreateSharedReceiveQueue({domain, 8, 1}, shared), VerbsError::NONE);
        for (ConnectedPair& pair : pairs)
        {
            pair.a = bench.a.CreateQueuePair();
            QueuePairInit init;
            init.protectionDomain = domain;
            init.sendQueue = queue;
            init.receiveQueue = queue;
            init.sharedReceiveQueue = shared;
            EXPECT_EQ(device.CreateQueuePair(init, pair.b), VerbsError::NONE);
            Raise(bench.a.GetDevice(), pair.a, {1, pair.b});
            Raise(device, pair.b, {0, pair.a});
        }
    }

    struct Peer
    {
        uint32_t interface {
            0
        };
        Qpn qpn{};
    };

    static void Raise(Rnic& device, Qpn qpn, const Peer& peer)
    {
        QueuePairAttributes attributes = VerbsBench::MakeAttributes();
        attributes.address.destination = peer.interface;
        attributes.destinationQp = peer.qpn;
        attributes.state = QueuePairState::RTS;
        const auto refusal = BringUp(device, qpn, attributes, {});
        EXPECT_FALSE(refusal) << ToString(*refusal);
    }

    void Post(uint64_t wrId, uint32_t bytes = 64)
    {
        const ScatterGatherElement element{0, bytes, region.lkey};
        const ReceiveRequest request{.wrId = wrId, .sgList = {&element, 1}};
        EXPECT_TRUE(bench.b.GetDevice().PostSharedReceive(shared, {&request, 1}).IsOk());
    }

    std::vector<WorkCompletion> Poll()
    {
        std::vector<WorkCompletion> completions(64);
        completions.resize(bench.b.GetDevice().GetCompletionQueue(queue).Poll(completions));
        return completions;
    }

    void Send(Qpn qpn, uint32_t bytes = 64)
    {
        SendRequest request;
        request.opcode = SendOpcode::SEND;
        EXPECT_TRUE(bench.a.Post(qpn, request, bytes).IsOk());
    }

    VerbsBench bench;
    ProtectionDomainId domain;
    MemoryRegion region;
    CompletionQueueId queue;
    SharedReceiveQueueId shared;
    std::array<ConnectedPair, 2> pairs;
};

TEST_F(SharedReceive, QueuePairsTakeRequestsInTheOrderOfTheirMessages)
{
    for (uint64_t wrId : {11, 12, 13})
    {
        Post(wrId);
    }
    Send(pairs[1].a);
    Send(pairs[0].a);
    Send(pairs[1].a);
    bench.Run();
    std::vector<std::pair<uint64_t, uint32_t>> taken;
    for (const WorkCompletion& completion : Poll())
    {
        EXPECT_EQ(completion.status, CompletionStatus::SUCCESS);
        EXPECT_EQ(completion.opcode, CompletionOpcode::RECV);
        taken.emplace_back(completion.wrId, completion.qpn.value);
    }
    // Queue pairs take turns on the wire: that of the first post begins.
    EXPECT_THAT(taken,
                ElementsAre(std::pair{uint64_t{11}, pairs[1].b.value},
                            std::pair{uint64_t{12}, pairs[0].b.value},
                            std::pair{uint64_t{13}, pairs[1].b.value}));
}

TEST_F(SharedReceive, AnEmptyQueueAnswersThatItIsNotReady)
{
    Post(1);
    Send(pairs[0].a);
    Send(pairs[1].a);
    bench.run.RunUntil(SimTime::Microseconds(100));
    EXPECT_EQ(Poll().size(), 1U);
    EXPECT_EQ(bench.a.GetDevice().GetStatistics(pairs[0].a).rnrNaksReceived +
                  bench.a.GetDevice().GetStatistics(pairs[1].a).rnrNaksReceived,
              1U);
    Post(2);
    bench.Run();
    EXPECT_EQ(Poll().size(), 1U);
}

TEST_F(SharedReceive, TheLimitTellsOnce)
{
    for (uint64_t wrId = 0; wrId < 4; ++wrId)
    {
        Post(wrId);
    }
    EXPECT_EQ(bench.b.GetDevice().SetSharedReceiveLimit(shared, 3), VerbsError::NONE);
    for (int i = 0; i < 3; ++i)
    {
        Send(pairs[0].a);
    }
    bench.Run();
    // Three are left after the first message, which is no fewer than the limit.
    std::vector<AsyncEvent> told;
    for (const AsyncEvent& event : bench.b.events)
    {
        if (event.type == AsyncEventType::SRQ_LIMIT_REACHED)
        {
            told.push_back(event);
        }
    }
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told.front().sharedReceiveQueue, shared);
}

TEST_F(SharedReceive, AQueuePairInErrorLeavesTheRequestsToTheOthers)
{
    Post(1);
    QueuePairAttributes attributes;
    attributes.state = QueuePairState::ERR;
    ASSERT_FALSE(bench.b.GetDevice().ModifyQueuePair(pairs[0].b, attributes, QP_STATE, SimTime{}));
    EXPECT_TRUE(Poll().empty());
    Send(pairs[1].a);
    bench.Run();
    EXPECT_EQ(Poll().size(), 1U);
}

TEST_F(SharedReceive, WhatIsNotRightIsRefused)
{
    Rnic& device = bench.b.GetDevice();
    const ReceiveRequest request{};
    EXPECT_EQ(device.PostReceive(pairs[0].b, {&request, 1}, {}).error,
              VerbsError::INVALID_ARGUMENT);
    EXPECT_EQ(device.DestroySharedReceiveQueue(shared), VerbsError::BUSY);
    EXPECT_EQ(device.PostSharedReceive({77}, {&request, 1}).error, VerbsError::NOT_FOUND);
    EXPECT_EQ(device.SetSharedReceiveLimit({77}, 1), VerbsError::NOT_FOUND);
    SharedReceiveQueueId other;
    EXPECT_EQ(device.CreateSharedReceiveQueue({{77}, 8, 1}, other), VerbsError::NOT_FOUND);
    EXPECT_EQ(device.CreateSharedReceiveQueue({domain, 1U << 31, 1}, other),
              VerbsError::LIMIT_EXCEEDED);
    for (uint64_t wrId = 0; wrId < 8; ++wrId)
    {
        Post(wrId);
    }
    EXPECT_EQ(device.PostSharedReceive(shared, {&request, 1}).error, VerbsError::QUEUE_FULL);
    for (const ConnectedPair& pair : pairs)
    {
        EXPECT_EQ(device.DestroyQueuePair(pair.b, {}), VerbsError::NONE);
    }
    EXPECT_EQ(device.DestroySharedReceiveQueue(shared), VerbsError::NONE);
    EXPECT_EQ(device.DestroySharedReceiveQueue(shared), VerbsError::NOT_FOUND);
}

} // namespace

} // namespace ns3::rdma
