// SPDX-License-Identifier: GPL-2.0-only
#include "base/attributes.h"
#include "scenario/run.h"
#include "tests/scenario/run-fixture.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace ns3::rdma
{

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace
{

constexpr uint64_t MEBIBYTE = uint64_t{1} << 20;

/** Two hosts at a switch with cables of 100 Gb/s and 1 us. */
Scenario
MakePair()
{
    return MakeRunScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
}

/** Two hosts with a cable between them that loses every frame, and no retransmission timer. */
Scenario
MakeDeadCable()
{
    Topology topology;
    topology.family = "back-to-back";
    topology.nodes = {{NodeKind::HOST, "a"}, {NodeKind::HOST, "b"}};
    topology.links = {{.a = 0,
                       .b = 1,
                       .rate = BitRate::Gbps(100),
                       .delay = SimTime::Microseconds(1),
                       .lossRate = 1.0,
                       .origin = ""}};
    Scenario scenario = MakeRunScenario(topology);
    scenario.transport.Set("Timeout", UintegerValue(0));
    scenario.flows = {MakeFlow(0, 1, 100)};
    return scenario;
}

} // namespace

// A WRITE of 1 MiB at MTU 1024: 1024 packets, the first of 1102 bytes, the others of 1086, each
// with 20 bytes of preamble and gap; a byte lasts 80 ps.
//   delivered: 1110 x 80 ps + 1 us, then 1122 x 80 ps, then 1022 x 1106 x 80 ps, then
//              1094 x 80 ps + 1 us = 92 692 640 ps
//   acknowledged: the ACK has 66 bytes and takes 74 x 80 ps + 1 us over each of two cables, that is
//              2 011 840 ps more = 94 704 480 ps
TEST(Run, ALoneFlowHasItsIdealTimesInFlowsCsv)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, MEBIBYTE)};
    scenario.flows[0].tag = "bulk";
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "tag"), "bulk");
    EXPECT_EQ(run.Cell("flows.csv", 1, "source"), "h0");
    EXPECT_EQ(run.Cell("flows.csv", 1, "destination"), "h1");
    EXPECT_EQ(run.Cell("flows.csv", 1, "bytes"), "1048576");
    EXPECT_EQ(run.Cell("flows.csv", 1, "start_ns"), "0.000");
    EXPECT_EQ(run.Cell("flows.csv", 1, "fct_delivered_ns"), "92692.640");
    EXPECT_EQ(run.Cell("flows.csv", 1, "ideal_delivered_ns"), "92692.640");
    EXPECT_EQ(run.Cell("flows.csv", 1, "slowdown_delivered"), "1.000000");
    EXPECT_EQ(run.Cell("flows.csv", 1, "fct_acked_ns"), "94704.480");
    EXPECT_EQ(run.Cell("flows.csv", 1, "ideal_acked_ns"), "94704.480");
    EXPECT_EQ(run.Cell("flows.csv", 1, "slowdown_acked"), "1.000000");
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "finished");
    EXPECT_EQ(run.Cell("flows.csv", 1, "packets_sent"), "1024");
    EXPECT_EQ(run.Cell("flows.csv", 1, "timeouts"), "0");
}

// The data of the same flow: 1122 + 1023 x 1106 = 1 132 560 bytes on the wire, 90 604 800 ps of
// 94 704 480 ps: 0.956711. Its ACKs: 1024 x 86 bytes. The switch holds each frame until its last
// bit has come, so that nothing ever waits behind another: one frame of 1102 bytes at most.
TEST(Run, ALoneFlowIsInLinksCsv)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, MEBIBYTE)};
    RunInFolder run{scenario};
    ASSERT_EQ(run.CountLines("links.csv"), 5U) << "a header and two directions of two cables";
    EXPECT_EQ(run.Cell("links.csv", 1, "from"), "h0");
    EXPECT_EQ(run.Cell("links.csv", 1, "to"), "s");
    EXPECT_EQ(run.Cell("links.csv", 1, "rate_bps"), "100000000000");
    EXPECT_EQ(run.Cell("links.csv", 1, "delay_ns"), "1000.000");
    EXPECT_EQ(run.Cell("links.csv", 1, "frames"), "1024");
    EXPECT_EQ(run.Cell("links.csv", 1, "wire_bytes"), "1132560");
    EXPECT_EQ(run.Cell("links.csv", 1, "utilisation"), "0.956711");
    EXPECT_EQ(run.Cell("links.csv", 2, "wire_bytes"), std::to_string(1024 * 86));
    EXPECT_EQ(run.Cell("links.csv", 4, "from"), "s");
    EXPECT_EQ(run.Cell("links.csv", 4, "from_port"), "1");
    EXPECT_EQ(run.Cell("links.csv", 4, "max_queue_bytes"), "1102");
    EXPECT_EQ(run.Cell("links.csv", 4, "paused_ns"), "0.000");
}

