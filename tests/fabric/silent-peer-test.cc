// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/frame-log.h"
#include "tests/support/measured-rows.h"
#include "tests/support/verbs-bench.h"
#include "verbs/bring-up.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

/** 4.096 us x 2^14. @verifies IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
constexpr SimTime PERIOD{67'108'864'000};

/** A WRITE of 10 bytes: 62 + 16 of RETH + 12 with pad, and 8 of preamble, at 80 ps a byte. */
constexpr SimTime SHORT_WRITE{(8 + 62 + 16 + 12) * 80};

Scenario
MakeScenario(const std::string& policy)
{
    Scenario scenario =
        MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
    scenario.transport.Set("Policy", StringValue(policy));
    return scenario;
}

/** Two interfaces, the second of which hears what its injector lets through. */
class SilentPeer
{
  public:
    explicit SilentPeer(const std::string& policy = "standard")
        : bench{MakeScenario(policy)},
          injector{bench.run.GetFabric().GetLedger()}
    {
        bench.a.GetDevice().GetPort().AddTap(log);
        bench.b.GetDevice().GetPort().SetFaultInjector(&injector);
    }

    /** A request of 10 bytes from a. */
    Qpn Write(uint8_t timeout, uint8_t retryCount)
    {
        QueuePairAttributes attributes = VerbsBench::MakeAttributes();
        attributes.timeout = timeout;
        attributes.retryCount = retryCount;
        const Qpn qpn = bench.Connect(attributes).a;
        EXPECT_TRUE(bench.a.Post(qpn, {.wrId = 1, .rkey = bench.b.GetKey()}, 10).IsOk());
        return qpn;
    }

    VerbsBench bench;
    FaultInjector injector;
    FrameLog log;
};

WorkCompletion
RetryExceeded(Qpn qpn)
{
    return {.wrId = 1, .status = CompletionStatus::RETRY_EXC_ERR, .qpn = qpn};
}

// timeout 14, retry_cnt 7: eight transmissions, a period apart, and status 12 one period after the
// last: 8 x 67.108864 ms = 536.870912 ms, counted from when the packet has left.
TEST(SilentPeer, FailsAfterOnePeriodMoreThanRetries)
{
    SilentPeer peer;
    peer.injector.AddRule({});
    const Qpn qpn = peer.Write(14, 7);
    peer.bench.Run();
    const std::vector<LoggedFrame> sent = peer.log.Sent();
    ASSERT_EQ(sent.size(), 8U);
    for (std::size_t i = 1; i < sent.size(); ++i)
    {
        EXPECT_GE((sent[i].time - sent[i - 1].time).ps, PERIOD.ps);
        EXPECT_LE((sent[i].time - sent[i - 1].time).ps, (PERIOD + SHORT_WRITE).ps);
    }
    EXPECT_THAT(peer.bench.a.GetCompletions(), ElementsAre(RetryExceeded(qpn)));
    EXPECT_EQ(static_cast<int>(CompletionStatus::RETRY_EXC_ERR), 12);
    EXPECT_GE(peer.bench.a.completions[0].time.ps, 8 * PERIOD.ps);
    EXPECT_LE(peer.bench.a.completions[0].time.ps, 8 * (PERIOD + SHORT_WRITE).ps);
    EXPECT_EQ(peer.bench.a.GetDevice().GetStatistics(qpn).timeouts, 8U);
}

// timeout 0 never expires: the request is sent once, and nothing happens any more.
TEST(SilentPeer, TimeoutZeroWaitsForEver)
{
    SilentPeer peer;
    peer.injector.AddRule({});
    peer.Write(0, 7);
    peer.bench.Run();
    EXPECT_EQ(peer.log.Sent().size(), 1U);
    EXPECT_TRUE(peer.bench.a.completions.empty());
}

// The loss of a message's last packet is seen by nobody but the timer, one period later.
TEST(SilentPeer, TailLossCostsOnePeriod)
{
    SilentPeer peer;
    peer.injector.AddRule({.match = {.opcodes = {Opcode::RC_RDMA_WRITE_ONLY}}, .which = {1}});
    const Qpn qpn = peer.Write(14, 7);
    peer.bench.Run();
    ASSERT_EQ(peer.bench.a.completions.size(), 1U);
    EXPECT_EQ(peer.bench.a.completions[0].completion.status, CompletionStatus::SUCCESS);
    EXPECT_GE(peer.bench.a.completions[0].time, PERIOD);
    // Two cables, both transmissions and the acknowledgement: less than 2.1 us.
    EXPECT_LE(peer.bench.a.completions[0].time.ps, PERIOD.ps + 2'100'000);
    EXPECT_EQ(peer.log.Sent().size(), 2U);
    EXPECT_EQ(peer.bench.a.GetDevice().GetStatistics(qpn).timeouts, 1U);
}

