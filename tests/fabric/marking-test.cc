// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "tests/support/test-scenario.h"

#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

constexpr SimTime US = SimTime::Microseconds(1);
constexpr BitRate G100 = BitRate::Gbps(100);

/** A full packet of MTU 1024. */
constexpr uint64_t FRAME = 1086;

/** Marks that receivers have seen. */
uint64_t
CountMarkedArrivals(const TestRun& run)
{
    uint64_t arrivals = 0;
    for (const Ptr<Rnic>& device : run.GetFabric().GetInterfaces())
    {
        arrivals += device->GetCounters().ceArrivals;
    }
    return arrivals;
}

// Two senders into one at twice its line rate for about 1 ms (2 x 12.5 MB at 100 Gb/s each, cut by
// DCQCN): marks happen, and each is seen by a receiver, for nothing is lost.
TEST(Marking, EveryMarkArrives)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.flows = {MakeFlow(0, 2, 12'500'000), MakeFlow(1, 2, 12'500'000)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountDropped(), 0U);
    EXPECT_GT(run.CountMarked(), 0U);
    EXPECT_EQ(run.CountMarked(), CountMarkedArrivals(run));
    EXPECT_EQ(run.CountMarked(), run.GetFabric().GetSwitches()[0]->GetMarkedFrames(2));
}

/** Kmin = Kmax = 0: an empty queue is enough. */
void
MarkEverything(Scenario& scenario)
{
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("Kmin", StringValue("0B"));
    scenario.marker.Set("Kmax", StringValue("0B"));
}

