// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/frame-log.h"
#include "tests/support/verbs-bench.h"
#include "verbs/bring-up.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint32_t NO_SUCH_KEY = 0xdead;

/** Requests of b's memory, by frames at a's port and completions. */
class MessageLength : public testing::Test
{
  protected:
    MessageLength()
    {
        m_bench.a.GetDevice().GetPort().AddTap(m_log);
        m_pair = m_bench.Connect();
    }

    void Post(SendRequest request, uint32_t bytes)
    {
        request.wrId = 1;
        ASSERT_TRUE(m_bench.a.Post(m_pair.a, request, bytes).IsOk());
        m_bench.Run();
    }

    /** Opcodes that a sent, or that came back to it. */
    std::vector<Opcode> Opcodes(FrameDirection direction) const
    {
        std::vector<Opcode> opcodes;
        for (const LoggedFrame& frame : m_log.frames)
        {
            if (frame.direction == direction)
            {
                opcodes.push_back(frame.opcode);
            }
        }
        return opcodes;
    }

    WorkCompletion Done(CompletionOpcode opcode, uint32_t bytes) const
    {
        return {.wrId = 1, .qpn = m_pair.a, .byteLength = bytes, .opcode = opcode};
    }

    /** The PSN of the request that comes next: one more for each packet. */
    Psn NextPsn()
    {
        return m_bench.a.GetDevice().QueryQueuePair(m_pair.a).attributes.sendPsn;
    }

    VerbsBench m_bench;
    FrameLog m_log;
    ConnectedPair m_pair{};
};

// ------------------------------------------------------------------------ zero length

// A WRITE of nothing: one packet, one PSN, one completion. The R_Key is not looked at.
// @verifies IBTA Vol 1 Rel 1.7 section 9.7.4.1.5 (zero-length RDMA: no key check)
TEST_F(MessageLength, WriteOfNothingIsOnePacketAndNeedsNoKey)
{
    Post({.remoteAddress = 0x1234, .rkey = NO_SUCH_KEY}, 0);
    EXPECT_THAT(Opcodes(FrameDirection::OUT), ElementsAre(Opcode::RC_RDMA_WRITE_ONLY));
    EXPECT_EQ(NextPsn(), Psn{1});
    EXPECT_THAT(m_bench.a.GetCompletions(), ElementsAre(Done(CompletionOpcode::RDMA_WRITE, 0)));
    EXPECT_TRUE(m_bench.b.completions.empty());
}

// One byte with the same key draws REM_ACCESS_ERR: the exception is for zero only.
TEST_F(MessageLength, WriteOfOneByteNeedsTheKey)
{
    Post({.remoteAddress = 0x1234, .rkey = NO_SUCH_KEY}, 1);
    EXPECT_THAT(m_bench.a.GetCompletions(),
                ElementsAre(WorkCompletion{
                    .wrId = 1, .status = CompletionStatus::REM_ACCESS_ERR, .qpn = m_pair.a}));
}

// A WRITE of nothing with an immediate uses up one receive request: byte_len 0, flag IMM.
TEST_F(MessageLength, WriteOfNothingWithImmediateConsumesAReceive)
{
    ASSERT_TRUE(m_bench.b.Receive(m_pair.b, 50, 100).IsOk());
    ASSERT_TRUE(m_bench.b.Receive(m_pair.b, 51, 100).IsOk());
    Post({.opcode = SendOpcode::RDMA_WRITE_WITH_IMM, .immediate = 9, .rkey = NO_SUCH_KEY}, 0);
    EXPECT_THAT(Opcodes(FrameDirection::OUT),
                ElementsAre(Opcode::RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE));
    EXPECT_THAT(m_bench.b.GetCompletions(),
                ElementsAre(WorkCompletion{.wrId = 50,
                                           .qpn = m_pair.b,
                                           .opcode = CompletionOpcode::RECV_RDMA_WITH_IMM,
                                           .flags = WC_WITH_IMM,
                                           .immediate = 9}));
    EXPECT_EQ(NextPsn(), Psn{1});
}

TEST_F(MessageLength, SendOfNothingConsumesAReceive)
{
    ASSERT_TRUE(m_bench.b.Receive(m_pair.b, 50, 100).IsOk());
    Post({.opcode = SendOpcode::SEND}, 0);
    EXPECT_THAT(Opcodes(FrameDirection::OUT), ElementsAre(Opcode::RC_SEND_ONLY));
    EXPECT_THAT(
        m_bench.b.GetCompletions(),
        ElementsAre(WorkCompletion{
            .wrId = 50, .qpn = m_pair.b, .byteLength = 0, .opcode = CompletionOpcode::RECV}));
    EXPECT_EQ(NextPsn(), Psn{1});
}

