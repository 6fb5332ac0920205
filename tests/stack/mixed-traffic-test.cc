// SPDX-License-Identifier: GPL-2.0-only
#include "tests/stack/stack-bench.h"
#include "wire/framing.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/** Counts the bytes on the wire that leave a port, of each side. */
class WireCounter : public FrameTap
{
  public:
    void OnFrame(FrameDirection direction, const Frame& frame, SimTime) override
    {
        if (direction == FrameDirection::OUT)
        {
            const uint64_t bytes = PREAMBLE_BYTES + frame.frameBytes + GAP_BYTES;
            (frame.kind == FrameKind::FOREIGN ? foreign : own) += bytes;
        }
    }

    uint64_t own{0};
    uint64_t foreign{0};
};

struct Weights
{
    const char* text;
    double ofRdma; ///< share of RDMA for each byte of TCP
};

class MixedShares : public testing::TestWithParam<Weights>
{
};

/** TCP from h1 in class 1 and RDMA from h2 in class 3, which is lossless, go to h0 without end. */
TEST_P(MixedShares, FollowTheWeightsOfThePort)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.buffer.Set("Size", StringValue{"1MB"});
    scenario.scheduler.SetTypeId("ns3::rdma::DwrrScheduler");
    scenario.scheduler.Set("Weights", StringValue{GetParam().text});
    scenario.flows = {MakeFlow(2, 0, 1'000'000'000)};
    WireCounter counter;
    StackBench bench{scenario};
    bench.Add("TcpWorkload",
              {{"Sources", "h1"},
               {"Destinations", "h0"},
               {"Bytes", "0B"},
               {"Connections", "4"},
               {"Priority", "1"},
               {"MinRto", "1ms"}});
    bench.Build();
    bench.GetRun().FindLink("s", "h0").port->AddTap(counter);
    bench.RunUntil(SimTime::Milliseconds(1)); // slow start is over
    const WireCounter before = counter;
    bench.RunUntil(SimTime::Milliseconds(4));
    const auto own = double(counter.own - before.own);
    const auto foreign = double(counter.foreign - before.foreign);

    // Deficit round robin shares frames without preamble and gap: 1086 bytes of 1106 of RDMA, 1518
    // of 1538 of TCP.
    const double expected = GetParam().ofRdma * (1106.0 / 1086.0) / (1538.0 / 1518.0);
    EXPECT_NEAR(own / foreign, expected, 0.02 * expected);
    EXPECT_NEAR(own + foreign, 3e-3 * 100e9 / 8, 0.001 * 3e-3 * 100e9 / 8); // the port is full
    // The class with PFC is paused, the other loses what finds no room.
    EXPECT_EQ(bench.GetRun().CountDropped(DropReason::HEADROOM_FULL), 0U);
    EXPECT_GT(bench.GetRun().CountPauses(), 0U);
    EXPECT_GT(bench.GetRun().CountDropped(DropReason::EGRESS_THRESHOLD) +
                  bench.GetRun().CountDropped(DropReason::BUFFER_FULL),
              0U);
    EXPECT_EQ(bench.GetRun().GetRunner().GetStatistics(0).packetsRetransmitted, 0U);
    EXPECT_EQ(bench.Sum("wrong_bytes"), 0);
}

INSTANTIATE_TEST_SUITE_P(Weights,
                         MixedShares,
                         testing::Values(Weights{"1 1 1 1 1 1 1 1", 1.0},
                                         Weights{"1 1 1 3 1 1 1 1", 3.0},
                                         Weights{"1 4 1 1 1 1 1 1", 0.25}));

/** TCP of two kinds, UDP and RDMA with DCQCN, drops and marks, on an engine; all results. */
std::vector<std::string>
Describe(const EngineChoice& engine, uint64_t seed)
{
    Scenario scenario =
        MakeTestScenario(MakeTwoSwitches({.leftHosts = 3, .rightHosts = 2, .trunks = 2}));
    scenario.seed = seed;
    scenario.engine = engine;
    scenario.buffer.Set("Size", StringValue{"600KB"});
    scenario.scheduler.SetTypeId("ns3::rdma::DwrrScheduler");
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.nic.Set("Weights", StringValue{"1 2 1 3 1 1 1 1"});
    for (uint32_t host = 0; host < 3; ++host)
    {
        scenario.flows.push_back(MakeFlow(host, 3, 500'000));
    }
    StackBench bench{scenario};
    bench.Add(
        "TcpWorkload",
        {{"Sources", "h0 h1 h2"}, {"Destinations", "h3"}, {"Bytes", "1MB"}, {"MinRto", "500us"}});
    bench.Add("TcpWorkload",
              {{"Sources", "h1"},
               {"Destinations", "h4"},
               {"Bytes", "1MB"},
               {"Priority", "1"},
               {"Congestion", "dctcp"}});
    bench.Add("UdpWorkload",
              {{"Sources", "h2"},
               {"Destinations", "h3"},
               {"Bytes", "1MB"},
               {"Rate", "40Gbps"},
               {"Linger", "10us"}});
    bench.RunUntil(SimTime::Milliseconds(3));
    std::vector<std::string> lines = bench.GetRun().DescribeResults();
    for (const auto& row : bench.GetRows())
    {
        std::string line;
        for (const auto& [column, cell] : row)
        {
            line += column + "=" + cell + " ";
        }
        lines.push_back(line);
    }
    return lines;
}

TEST(MixedTraffic, ResultsDoNotDependOnTheEngine)
{
    const auto expected = Describe({}, 1);
    EXPECT_EQ(Describe({.simulator = "map"}, 1), expected);
    EXPECT_EQ(Describe({.simulator = "calendar"}, 1), expected);
    EXPECT_EQ(Describe({.eagerPorts = true}, 1), expected);
    EXPECT_NE(Describe({}, 2), expected); // or the comparison would show nothing
}

} // namespace
} // namespace ns3::rdma
