// SPDX-License-Identifier: GPL-2.0-only
#include "tests/stack/stack-bench.h"

#include "ns3/string.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::HasSubstr;

/** Of a wire: 1448 bytes of each 1500, with 14 + 4 around those, 8 before and 12 behind. */
constexpr double LIMIT_SHARE = 1448.0 / 1538.0;

Scenario
MakeCable()
{
    return MakeTestScenario(MakePath({{BitRate::Gbps(100), SimTime::Microseconds(1)}}));
}

/** Two hosts send to a third through a switch with little room. */
Scenario
MakeNarrow()
{
    Scenario scenario = MakeTestScenario(MakeStar(3, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.buffer.Set("Size", StringValue{"300KB"});
    return scenario;
}

constexpr const char* TWO_TO_ONE = "h1 h2";

TEST(TcpWorkload, FillsACable)
{
    StackBench bench{MakeCable()};
    bench.Add("TcpWorkload", {{"Bytes", "20MB"}});
    bench.RunToEnd();
    const auto row = bench.GetRows().at(0);
    EXPECT_EQ(row.at("status"), "finished");
    EXPECT_EQ(row.at("received_bytes"), "20000000");
    EXPECT_EQ(row.at("segments"), "13813"); // 20e6 / 1448, rounded up
    EXPECT_EQ(row.at("retransmissions"), "0");
    EXPECT_EQ(row.at("wrong_bytes"), "0");
    EXPECT_LT(std::stod(row.at("goodput_bps")), LIMIT_SHARE * 100e9);
    EXPECT_GT(std::stod(row.at("goodput_bps")), 0.995 * LIMIT_SHARE * 100e9);
    bench.GetRun().ExpectInvariants();
}

TEST(TcpWorkload, HandshakeTakesARoundTrip)
{
    StackBench bench{MakeCable()};
    bench.Add("TcpWorkload", {{"Bytes", "1B"}, {"Start", "5us"}});
    bench.RunToEnd();
    const auto row = bench.GetRows().at(0);
    // SYN and SYN+ACK: 20 bytes of TCP and at most 40 of options, in frames of 64 to 98 bytes and 8
    // before, 80 ps each; the cable twice.
    EXPECT_EQ(row.at("start_ns"), "5000.000");
    const double connected = std::stod(row.at("connected_ns")) - 5000;
    EXPECT_GE(connected, 2000 + 2 * 72 * 0.08);
    EXPECT_LE(connected, 2000 + 2 * 106 * 0.08);
}

TEST(TcpWorkload, LossIsRepaired)
{
    StackBench bench{MakeNarrow()};
    bench.Add(
        "TcpWorkload",
        {{"Sources", TWO_TO_ONE}, {"Destinations", "h0"}, {"Bytes", "10MB"}, {"MinRto", "1ms"}});
    bench.RunToEnd();
    EXPECT_GT(bench.GetRun().CountDropped(DropReason::EGRESS_THRESHOLD) +
                  bench.GetRun().CountDropped(DropReason::BUFFER_FULL),
              0U);
    EXPECT_GE(bench.Sum("retransmissions"), double(bench.GetRun().CountDropped()));
    EXPECT_EQ(bench.Sum("received_bytes"), 20e6);
    EXPECT_EQ(bench.Sum("wrong_bytes"), 0);
    EXPECT_TRUE(bench.GetApplications().HasEndedAll());
    EXPECT_EQ(bench.GetApplications().GetOutcomes().at(0).failure, "");
}

TEST(TcpWorkload, DctcpIsSlowedByMarksBeforeAnythingIsLost)
{
    Scenario scenario = MakeNarrow();
    scenario.buffer.Set("Size", StringValue{"2MB"}); // room for what starts before any mark
    scenario.marker.SetTypeId("ns3::rdma::StepMarker");
    scenario.marker.Set("Threshold", StringValue{"50KB"});
    StackBench bench{scenario};
    bench.Add("TcpWorkload",
              {{"Sources", TWO_TO_ONE},
               {"Destinations", "h0"},
               {"Bytes", "10MB"},
               {"Congestion", "dctcp"}});
    bench.RunToEnd();
    EXPECT_EQ(bench.GetRun().CountDropped(), 0U);
    EXPECT_EQ(bench.Sum("retransmissions"), 0);
    EXPECT_GT(bench.GetRun().CountMarked(), 100U);
    // All marks reach the receiver, in headers whose checksums fit: else they would be lost there.
    EXPECT_EQ(bench.GetRun().GetFabric().GetInterfaces()[0]->GetCounters().ceArrivals,
              bench.GetRun().CountMarked());
    // The port stays full: 20 MB and their headers at the rate of the link, and a start.
    EXPECT_GT(bench.Sum("goodput_bps"), 0.9 * LIMIT_SHARE * 100e9);
}

TEST(TcpWorkload, WithoutEcnNothingIsMarked)
{
    Scenario scenario = MakeNarrow();
    scenario.marker.SetTypeId("ns3::rdma::StepMarker");
    scenario.marker.Set("Threshold", StringValue{"50KB"});
    StackBench bench{scenario};
    bench.Add(
        "TcpWorkload",
        {{"Sources", TWO_TO_ONE}, {"Destinations", "h0"}, {"Bytes", "2MB"}, {"MinRto", "1ms"}});
    bench.RunToEnd();
    EXPECT_EQ(bench.GetRun().CountMarked(), 0U);
}

TEST(TcpWorkload, ChecksumsFindWhatACableHasDamaged)
{
    StackBench bench{MakeCable()};
    bench.Add("TcpWorkload", {{"Bytes", "2MB"}, {"MinRto", "1ms"}});
    bench.Build();
    FaultInjector injector{bench.GetRun().GetFabric().GetLedger()};
    injector.AddRule(
        {.match = {.minPayloadBytes = 1000}, .every = 100, .action = FaultAction::CORRUPT_PAYLOAD});
    bench.GetRun().FindLink("h1", "h0").port->SetFaultInjector(&injector);
    bench.RunToEnd();
    // 1382 segments with data, and what is sent again.
    EXPECT_GE(bench.Sum("retransmissions"), 13);
    EXPECT_EQ(bench.Sum("received_bytes"), 2e6);
    EXPECT_EQ(bench.Sum("wrong_bytes"), 0);
}

TEST(TcpWorkload, GoesOnWhenACableReturns)
{
    StackBench bench{MakeCable()};
    bench.Add("TcpWorkload", {{"Bytes", "5MB"}, {"MinRto", "1ms"}});
    bench.Build();
    bench.RunUntil(SimTime::Microseconds(200));
    const auto setUp = [&bench](bool isUp)
    {
        for (const auto& [from, to] : {std::pair{"h0", "h1"}, std::pair{"h1", "h0"}})
        {
            bench.GetRun().FindLink(from, to).port->SetLinkUp(isUp, bench.Now());
        }
    };
    setUp(false);
    bench.RunUntil(SimTime::Microseconds(500));
    setUp(true);
    bench.RunToEnd();
    EXPECT_EQ(bench.Sum("received_bytes"), 5e6);
    EXPECT_EQ(bench.Sum("wrong_bytes"), 0);
    EXPECT_GT(bench.Sum("retransmissions"), 0);
    // 0.43 ms of transfer, an outage, a timeout of 1 ms and slow start; an acknowledgement that
    // came later than the timeout would cost a timeout for each segment that was lost.
    EXPECT_LT(bench.Now(), SimTime::Milliseconds(20));
}

TEST(TcpWorkload, ADeadPeerIsAFailure)
{
    StackBench bench{MakeCable()};
    bench.Add("TcpWorkload", {{"Bytes", "2MB"}});
    bench.Build();
    FaultInjector injector{bench.GetRun().GetFabric().GetLedger()};
    injector.AddRule({.action = FaultAction::DROP});
    bench.GetRun().FindLink("h1", "h0").port->SetFaultInjector(&injector);
    bench.RunToEnd();
    const ApplicationOutcome outcome = bench.GetApplications().GetOutcomes().at(0);
    EXPECT_TRUE(outcome.hasEnded);
    EXPECT_EQ(outcome.failure, "h0 to h1: it cannot connect");
}

TEST(TcpWorkload, ManyConnectionsShare)
{
    StackBench bench{MakeCable()};
    bench.Add("TcpWorkload", {{"Bytes", "1MB"}, {"Connections", "4"}});
    bench.Add("TcpWorkload", {{"Bytes", "1MB"}, {"Priority", "5"}, {"Tag", "high"}});
    bench.RunToEnd();
    const auto rows = bench.GetRows();
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(bench.Sum("received_bytes"), 5e6);
    // The higher class does not wait for the others.
    EXPECT_EQ(rows[4].at("tag"), "high");
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_LT(std::stod(rows[4].at("end_ns")), std::stod(rows[i].at("end_ns")));
    }
}

/** What Check says of attributes on two hosts and a switch. */
std::string
Check(const Texts& attributes)
{
    ObjectFactory factory{"ns3::rdma::TcpWorkload"};
    for (const auto& [name, value] : attributes)
    {
        factory.Set(name, StringValue{value});
    }
    return ToString(factory.Create<Application>()->Check(
        MakeStar(3, BitRate::Gbps(100), SimTime::Microseconds(1))));
}

TEST(TcpWorkload, SaysWhatIsWrong)
{
    EXPECT_EQ(Check({}), "");
    EXPECT_EQ(Check({{"Congestion", "LinuxReno"}}), "");
    EXPECT_EQ(Check({{"Congestion", "new-reno"}}), "");
    EXPECT_THAT(Check({{"Congestion", "cubik"}}),
                testing::AllOf(HasSubstr("unknown congestion control"), HasSubstr("'cubic'")));
    EXPECT_THAT(Check({{"Sources", "h7"}}), HasSubstr("sources"));
    EXPECT_THAT(Check({{"Sources", "h0 h1 h2"}, {"Destinations", "h0 h1"}}),
                HasSubstr("3 sources and 2 destinations"));
    EXPECT_THAT(Check({{"Sources", "h0"}, {"Destinations", "h0"}}), HasSubstr("h0"));
    EXPECT_THAT(Check({{"Sources", "h0 h1 h2"}}), HasSubstr("no host is left"));
}

} // namespace
} // namespace ns3::rdma