// A READ of nothing: one response packet and one PSN.
TEST_F(MessageLength, ReadOfNothingHasOneResponse)
{
    Post({.opcode = SendOpcode::RDMA_READ, .rkey = NO_SUCH_KEY}, 0);
    EXPECT_THAT(Opcodes(FrameDirection::OUT), ElementsAre(Opcode::RC_RDMA_READ_REQUEST));
    EXPECT_THAT(Opcodes(FrameDirection::IN), ElementsAre(Opcode::RC_RDMA_READ_RESPONSE_ONLY));
    EXPECT_EQ(NextPsn(), Psn{1});
    EXPECT_THAT(m_bench.a.GetCompletions(), ElementsAre(Done(CompletionOpcode::RDMA_READ, 0)));
}

// ------------------------------------------------------------------------- whole packets

// ceil(bytes / MTU) packets: one less, exactly, and one more than one and two path MTUs.
TEST_F(MessageLength, PacketsAroundThePathMtu)
{
    Psn before = NextPsn();
    for (const auto& [bytes, packets] : std::vector<std::pair<uint32_t, uint32_t>>{
             {1, 1}, {1023, 1}, {1024, 1}, {1025, 2}, {2047, 2}, {2048, 2}, {2049, 3}})
    {
        Post({.rkey = m_bench.b.GetKey()}, bytes);
        Post({.opcode = SendOpcode::RDMA_READ, .rkey = m_bench.b.GetKey()}, bytes);
        EXPECT_EQ(NextPsn(), before.Plus(2 * packets)) << bytes;
        before = NextPsn();
    }
    EXPECT_EQ(m_bench.b.delivered.size(), 7U);
}

// A message of 2^31 bytes is 2^19 packets of 4096: it arrives whole and counts them all.
// @verifies IBTA Vol 1 Rel 1.7 section 9.7.2
TEST(LongestMessage, ArrivesWhole)
{
    VerbsBench bench;
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.pathMtu = 4096;
    const Qpn qpn = bench.Connect(attributes).a;
    constexpr uint32_t BYTES = 1U << 31;
    ASSERT_TRUE(bench.a.Post(qpn, {.wrId = 1, .rkey = bench.b.GetKey()}, BYTES).IsOk());
    bench.Run();
    EXPECT_THAT(bench.b.delivered, ElementsAre(BYTES));
    EXPECT_EQ(bench.a.GetDevice().GetStatistics(qpn).packetsSent, BYTES / 4096);
    ASSERT_EQ(bench.a.completions.size(), 1U);
    EXPECT_EQ(bench.a.completions[0].completion.byteLength, BYTES);
}

// ------------------------------------------------------------------------------ loopback

/** Two queue pairs of one interface. */
ConnectedPair
ConnectToItself(VerbsApplication& application)
{
    const ConnectedPair pair{application.CreateQueuePair(), application.CreateQueuePair()};
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.destinationQp = pair.b;
    EXPECT_FALSE(BringToReadyToSend(application.GetDevice(), pair.a, attributes, {}));
    attributes.destinationQp = pair.a;
    EXPECT_FALSE(BringToReadyToSend(application.GetDevice(), pair.b, attributes, {}));
    return pair;
}

// WRITE_WITH_IMM to oneself uses up a receive request, as anywhere; completions of both ends come
// in their order, and no frame is on the wire.
TEST(Loopback, WriteWithImmediateConsumesAReceive)
{
    VerbsBench bench;
    const ConnectedPair pair = ConnectToItself(bench.a);
    for (uint64_t wrId = 50; wrId < 53; ++wrId)
    {
        ASSERT_TRUE(bench.a.Receive(pair.b, wrId, 100).IsOk());
    }
    for (uint32_t i = 0; i < 3; ++i)
    {
        const SendRequest request{.wrId = i,
                                  .opcode = SendOpcode::RDMA_WRITE_WITH_IMM,
                                  .immediate = 7 + i,
                                  .rkey = bench.a.GetKey()};
        ASSERT_TRUE(bench.a.Post(pair.a, request, 5000).IsOk());
    }
    bench.Run();
    std::vector<uint64_t> sent;
    std::vector<uint64_t> received;
    for (const WorkCompletion& completion : bench.a.GetCompletions())
    {
        EXPECT_EQ(completion.status, CompletionStatus::SUCCESS);
        (completion.qpn == pair.a ? sent : received).push_back(completion.wrId);
    }
    EXPECT_THAT(sent, ElementsAre(0, 1, 2));
    EXPECT_THAT(received, ElementsAre(50, 51, 52));
    EXPECT_EQ(bench.a.GetDevice().GetPort().GetCounters().frames, 0U);
}

} // namespace
} // namespace ns3::rdma