TEST(Run, TheSummaryHasTotalsAndTheLimitingElement)
{
    Scenario scenario = MakePair();
    scenario.parameters = {{"pfc.enabled", "true", "default", "", ""},
                           {"engine.simulator", "fabric", "default", "", ""}};
    scenario.flows = {MakeFlow(0, 1, MEBIBYTE)};
    RunInFolder run{scenario};
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["partial"], false);
    EXPECT_EQ(summary["simulated_ns"], 94704.48);
    EXPECT_EQ(summary["flows"]["finished"], 1);
    EXPECT_EQ(summary["flows"]["acked_bytes"], MEBIBYTE);
    EXPECT_EQ(summary["completion_times"]["slowdown_acked"]["p99"], 1.0);
    EXPECT_EQ(summary["completion_times_by_size"][0]["sizes"], "1MB..10MB");
    // Data and ACKs over two cables each; the last ACK has just arrived.
    EXPECT_EQ(summary["network"]["packet_hops"], 4 * 1024);
    EXPECT_EQ(summary["limiting_element"]["from"], "h0");
    EXPECT_THAT(summary["broken_invariants"], IsEmpty());
    ASSERT_EQ(summary["parameters"].size(), 1U) << "the engine decides nothing";
    EXPECT_EQ(summary["parameters"][0]["key"], "pfc.enabled");
    EXPECT_EQ(run.Json("run.json")["packet_hops"], 4 * 1024);
    EXPECT_THAT(run.Out(), HasSubstr("1 of 1 finished"));
    EXPECT_THAT(run.Out(), HasSubstr("h0 port 0 to s, 95.7% busy"));
}

TEST(Run, WithoutFlowsThereIsNothingToRun)
{
    RunInFolder run{MakePair()};
    EXPECT_EQ(run.ExitCode(), 2);
    EXPECT_THAT(run.Err(), HasSubstr("no flow"));
    EXPECT_FALSE(fs::exists(run.Folder()));
}

TEST(Run, AFolderThatCannotBeMadeStopsTheRunBeforeItBegins)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, 1)};
    RunInFolder run{scenario, "/proc/nowhere"};
    EXPECT_EQ(run.ExitCode(), 2);
    EXPECT_THAT(run.Err(), HasSubstr("/proc/nowhere"));
    EXPECT_THAT(run.Out(), IsEmpty());
}

TEST(Run, AnUnknownEngineIsBadInput)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, 1)};
    scenario.engine.simulator = "fabrik";
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 2);
    EXPECT_THAT(run.Err(), HasSubstr("did you mean 'fabric'"));
}

// A packet of 100 bytes of payload has 178 bytes: (8 + 178) x 80 ps + 1 us = 1 014 880 ps.
TEST(Run, FlowsThatCannotFinishAreNamedWithWhatTheyWaitFor)
{
    RunInFolder run{MakeDeadCable()};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(),
                HasSubstr("flow 0 from a to b: waits for the acknowledgement of 100 of "
                          "100 bytes after 1 packets, 0 timeouts"));
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "running");
    EXPECT_EQ(run.Cell("flows.csv", 1, "fct_acked_ns"), "");
    EXPECT_EQ(run.Cell("flows.csv", 1, "slowdown_acked"), "");
    EXPECT_EQ(run.Cell("links.csv", 1, "dropped_frames"), "1");
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["simulated_ns"], 1014.88) << "when the last frame arrived";
    EXPECT_EQ(summary["network"]["dropped"]["link_error"]["frames"], 1);
}

