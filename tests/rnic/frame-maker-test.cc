// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/frame-maker.h"
#include "wire/framing.h"

#include <gtest/gtest.h>
#include <numeric>

namespace ns3::rdma
{
namespace
{

/** A queue pair with one posted request over real memory. */
class FrameMakerTest : public testing::Test
{
  protected:
    FrameMakerTest()
    {
        std::iota(reinterpret_cast<uint8_t*>(m_bytes.data()),
                  reinterpret_cast<uint8_t*>(m_bytes.data()) + m_bytes.size(),
                  uint8_t{1});
        m_memory.Register({.address = 0x1000,
                           .length = m_bytes.size(),
                           .access = ACCESS_ALL,
                           .storage = m_bytes.data()},
                          m_region);
        m_pair.attributes.address.destination = 9;
        m_pair.attributes.destinationQp = {0x77};
        m_pair.flowHash = 0x1234;
        m_pair.requester.Start(Psn{5});
    }

    /** The frame of the first packet of a request over the first bytes. */
    Frame* Make(SendRequest request, uint32_t bytes, bool hasRealPayload)
    {
        const ScatterGatherElement element{0x1000, bytes, m_region.lkey};
        request.sgList = {&element, 1};
        EXPECT_TRUE(m_pair.requester.Post({&request, 1}).IsOk());
        const OutgoingRequest packet = m_pair.requester.Next({});
        return FrameMaker{m_ledger, {.hasRealPayload = hasRealPayload}}.MakeRequest(m_pair, packet);
    }

    RcPolicy m_policy;
    MemoryTable m_memory;
    MemoryRegion m_region;
    std::vector<std::byte> m_bytes{200};
    FrameLedger m_ledger;
    QueuePair m_pair{{.policy = &m_policy, .memory = &m_memory}, {2}, {.mark = 4}};
};

TEST_F(FrameMakerTest, WriteOnlyFitsIntoTheFrame)
{
    const Frame* frame = Make({.remoteAddress = 0x2000, .rkey = 3}, 100, false);
    EXPECT_FALSE(frame->isExtended);
    EXPECT_EQ(frame->opcode, Opcode::RC_RDMA_WRITE_ONLY);
    EXPECT_EQ(frame->GetReth(), (Reth{0x2000, 3, 100}));
    EXPECT_EQ(frame->frameBytes, 14 + 20 + 8 + 12 + 16 + 100 + 4 + 4);
    EXPECT_EQ(frame->psn, Psn{5});
    EXPECT_EQ(frame->flow, 4U);
    EXPECT_EQ(frame->flowHash, 0x1234U);
    EXPECT_EQ(frame->destination, 9U);
    EXPECT_EQ(frame->destinationQp, 0x77U);
    EXPECT_TRUE(frame->ackRequest);
}

TEST_F(FrameMakerTest, ImmediateOfASendFitsIntoTheFrame)
{
    const Frame* frame =
        Make({.opcode = SendOpcode::SEND_WITH_IMM, .immediate = 0xabcd}, 10, false);
    EXPECT_FALSE(frame->isExtended);
    EXPECT_EQ(frame->GetImmediate(), 0xabcdU);
    EXPECT_EQ(frame->frameBytes, 14 + 20 + 8 + 12 + 4 + 10 + 2 + 4 + 4) << "two bytes of pad";
}

// RETH and ImmDt are 20 bytes, and an AtomicETH is 28: the frame has room for 16.
TEST_F(FrameMakerTest, LargeHeadersGoToTheExtension)
{
    const Frame* write = Make({.opcode = SendOpcode::RDMA_WRITE_WITH_IMM,
                               .immediate = 7,
                               .remoteAddress = 0x2000,
                               .rkey = 3},
                              100,
                              false);
    ASSERT_TRUE(write->isExtended);
    EXPECT_EQ(write->GetReth(), (Reth{0x2000, 3, 100}));
    EXPECT_EQ(write->GetImmediate(), 7U);
    EXPECT_EQ(write->GetPayload(), nullptr);

    const Frame* atomic = Make({.opcode = SendOpcode::ATOMIC_CMP_AND_SWP,
                                .remoteAddress = 0x2008,
                                .rkey = 3,
                                .compareAdd = 1,
                                .swap = 2},
                               8,
                               false);
    ASSERT_TRUE(atomic->isExtended);
    EXPECT_EQ(atomic->extension->atomic,
              (AtomicEth{.virtualAddress = 0x2008, .rkey = 3, .swapOrAdd = 2, .compare = 1}));
}

TEST_F(FrameMakerTest, RealPayloadIsCopiedFromMemory)
{
    Frame* frame = Make({.opcode = SendOpcode::SEND}, 100, true);
    ASSERT_NE(frame->GetPayload(), nullptr);
    EXPECT_TRUE(
        std::equal(m_bytes.begin(), m_bytes.begin() + 100, frame->GetPayload()->bytes.begin()));
    const Frame* copy = m_ledger.Clone(*frame);
    m_ledger.Consume(frame);
    EXPECT_TRUE(
        std::equal(m_bytes.begin(), m_bytes.begin() + 100, copy->GetPayload()->bytes.begin()));
}

TEST_F(FrameMakerTest, ReadResponseTakesTheBytesOfItsAddress)
{
    const OutgoingResponse response{.opcode = Opcode::RC_RDMA_READ_RESPONSE_ONLY,
                                    .psn = Psn{8},
                                    .aeth = {SYNDROME_ACK_UNLIMITED, 1},
                                    .payloadBytes = 50,
                                    .address = 0x1000 + 20,
                                    .rkey = m_region.rkey};
    const Frame* frame =
        FrameMaker{m_ledger, {.hasRealPayload = true}}.MakeResponse(m_pair, response);
    EXPECT_EQ(frame->GetAeth(), response.aeth);
    EXPECT_TRUE(
        std::equal(m_bytes.begin() + 20, m_bytes.begin() + 70, frame->GetPayload()->bytes.begin()));
}

TEST_F(FrameMakerTest, NotificationHasAPriorityOfItsOwn)
{
    const Frame* frame =
        FrameMaker{m_ledger, {.hasRealPayload = false}}.MakeNotification(m_pair, 6);
    EXPECT_EQ(frame->priority, 6);
    // 14 + 20 + 8 + 12 + 16 reserved + 4 + 4.
    EXPECT_EQ(frame->frameBytes, 78);
}

// Priority 3 with DSCP 26; a tag of 4 bytes with PCP 3; the CNP has those of its own priority.
TEST_F(FrameMakerTest, FramesCarryTheMarksOfTheirPriority)
{
    FrameMaker::Style style{.isTagged = true};
    style.marks[3] = {.dscp = 26, .pcp = 3};
    style.marks[6] = {.dscp = 48, .pcp = 6};
    FrameMaker maker{m_ledger, style};
    const Frame* frame = maker.MakeAcknowledge(m_pair, Psn{1}, {});
    EXPECT_EQ(frame->priority, 3);
    EXPECT_EQ(frame->mark.dscp, 26);
    EXPECT_EQ(frame->mark.pcp, 3);
    EXPECT_EQ(frame->frameBytes, 66 + 4);
    const Frame* cnp = maker.MakeNotification(m_pair, 6);
    EXPECT_EQ(cnp->mark.dscp, 48);
    EXPECT_EQ(cnp->mark.pcp, 6);
    EXPECT_EQ(cnp->frameBytes, 78 + 4);
}

} // namespace
} // namespace ns3::rdma