// Both flows meet marks of every packet at h2. The one without congestion control sends packets
// that are not ECN-capable: none of them is marked, no CNP comes back, and it keeps the line's
// rate.
TEST(Marking, FlowWithoutCongestionControlIsNeitherMarkedNorSlowedDown)
{
    constexpr uint64_t BYTES = 1'000'000;
    Scenario scenario = MakeTestScenario(MakeStar(4, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    MarkEverything(scenario);
    scenario.flows = {MakeFlow(0, 2, BYTES), MakeFlow(1, 3, BYTES)};
    scenario.flows[1].hasCongestionControl = false;
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_GT(run.GetRunner().GetStatistics(0).cnpsReceived, 0U);
    EXPECT_EQ(run.GetRunner().GetStatistics(1).cnpsReceived, 0U);
    const FlowIdeals alone = run.GetRunner().GetIdeals(1);
    EXPECT_EQ(run.GetRecord(1).delivered, alone.delivered);
    EXPECT_GT(run.GetRecord(0).delivered, alone.delivered);
}

/** One flow of packets that gather in front of h1's paused link, and go when the pause ends. */
struct PausedQueue
{
    uint64_t packets{0};
    std::string kmin;
    std::string kmax;
    std::string pmax{"1"};
    uint64_t seed{1};
    std::string at{"dequeue"};
};

/** Writes down which frames arrive with a mark, in order. */
class MarkNotes : public FrameTap
{
  public:
    void OnFrame(FrameDirection direction, const Frame& frame, SimTime) override
    {
        if (direction == FrameDirection::IN && frame.kind == FrameKind::ROCE)
        {
            marks.push_back(frame.ecn == Ecn::CE);
        }
    }

    std::vector<bool> marks;
};

/** Which of the packets are marked, in order. */
std::vector<bool>
MarksOf(const PausedQueue& queue)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.seed = queue.seed;
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.marker.SetTypeId("ns3::rdma::RedMarker");
    scenario.marker.Set("At", StringValue(queue.at));
    scenario.marker.Set("Kmin", StringValue(queue.kmin));
    scenario.marker.Set("Kmax", StringValue(queue.kmax));
    scenario.marker.Set("Pmax", StringValue(queue.pmax));
    scenario.marker.Set("ReferenceRate", StringValue("0bps"));
    // The 2010 packets pass the host's link in 178 us; the pause lasts 335 us.
    scenario.flows = {MakeFlow(0, 1, queue.packets * 1024, 10 * US)};
    MarkNotes notes;
    TestRun run{scenario};
    EthernetPort& port = run.GetFabric().GetInterfaces()[1]->GetPort();
    port.AddTap(notes);
    port.SendPfc(PriorityBit(3), 65535, {});
    run.RunUntil(330 * US);
    EXPECT_EQ(run.FindLink("s", "h1").port->GetQueues().Bytes(3), queue.packets * FRAME + 16)
        << "all wait";
    run.RunToEnd();
    EXPECT_EQ(run.CountFinished(), 1U);
    EXPECT_EQ(run.CountMarked(), CountMarkedArrivals(run));
    EXPECT_EQ(notes.marks.size(), queue.packets);
    return notes.marks;
}

uint64_t
CountMarksOf(const PausedQueue& queue)
{
    const std::vector<bool> marks = MarksOf(queue);
    return static_cast<uint64_t>(std::ranges::count(marks, true));
}

// 2010 packets with thresholds of 500 and 2000 packets, Pmax 5 %, marked as they leave: the first
// 10 leave 2009 .. 2000 packets behind and are marked; the last 500 leave 499 .. 0 and are not (and
// 500 is not above Kmin). Between them 0.05 x sum of (q - 500) / 1500 for q = 501 .. 1999
// is 37.475. Together 47.475 with standard deviation 6.02; the mean of 100 runs has 0.602.
TEST(Marking, RedBehindAPausedQueueMarksAsOftenAsItShould)
{
    constexpr int RUNS = 100;
    double sum = 0;
    double squares = 0;
    for (int seed = 1; seed <= RUNS; ++seed)
    {
        const std::vector<bool> marks = MarksOf({.packets = 2010,
                                                 .kmin = std::to_string(500 * FRAME) + "B",
                                                 .kmax = std::to_string(2000 * FRAME) + "B",
                                                 .pmax = "5%",
                                                 .seed = static_cast<uint64_t>(seed)});
        ASSERT_EQ(std::count(marks.begin(), marks.begin() + 10, true), 10) << seed;
        ASSERT_EQ(std::count(marks.end() - 500, marks.end(), true), 0) << seed;
        const auto count = static_cast<double>(std::ranges::count(marks, true));
        sum += count;
        squares += (count - 47.475) * (count - 47.475);
    }
    // The deviation of 100 runs is itself off by 6.02 / sqrt(200) = 0.43 as a rule.
    EXPECT_NEAR(std::sqrt(squares / RUNS), 6.02, 4 * 0.43);
    EXPECT_NEAR(sum / RUNS, 47.475, 4 * 0.602);
}

// Kmin = Kmax = 100 packets of 200: the first is marked, the last is not, and the border between
// them is where the queue has just 100 packets.
TEST(Marking, EqualThresholdsMarkTheFirstAndNotTheLast)
{
    const std::string threshold = std::to_string(100 * FRAME) + "B";
    const std::vector<bool> marks = MarksOf({.packets = 200, .kmin = threshold, .kmax = threshold});
    EXPECT_TRUE(marks.front());
    EXPECT_FALSE(marks.back());
    EXPECT_TRUE(std::ranges::is_partitioned(marks, [](bool isMarked) { return isMarked; }));
}

// Kmin = Kmax = 100 packets. At dequeue the first 100 of 200 leave 199 .. 100 behind: marked.
// At enqueue each sees what waits before it: the first sees none, the 101st 100 packets and 16
// bytes of RETH: the last 100 are marked.
TEST(Marking, EqualThresholdsMarkExactlyHalf)
{
    const std::string threshold = std::to_string(100 * FRAME) + "B";
    for (const std::string at : {"dequeue", "enqueue"})
    {
        EXPECT_EQ(CountMarksOf({.packets = 200, .kmin = threshold, .kmax = threshold, .at = at}),
                  100U)
            << at;
    }
}

// With 201 packets' threshold nothing of 200 is marked, with a threshold of nothing all are.
TEST(Marking, NothingBelowAndAllAboveTheThresholds)
{
    const std::string high = std::to_string(201 * FRAME) + "B";
    EXPECT_EQ(CountMarksOf({.packets = 200, .kmin = high, .kmax = high}), 0U);
    EXPECT_EQ(CountMarksOf({.packets = 200, .kmin = "0B", .kmax = "0B"}), 200U);
}

// All packets marked, CNPs at most each 50 us for a connection. Packets come every 1106 x 80 ps =
// 88.48 ns, so a CNP goes with every 566th packet (50.08 us). 11 303 packets, 1 ms, draw
// 1 + floor(11 302 / 566) = 20. MinRate keeps the sender at line rate in spite of them.
TEST(Marking, CnpsArePacedByTheirInterval)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.congestion.Set("MinRate", StringValue("100Gbps"));
    scenario.congestion.Set("CnpInterval", StringValue("50us"));
    MarkEverything(scenario);
    scenario.flows = {MakeFlow(0, 1, 11'303 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountMarked(), 11'303U);
    EXPECT_EQ(run.GetFabric().GetInterfaces()[1]->GetCounters().cnpFramesSent, 20U);
    EXPECT_EQ(run.GetRunner().GetStatistics(0).cnpsReceived, 20U);
    EXPECT_EQ(run.GetRecord(0).delivered, run.GetRunner().GetIdeals(0).delivered);
}

// Each connection has an interval of its own: two flows of the same hosts draw twice as many.
TEST(Marking, CnpsArePacedByConnection)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.congestion.Set("MinRate", StringValue("100Gbps"));
    MarkEverything(scenario);
    // Each gets every second packet: a CNP every 283rd of its own, 1 + floor(5651 / 283) = 20.
    scenario.flows = {MakeFlow(0, 1, 5652 * 1024), MakeFlow(0, 1, 5652 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.GetRunner().GetStatistics(0).cnpsReceived, 20U);
    EXPECT_EQ(run.GetRunner().GetStatistics(1).cnpsReceived, 20U);
}

/** CNPs that two flows get, each with every second of 11 304 packets that come back to back. */
std::vector<uint64_t>
CountCnps(const std::string& scope, uint32_t secondSource)
{
    Scenario scenario = MakeTestScenario(MakeStar(3, G100, US));
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.congestion.Set("MinRate", StringValue("100Gbps"));
    scenario.nic.Set("CnpScope", StringValue(scope));
    MarkEverything(scenario);
    scenario.flows = {MakeFlow(0, 1, 5652 * 1024), MakeFlow(secondSource, 1, 5652 * 1024)};
    TestRun run{scenario};
    run.RunToEnd();
    return {run.GetRunner().GetStatistics(0).cnpsReceived,
            run.GetRunner().GetStatistics(1).cnpsReceived};
}

// Where the interval holds for an address pair, or for the port, its CNPs are shared: one with each
// 566th packet of all, 1 + floor(11 303 / 566) = 20.
TEST(Marking, CnpsArePacedByAddressPairOrPort)
{
    const auto pair = CountCnps("ip-pair", 0);
    EXPECT_EQ(pair[0] + pair[1], 20U);
    EXPECT_THAT(CountCnps("ip-pair", 2), testing::Each(testing::Ge(20U)));
    const auto port = CountCnps("port", 2);
    EXPECT_EQ(port[0] + port[1], 20U);
}

// A transport that is not ECN-capable is never marked.
TEST(Marking, OnlyCapableFramesAreMarked)
{
    Scenario scenario = MakeTestScenario(MakeStar(2, G100, US));
    MarkEverything(scenario);
    scenario.flows = {MakeFlow(0, 1, 100'000)};
    TestRun run{scenario};
    run.RunToEnd();
    EXPECT_EQ(run.CountMarked(), 0U);
}

} // namespace
} // namespace ns3::rdma