TEST(Run, WithADurationUnfinishedFlowsAreRunning)
{
    Scenario scenario = MakeDeadCable();
    scenario.flows.push_back(MakeFlow(1, 0, 100, SimTime::Milliseconds(5)));
    scenario.duration = SimTime::Milliseconds(2);
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "running");
    EXPECT_EQ(run.Cell("flows.csv", 2, "status"), "not-started");
    EXPECT_EQ(run.Cell("flows.csv", 2, "source_port"), "");
    EXPECT_EQ(run.Cell("flows.csv", 2, "ideal_acked_ns"), "");
    EXPECT_EQ(run.Json("summary.json")["simulated_ns"], 2e6);
}

TEST(Run, AFailedFlowFailsTheRunEvenWithADuration)
{
    Scenario scenario = MakeDeadCable();
    scenario.transport.Set("Timeout", UintegerValue(1));
    scenario.transport.Set("RetryCount", UintegerValue(2));
    scenario.duration = SimTime::Milliseconds(2);
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "failed:RETRY_EXC_ERR");
    EXPECT_EQ(run.Cell("flows.csv", 1, "packets_sent"), "3") << "one and two retries";
    EXPECT_THAT(run.Err(), HasSubstr("flow 0 from a to b: failed:RETRY_EXC_ERR"));
}

TEST(Run, SaysSoWhenCongestionControlNeverActed)
{
    Scenario scenario = MakePair();
    scenario.congestion.SetTypeId("ns3::rdma::Dcqcn");
    scenario.flows = {MakeFlow(0, 1, MEBIBYTE)};
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0);
    EXPECT_THAT(run.Err(), HasSubstr("congestion control never acted"));
    EXPECT_EQ(run.Json("summary.json")["warnings"].size(), 1U);
}

// Every write to /dev/full fails as on a full disk.
TEST(Run, AFullDiskLeavesAPartAndSaysSo)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, MEBIBYTE)};
    const TemporaryFolder folder;
    fs::create_symlink("/dev/full", folder.Path() / "flows.csv.part");
    RunInFolder run{scenario, folder.Path()};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(), HasSubstr("flows.csv.part: No space left on device"));
    EXPECT_FALSE(fs::exists(folder.Path() / "flows.csv"));
    EXPECT_TRUE(fs::exists(folder.Path() / "links.csv"));
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["partial"], true);
    EXPECT_THAT(summary["partial_reason"].get<std::string>(), HasSubstr("No space left"));
}

TEST(Run, AFullDiskMayTakeTheSummaryToo)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, 1)};
    const TemporaryFolder folder;
    fs::create_symlink("/dev/full", folder.Path() / "summary.json.part");
    RunInFolder run{scenario, folder.Path()};
    EXPECT_EQ(run.ExitCode(), 1);
    EXPECT_THAT(run.Err(), HasSubstr("summary.json.part: No space left on device"));
    EXPECT_FALSE(fs::exists(folder.Path() / "summary.json"));
}

TEST(Run, CtrlCWritesWhatThereIsAndMarksItPartial)
{
    Scenario scenario = MakePair();
    // 1 TB would take 80 s of simulated time and some minutes here: only Ctrl-C ends it.
    scenario.flows = {MakeFlow(0, 1, 1'000'000'000'000)};
    const InterruptSoon interrupt;
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 130);
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "running");
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["partial"], true);
    EXPECT_THAT(summary["partial_reason"].get<std::string>(), HasSubstr("interrupted at"));
    EXPECT_THAT(summary["broken_invariants"], IsEmpty());
    EXPECT_THAT(run.Out(), HasSubstr("(partial)"));
}

