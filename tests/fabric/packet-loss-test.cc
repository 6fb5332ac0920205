// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/frame-log.h"
#include "tests/support/verbs-bench.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

constexpr uint32_t MTU = 1024;
constexpr uint32_t PACKETS = 10;
constexpr Psn FIFTH{4};

/** One WRITE of ten packets over a cable of 2 us there and back, which eats some of them. */
class PacketLoss : public testing::Test
{
  protected:
    PacketLoss() : m_injector{m_bench.run.GetFabric().GetLedger()}
    {
        m_bench.a.GetDevice().GetPort().AddTap(m_log);
        m_bench.b.GetDevice().GetPort().SetFaultInjector(&m_injector);
    }

    void WriteAndRun()
    {
        m_qpn = m_bench.Connect().a;
        ASSERT_TRUE(
            m_bench.a.Post(m_qpn, {.wrId = 1, .rkey = m_bench.b.GetKey()}, PACKETS * MTU).IsOk());
        m_bench.Run();
        EXPECT_THAT(m_bench.a.GetCompletions(),
                    ElementsAre(WorkCompletion{.wrId = 1,
                                               .qpn = m_qpn,
                                               .byteLength = PACKETS * MTU,
                                               .opcode = CompletionOpcode::RDMA_WRITE}));
        EXPECT_THAT(m_bench.b.delivered, ElementsAre(PACKETS * MTU));
    }

    const QueuePairStatistics& Statistics()
    {
        return m_bench.a.GetDevice().GetStatistics(m_qpn);
    }

    VerbsBench m_bench;
    FaultInjector m_injector;
    FrameLog m_log;
    Qpn m_qpn{};
};

// The fifth packet is lost once. One NAK with its PSN; it comes back when all ten have been sent
// (10 x 88.48 ns are less than 2 us); the five behind the gap are discarded in silence; go-back-N
// sends six again: 10 + 6 = 16. @verifies IBTA Vol 1 Rel 1.7 section 9.7.5.2.8
TEST_F(PacketLoss, OneGapDrawsOneNak)
{
    m_injector.AddRule({.match = {.psns = {FIFTH}}, .which = {1}});
    WriteAndRun();
    const std::vector<LoggedFrame> naks = m_log.Received(SYNDROME_TYPE_NAK);
    ASSERT_EQ(naks.size(), 1U);
    EXPECT_EQ(naks[0].syndrome, SYNDROME_NAK_SEQUENCE);
    EXPECT_EQ(naks[0].psn, FIFTH);

    const std::vector<LoggedFrame> sent = m_log.Sent();
    ASSERT_EQ(sent.size(), 16U);
    EXPECT_LT(sent[9].time, naks[0].time);
    for (uint32_t i = 0; i < 6; ++i)
    {
        EXPECT_EQ(sent[PACKETS + i].psn, Psn{4 + i});
        EXPECT_GT(sent[PACKETS + i].time, naks[0].time);
    }
    EXPECT_EQ(m_bench.run.CountDropped(DropReason::OUT_OF_SEQUENCE), 5U);
    EXPECT_EQ(Statistics().packetsRetransmitted, 6U);
    EXPECT_EQ(Statistics().naksReceived, 1U);
    EXPECT_EQ(Statistics().timeouts, 0U);
}

// The same packet is lost a second time. The responder has sent its NAK and sends no other until it
// has received what it waits for; the timeout repairs it: 10 + 6 + 6 packets.
TEST_F(PacketLoss, SecondLossOfTheSamePacketIsFoundByTheTimeout)
{
    m_injector.AddRule({.match = {.psns = {FIFTH}}, .which = {1, 2}});
    WriteAndRun();
    EXPECT_EQ(m_log.Received(SYNDROME_TYPE_NAK).size(), 1U);
    EXPECT_EQ(m_log.Sent().size(), 22U);
    EXPECT_EQ(m_log.Sent(FIFTH).size(), 3U);
    EXPECT_EQ(Statistics().naksReceived, 1U);
    EXPECT_EQ(Statistics().timeouts, 1U);
    EXPECT_GT(m_bench.a.completions[0].time, SimTime::Nanoseconds(4096 << 14));
}

