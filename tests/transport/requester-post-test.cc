// SPDX-License-Identifier: GPL-2.0-only
#include "tests/transport/requester-script.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t MTU = RequesterTestbed::MTU;

// --- What is refused: ibv_post_send(3), IBTA Vol 1 Rel 1.7 section 11.4.1.1 ---------------------

TEST(RequesterPost, TakesMessagesUpTo2Pow31Bytes)
{
    RequesterTestbed qp{7};
    const std::array<ScatterGatherElement, 2> pieces{
        {{RequesterTestbed::LOCAL, 1U << 31, qp.region.lkey},
         {RequesterTestbed::LOCAL, 1, qp.region.lkey}}};
    const ScatterGatherList list{pieces};
    for (const SendOpcode opcode :
         {SendOpcode::SEND, SendOpcode::RDMA_WRITE, SendOpcode::RDMA_READ})
    {
        const std::array<SendRequest, 2> requests{
            SendRequest{.opcode = opcode, .sgList = list.first(1)},
            SendRequest{.opcode = opcode, .sgList = list}};
        EXPECT_EQ(qp.requester.Post(requests), (PostResult{VerbsError::INVALID_ARGUMENT, 1}));
    }
    // 2^31 bytes at 1024 a packet are 2^21 packets: the READ follows two such messages.
    uint32_t packets = 0;
    OutgoingRequest packet;
    while (qp.requester.CanSend(Requester::NO_WINDOW))
    {
        packet = qp.requester.Next(qp.now);
        ++packets;
    }
    EXPECT_EQ(packets, 2 * (1U << 21) + 1);
    EXPECT_EQ(packet.reth.dmaLength, 1U << 31);
    EXPECT_EQ(qp.requester.GetNextPsn(), Psn{7 + 3 * (1U << 21)});
}

TEST(RequesterPost, RefusesWhatTheQueuePairCannotDo)
{
    RequesterTestbed qp{0};
    const std::array<ScatterGatherElement, 5> many{};
    const std::array<ScatterGatherElement, 1> seven{{{RequesterTestbed::LOCAL, 7, qp.region.lkey}}};
    const std::array<ScatterGatherElement, 1> big{{{RequesterTestbed::LOCAL, 65, qp.region.lkey}}};
    const std::array<ScatterGatherElement, 1> word{{{RequesterTestbed::LOCAL, 8, qp.region.lkey}}};
    using enum SendOpcode;
    const std::array<SendRequest, 7> refused{
        SendRequest{.opcode = SEND, .sgList = many},                            // 4 pieces allowed
        SendRequest{.opcode = SEND, .flags = SEND_INLINE, .sgList = big},       // 64 bytes allowed
        SendRequest{.opcode = RDMA_READ, .flags = SEND_INLINE, .sgList = word}, // nothing to fill
        SendRequest{.opcode = ATOMIC_FETCH_AND_ADD, .sgList = seven},           // 8 bytes
        SendRequest{.opcode = ATOMIC_CMP_AND_SWP, .sgList = {}},                // 8 bytes
        SendRequest{.opcode = SendOpcode{8}, .sgList = word}, // bind: not modelled
        SendRequest{.opcode = SendOpcode{200}, .sgList = word}};
    for (const SendRequest& request : refused)
    {
        EXPECT_EQ(qp.requester.Post({&request, 1}), (PostResult{VerbsError::INVALID_ARGUMENT, 0}))
            << int{static_cast<uint8_t>(request.opcode)};
    }
    EXPECT_FALSE(qp.requester.HasUnsent());
    qp.settings.attributes.maxReadAtomic = 0;
    const SendRequest read{.opcode = RDMA_READ, .sgList = word};
    EXPECT_EQ(qp.requester.Post({&read, 1}), (PostResult{VerbsError::INVALID_ARGUMENT, 0}));
}

