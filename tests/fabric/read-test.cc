// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/verbs-bench.h"
#include "verbs/bring-up.h"

#include "ns3/simulator.h"
#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

SendRequest
ReadOf(uint64_t wrId, uint32_t rkey)
{
    return {.wrId = wrId, .opcode = SendOpcode::RDMA_READ, .rkey = rkey};
}

// A READ of ten packets over one cable of 1 us, 80 ps a byte. The request (BTH and RETH, 78 bytes)
// arrives after (8 + 78) x 80 ps + 1 us. Of the responses the first and the last carry an AETH:
// 20 + 1090, 8 x (20 + 1086), and 8 + 1090 without the last gap.
TEST(RdmaRead, TakesItsIdealTime)
{
    VerbsBench bench;
    const ConnectedPair pair = bench.Connect();
    ASSERT_TRUE(bench.a.Post(pair.a, ReadOf(1, bench.b.GetKey()), 10 * 1024).IsOk());
    bench.Run();
    ASSERT_EQ(bench.a.completions.size(), 1U);
    EXPECT_EQ(bench.a.completions[0].time.ps,
              (8U + 78) * 80 + 1'000'000 + (1110 + 8 * 1106 + 1098) * 80 + 1'000'000);
}

// The responder's limit paces its responses: each starts a packet's time at 10 Gb/s (800 ps a byte
// of the wire) after the one before.
TEST(RdmaRead, ResponsesArePacedAtTheResponder)
{
    VerbsBench bench;
    const ConnectedPair pair = bench.Connect();
    QueuePairAttributes attributes = bench.b.GetDevice().QueryQueuePair(pair.b).attributes;
    attributes.rateLimit = BitRate::Gbps(10);
    ASSERT_FALSE(bench.b.GetDevice().ModifyQueuePair(pair.b, attributes, QP_RATE_LIMIT, {}));
    ASSERT_TRUE(bench.a.Post(pair.a, ReadOf(1, bench.b.GetKey()), 10 * 1024).IsOk());
    bench.Run();
    ASSERT_EQ(bench.a.completions.size(), 1U);
    EXPECT_EQ(bench.a.completions[0].time.ps,
              (8U + 78) * 80 + 1'000'000 + (1110 + 8 * 1106) * 800 + 1098 * 80 + 1'000'000);
}

// Two responders answer READs of one host at once: the queue at its port is marked, the host
// notifies the responders, and they slow down. Nothing is sent again, and both end.
TEST(RdmaRead, NotificationsGoToTheResponders)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    VerbsBench bench{scenario};
    VerbsApplication third{*bench.run.GetFabric().GetInterfaces()[2]};
    const ConnectedPair first = bench.Connect();

    const Qpn reader = bench.a.CreateQueuePair();
    const Qpn second = third.CreateQueuePair();
    QueuePairAttributes attributes = VerbsBench::MakeAttributes();
    attributes.address.destination = 2;
    attributes.destinationQp = second;
    ASSERT_FALSE(BringToReadyToSend(bench.a.GetDevice(), reader, attributes, {}));
    attributes.address.destination = 0;
    attributes.destinationQp = reader;
    ASSERT_FALSE(BringToReadyToSend(third.GetDevice(), second, attributes, {}));

    constexpr uint32_t BYTES = 4 << 20;
    ASSERT_TRUE(bench.a.Post(first.a, ReadOf(1, bench.b.GetKey()), BYTES).IsOk());
    ASSERT_TRUE(bench.a.Post(reader, ReadOf(2, third.GetKey()), BYTES).IsOk());
    bench.Run();
    EXPECT_EQ(bench.a.completions.size(), 2U);
    EXPECT_GT(bench.run.CountMarked(), 0U);
    const auto statistics = [](VerbsApplication& application, Qpn qpn)
    { return application.GetDevice().GetStatistics(qpn); };
    EXPECT_EQ(statistics(bench.a, first.a).cnpsReceived, 0U);
    EXPECT_GT(statistics(bench.a, first.a).cnpsSent, 0U);
    EXPECT_EQ(statistics(bench.b, first.b).cnpsReceived, statistics(bench.a, first.a).cnpsSent);
    EXPECT_EQ(statistics(third, second).cnpsReceived, statistics(bench.a, reader).cnpsSent);
    EXPECT_LT(bench.b.GetDevice().GetSendRate(first.b, bench.a.completions[0].time), G100);
    EXPECT_EQ(bench.run.CountDropped(), 0U);
}

// Requests and responses of one queue pair share the wire, packet by packet.
TEST(RdmaRead, RequestsAndResponsesTakeTurns)
{
    VerbsBench bench;
    const ConnectedPair pair = bench.Connect();
    constexpr uint32_t BYTES = 1000 * 1024;
    ASSERT_TRUE(bench.a.Post(pair.a, ReadOf(1, bench.b.GetKey()), BYTES).IsOk());
    ASSERT_TRUE(bench.b.Post(pair.b, {.wrId = 2, .rkey = bench.a.GetKey()}, BYTES).IsOk());
    bench.Run();
    ASSERT_EQ(bench.a.completions.size(), 1U);
    ASSERT_EQ(bench.b.completions.size(), 1U);
    // Each has about half the rate until both are through: 2000 packets of 1106 bytes.
    const double both = 2000 * 1106 * 80;
    EXPECT_NEAR(static_cast<double>(bench.a.completions[0].time.ps), both, 0.03 * both);
    EXPECT_NEAR(static_cast<double>(bench.b.completions[0].time.ps), both, 0.03 * both);
}

} // namespace
} // namespace ns3::rdma