// One of two destinations is a black hole: its request fails with status 12, and the queue pair to
// the other destination loses nothing and waits for nothing.
TEST(SilentPeer, OtherQueuePairsDoNotSuffer)
{
    const Scenario scenario =
        MakeTestScenario(MakeStar(3, BitRate::Gbps(100), SimTime::Microseconds(1)));
    VerbsBench bench{scenario};
    Rnic& third = *bench.run.GetFabric().GetInterfaces()[2];
    VerbsApplication other{third};
    FaultInjector injector{bench.run.GetFabric().GetLedger()};
    injector.AddRule({});
    bench.b.GetDevice().GetPort().SetFaultInjector(&injector);

    const Qpn lost = bench.Connect().a;
    const Qpn good = bench.a.CreateQueuePair();
    const Qpn sink = other.CreateQueuePair();
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.address.destination = 2;
    attributes.destinationQp = sink;
    ASSERT_FALSE(BringToReadyToSend(bench.a.GetDevice(), good, attributes, {}));
    attributes.address.destination = 0;
    attributes.destinationQp = good;
    ASSERT_FALSE(BringToReadyToSend(third, sink, attributes, {}));
    ASSERT_TRUE(bench.a.Post(lost, {.wrId = 1, .rkey = bench.b.GetKey()}, 10).IsOk());
    constexpr uint32_t MESSAGE = 1 << 20;
    for (uint64_t wrId = 2; wrId < 12; ++wrId)
    {
        ASSERT_TRUE(bench.a.Post(good, {.wrId = wrId, .rkey = other.GetKey()}, MESSAGE).IsOk());
    }
    bench.Run();
    ASSERT_EQ(bench.a.completions.size(), 11U);
    for (uint64_t i = 0; i < 10; ++i)
    {
        EXPECT_EQ(bench.a.completions[i].completion,
                  (WorkCompletion{.wrId = i + 2,
                                  .qpn = good,
                                  .byteLength = MESSAGE,
                                  .opcode = CompletionOpcode::RDMA_WRITE}));
    }
    // 10 x 1024 packets of 1106 bytes at 80 ps: 0.906 ms; the first timeout comes long after.
    EXPECT_LT(bench.a.completions[9].time, SimTime::Milliseconds(1));
    EXPECT_EQ(bench.a.completions[10].completion, RetryExceeded(lost));
    EXPECT_EQ(bench.a.GetDevice().GetStatistics(good).packetsRetransmitted, 0U);
    EXPECT_EQ(bench.a.GetDevice().GetStatistics(good).timeouts, 0U);
}

// ------------------------------------------------------------------ ConnectX-6 as measured

// Each row with the firmware's floor: the time of failure within the row's extremes and 5 %, and
// the packets of this queue pair that a capture would show.
TEST(SilentPeer, ConnectXGivesUpWhenTheMeasuredOneDid)
{
    int rows = 0;
    for (const MeasuredRow& row : ReadRetransmitRows())
    {
        if (row.Text("min_ack_timeout_floor") != "on")
        {
            continue;
        }
        ++rows;
        SilentPeer peer{"connectx"};
        peer.injector.AddRule({});
        const Qpn qpn = peer.Write(static_cast<uint8_t>(row.Number("qp_timeout_T")),
                                   static_cast<uint8_t>(row.Number("retry_cnt_R")));
        peer.bench.Run();
        const std::string name = "T " + row.Text("qp_timeout_T") + " R " + row.Text("retry_cnt_R");
        ASSERT_THAT(peer.bench.a.GetCompletions(), ElementsAre(RetryExceeded(qpn))) << name;
        const double milliseconds = peer.bench.a.completions[0].time.ToSeconds() * 1000;
        EXPECT_GE(milliseconds, 0.95 * row.Number("retry_exhaust_min_ms")) << name;
        EXPECT_LE(milliseconds, 1.05 * row.Number("retry_exhaust_max_ms")) << name;
        EXPECT_GE(peer.log.Sent().size(), row.Number("own_transmissions_min")) << name;
        EXPECT_LE(peer.log.Sent().size(), row.Number("own_transmissions_max")) << name;
    }
    EXPECT_EQ(rows, 10);
}

// With the floor switched off, transmissions are retry_cnt + 1 as measured. When the first expiry
// comes varies from run to run by 0.65 of a period (first_regular_timeout_ms of the rows), and so
// does the end; a tick of 0.388 ms comes on top.
TEST(SilentPeer, ConnectXWithoutItsFloorSendsAsOftenAsMeasured)
{
    constexpr double TICK_MS = 0.388;
    int rows = 0;
    for (const MeasuredRow& row : ReadRetransmitRows())
    {
        if (row.Text("min_ack_timeout_floor") != "off")
        {
            continue;
        }
        ++rows;
        SilentPeer peer{"connectx-no-floor"};
        peer.injector.AddRule({});
        peer.Write(static_cast<uint8_t>(row.Number("qp_timeout_T")),
                   static_cast<uint8_t>(row.Number("retry_cnt_R")));
        peer.bench.Run();
        const std::string name = "T " + row.Text("qp_timeout_T") + " R " + row.Text("retry_cnt_R");
        ASSERT_EQ(peer.bench.a.completions.size(), 1U) << name;
        EXPECT_EQ(peer.log.Sent().size(), row.Number("own_transmissions_min")) << name;
        EXPECT_NEAR(peer.bench.a.completions[0].time.ToSeconds() * 1000,
                    row.Number("retry_exhaust_median_ms"),
                    0.65 * row.Number("nominal_ms") + TICK_MS)
            << name;
    }
    EXPECT_EQ(rows, 11);
}

} // namespace
} // namespace ns3::rdma