// The HPCC simulator's own line for such a flow is known: 48 bytes of header per 1000 of payload at
// 100 Gb/s take 83 840 ns, its base round trip is 4 x 1000 ns + 2 x 80 ns.
TEST(Run, WritesTheColumnsOfTheHpccSimulatorOnRequest)
{
    Scenario scenario = MakePair();
    scenario.transport.Set("PathMtu", UintegerValue(1000));
    scenario.hpccOutputs = HpccOutputs{"mix/fct.txt", "mix/pfc.txt"};
    scenario.flows = {MakeFlow(0, 1, 1'000'000), MakeFlow(0, 1, 1'000, SimTime::Milliseconds(1))};
    scenario.flows[0].destinationPort = 100;
    scenario.flows[1].destinationPort = 100;
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    const std::string acked = run.Cell("flows.csv", 1, "fct_acked_ns");
    const std::string second = run.Cell("flows.csv", 2, "fct_acked_ns");
    // The second flow: 1048 bytes at 100 Gb/s are 83.84 ns, and cut.
    EXPECT_EQ(run.Read("fct.txt"),
              "0b000001 0b000101 10000 100 1000000 0 " + acked.substr(0, acked.find('.')) +
                  " 88000\n0b000001 0b000101 10001 100 1000 1000000 " +
                  second.substr(0, second.find('.')) + " 4243\n");
    EXPECT_EQ(run.Read("pfc.txt"), "");
}

TEST(Run, AnHpccFileMayNotTakeTheNameOfAnotherResult)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, 1)};
    scenario.results.Set("FctFile", StringValue("flows.csv"));
    scenario.results.Set("PfcFile", StringValue("a/b.txt"));
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 2);
    EXPECT_THAT(run.Err(), HasSubstr("results.fct_file"));
    EXPECT_THAT(run.Err(), HasSubstr("results.pfc_file"));
}

// Of three flows the second alone starts in the window. The first, a background flow of 100 MB,
// needs 8 ms on its own and would keep a run without a window that long.
TEST(Run, OnlyFlowsInTheWindowCountAndAreWaitedFor)
{
    Scenario scenario = MakeRunScenario(MakeStar(4, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.flows = {MakeFlow(0, 1, 100'000'000), MakeFlow(2, 3, MEBIBYTE), MakeFlow(2, 3, 1000)};
    scenario.flows[1].start = SimTime::Microseconds(50);
    scenario.flows[2].start = SimTime::Microseconds(90);
    scenario.window = {SimTime::Microseconds(50), SimTime::Microseconds(90)};
    RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(run.Cell("flows.csv", 1, "in_window"), "0");
    EXPECT_EQ(run.Cell("flows.csv", 2, "in_window"), "1");
    EXPECT_EQ(run.Cell("flows.csv", 3, "in_window"), "0");
    EXPECT_EQ(run.Cell("flows.csv", 1, "status"), "running");
    const auto summary = run.Json("summary.json");
    EXPECT_EQ(summary["window"]["counted"], 1);
    EXPECT_EQ(summary["window"]["outside"], 2);
    EXPECT_EQ(summary["window"]["censored"], 0);
    EXPECT_EQ(summary["window"]["flows"], "flows that start from 50us to 90us");
    EXPECT_EQ(summary["completion_times"]["finished"], 1);
    EXPECT_LT(summary["simulated_ns"], 1e6);
    EXPECT_THAT(run.Out(), HasSubstr("of flows that start from 50us to 90us"));
}

// 1 MiB alone takes 92.69 us (above); after 50 us its slowdown is known to be at least 50 / 92.69.
TEST(Run, CensoredFlowsAreToldWithTheirBound)
{
    Scenario scenario = MakePair();
    scenario.flows = {MakeFlow(0, 1, MEBIBYTE)};
    scenario.duration = SimTime::Microseconds(50);
    RunInFolder run{scenario};
    const auto window = run.Json("summary.json")["window"];
    EXPECT_EQ(window["censored"], 1);
    EXPECT_NEAR(window["censored_slowdown_delivered_above"]["min"], 50.0 / 92.69264, 1e-9);
    EXPECT_EQ(run.Cell("flows.csv", 1, "in_window"), "1");
}

} // namespace ns3::rdma