// Two gaps one after another: the second NAK is sent only after the first gap is closed.
TEST_F(PacketLoss, OnlyOneNakIsOnItsWay)
{
    m_injector.AddRule({.match = {.psns = {Psn{2}}}, .which = {1}});
    m_injector.AddRule({.match = {.psns = {Psn{6}}}, .which = {2}});
    WriteAndRun();
    const std::vector<LoggedFrame> naks = m_log.Received(SYNDROME_TYPE_NAK);
    ASSERT_EQ(naks.size(), 2U);
    EXPECT_EQ(naks[0].psn, Psn{2});
    EXPECT_EQ(naks[1].psn, Psn{6});
    // 10, then from 2 on 8, then from 6 on 4.
    EXPECT_EQ(m_log.Sent().size(), 22U);
    EXPECT_GT(naks[1].time, m_log.Sent(Psn{2})[1].time);
}

// A damaged packet is discarded by its ICRC, and what follows is what follows a loss.
TEST_F(PacketLoss, DamageIsLikeLoss)
{
    m_injector.AddRule(
        {.match = {.psns = {FIFTH}}, .which = {1}, .action = FaultAction::CORRUPT_PAYLOAD});
    WriteAndRun();
    EXPECT_EQ(m_bench.run.CountDropped(DropReason::BAD_ICRC), 1U);
    EXPECT_EQ(m_log.Sent().size(), 16U);
    EXPECT_EQ(m_log.Received(SYNDROME_TYPE_NAK).size(), 1U);
}

// A duplicate is acknowledged again and not executed: the message is delivered once.
TEST_F(PacketLoss, DuplicateIsDeliveredOnce)
{
    m_injector.AddRule({.match = {.psns = {FIFTH}}, .action = FaultAction::DUPLICATE});
    WriteAndRun();
    EXPECT_EQ(m_bench.run.CountDropped(DropReason::DUPLICATE), 1U);
    EXPECT_EQ(m_log.Sent().size(), PACKETS);
}

// One packet is overtaken by two: a gap to the responder, and a repeat of all from it on, of which
// the late one makes the first a duplicate.
TEST_F(PacketLoss, ReorderingCostsARepeat)
{
    m_injector.AddRule(
        {.match = {.psns = {FIFTH}}, .which = {1}, .action = FaultAction::DELAY, .delayFrames = 2});
    WriteAndRun();
    EXPECT_EQ(m_log.Received(SYNDROME_TYPE_NAK).front().psn, FIFTH);
    EXPECT_GT(m_log.Sent().size(), PACKETS);
    EXPECT_EQ(Statistics().timeouts, 0U);
}

// ------------------------------------------------------------------- a transfer alone

// A WRITE of 1 MiB with its bytes, MTU 1024, over two cables of 100 Gb/s and 1 us and a switch that
// stores and forwards. The first packet has 1102 bytes, the others 1086; 8 of preamble and 12 of
// gap each: 1 132 560 bytes on the wire at 80 ps. The first one's 16 bytes more are waited for at
// the switch as well. 92 692.64 ns to the last bit at the receiver.
TEST(LoneTransfer, LastBitArrivesAtTheIdealTime)
{
    constexpr PathHop HOP{BitRate::Gbps(100), SimTime::Microseconds(1)};
    Scenario scenario = MakeTestScenario(MakePath({HOP, HOP}));
    scenario.transport.Set("Payload", StringValue("real"));
    VerbsBench bench{scenario};
    std::vector<std::byte> near(1 << 20);
    std::vector<std::byte> far(1 << 20);
    for (std::size_t i = 0; i < near.size(); ++i)
    {
        near[i] = static_cast<std::byte>(i * 7 + i / 256);
    }
    const MemoryRegion local = bench.a.AddMemory(0, near);
    const MemoryRegion remote = bench.b.AddMemory(0, far);
    FrameLog log;
    bench.b.GetDevice().GetPort().AddTap(log);
    const ConnectedPair pair = bench.Connect();
    const ScatterGatherElement element{0, 1 << 20, local.lkey};
    const SendRequest request{.wrId = 1, .sgList = {&element, 1}, .rkey = remote.rkey};
    ASSERT_TRUE(bench.a.GetDevice().PostSend(pair.a, {&request, 1}, {}).IsOk());
    bench.Run();
    SimTime last{};
    for (const LoggedFrame& frame : log.frames)
    {
        last = frame.opcode == Opcode::RC_RDMA_WRITE_LAST ? frame.time : last;
    }
    EXPECT_EQ(last.ps, 92'692'640U);
    EXPECT_EQ(near, far);
}

} // namespace
} // namespace ns3::rdma