TEST(RequesterPost, EmptyListIsNothing)
{
    RequesterTestbed qp{0};
    EXPECT_TRUE(qp.requester.Post({}).IsOk());
    EXPECT_FALSE(qp.requester.CanSend(Requester::NO_WINDOW));
}

// --- Held requests ------------------------------------------------------------------------------

TEST(RequesterPost, HeldRequestsWaitForRelease)
{
    RequesterTestbed qp{0};
    qp.Write(1, 1);
    qp.Post(qp.Make(SendOpcode::RDMA_WRITE, 2, 1), true);
    qp.Post(qp.Make(SendOpcode::RDMA_WRITE, 3, 1), true);
    qp.Write(4, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(0));
    EXPECT_FALSE(qp.requester.HasUnsent());
    qp.requester.Release(1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1));
    qp.requester.Release(1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(2)) << "what was posted behind held ones is held";
    qp.requester.Release(5);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(3));
    qp.Write(5, 1);
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(4)) << "none is held any more";
}

// --- Inline data --------------------------------------------------------------------------------

TEST(RequesterPost, InlineDataAreCopiedAndTheirKeyIsNotChecked)
{
    RequesterTestbed qp{0};
    std::array<std::byte, 10> bytes;
    bytes.fill(std::byte{0x5a});
    SendRequest request = qp.Make(SendOpcode::SEND, 1, bytes.size());
    qp.element.lkey = 0xbad;
    request.flags = SEND_SIGNALED | SEND_INLINE;
    request.inlineData = bytes.data();
    qp.Post(request);
    bytes.fill(std::byte{0});
    ASSERT_TRUE(qp.requester.CanSend(Requester::NO_WINDOW));
    // The queue grows: the copy moves along.
    for (uint64_t wrId = 2; wrId < 20; ++wrId)
    {
        qp.Write(wrId, 1);
    }
    const OutgoingRequest packet = qp.requester.Next(qp.now);
    std::array<std::byte, 10> payload{};
    qp.requester.Gather(packet, payload);
    EXPECT_TRUE(std::ranges::all_of(payload, [](std::byte b) { return b == std::byte{0x5a}; }));
}

TEST(RequesterPost, InlineDataWithoutBytesComeFromTheirKeys)
{
    RequesterTestbed qp{0};
    std::array<std::byte, 8> storage;
    storage.fill(std::byte{7});
    MemoryRegion region;
    ASSERT_EQ(qp.memory.Register({.protectionDomain = RequesterTestbed::DOMAIN,
                                  .address = 0x8000,
                                  .length = 8,
                                  .storage = storage.data()},
                                 region),
              VerbsError::NONE);
    const ScatterGatherElement element{0x8000, 8, region.lkey};
    qp.Post({.flags = SEND_INLINE, .sgList = {&element, 1}});
    storage.fill(std::byte{0});
    std::array<std::byte, 8> payload{};
    qp.requester.Gather(qp.requester.Next(qp.now), payload);
    EXPECT_EQ(payload.front(), std::byte{7});
}

// --- Send queue drained: section 10.3.1 ---------------------------------------------------------

TEST(RequesterPost, DrainingFinishesWhatWasBegunAndBeginsNothing)
{
    RequesterTestbed qp{0};
    qp.Write(1, 3 * MTU).Write(2, 1);
    qp.requester.Next(qp.now);
    qp.settings.attributes.state = QueuePairState::SQD;
    qp.requester.OnModified();
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1, 2));
    EXPECT_FALSE(qp.requester.IsDrained());
    EXPECT_EQ(qp.Nak(1), Back(MTU));
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(1, 2)) << "it was begun";
    EXPECT_EQ(qp.Ack(2), Completing(2 * MTU));
    EXPECT_TRUE(qp.requester.IsDrained());
    EXPECT_THAT(qp.Drain(), IsEmpty());
    qp.settings.attributes.state = QueuePairState::RTS;
    qp.requester.OnModified();
    EXPECT_THAT(qp.DrainPsns(), ElementsAre(3));
}

} // namespace
} // namespace ns3::rdma
