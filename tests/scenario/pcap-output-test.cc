// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/pcap-output.h"
#include "tests/scenario/run-fixture.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

/** One flow of four packets from h0 to h1, over a switch, with cables of 100 Gb/s and 1 us. */
Scenario
MakePair()
{
    Scenario scenario = MakeRunScenario(MakeStar(2, BitRate::Gbps(100), SimTime::Microseconds(1)));
    scenario.flows = {MakeFlow(0, 1, 4096)};
    return scenario;
}

Scenario
MakeCaptured(const std::string& ports)
{
    Scenario scenario = MakePair();
    scenario.results.Set("Pcap", StringValue(ports));
    return scenario;
}

/** Records as "time in ns, opcode"; every frame must be right. */
std::vector<std::string>
ReadFrames(const RunInFolder& run, const std::string& name)
{
    std::vector<std::string> frames;
    Expected<PcapReader> reader = PcapReader::Open(run.Folder() / name);
    if (!reader)
    {
        return {ToString(reader.Errors())};
    }
    while (const auto record = *reader->Next())
    {
        const auto parsed = RocePacket::Parse(record->bytes);
        const auto& packet = std::get<RocePacket>(parsed);
        EXPECT_TRUE(packet.isIcrcGood);
        frames.push_back(std::to_string(record->timeNs) + " " + std::string{packet.GetInfo().name});
    }
    return frames;
}

// A byte lasts 80 ps. The last bits leave h0 after 8 + 1102 bytes, 88.8 ns, and then every 1106
// bytes, 88.48 ns. The last packet is delivered, as tests/scenario/run-test.cc derives for a longer
// flow, after 1110 x 80 ps + 1 us + 1122 x 80 ps + 2 x 1106 x 80 ps + 1094 x 80 ps + 1 us =
// 2443.04 ns; its ACK comes back 2011.84 ns later, after 4454.88 ns.
TEST(PcapOutput, HoldsAFlowInTheOrderOfItsTimes)
{
    const RunInFolder run{MakeCaptured("h0")};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    const std::vector<std::string> frames = ReadFrames(run, "h0-0.pcap");
    ASSERT_EQ(frames.size(), 8U);
    EXPECT_EQ(frames[0], "88 RC RDMA WRITE First");
    EXPECT_EQ(frames[1], "177 RC RDMA WRITE Middle");
    EXPECT_EQ(frames[2], "265 RC RDMA WRITE Middle");
    EXPECT_EQ(frames[3], "354 RC RDMA WRITE Last");
    EXPECT_EQ(frames[7], "4454 RC Acknowledge");
    EXPECT_FALSE(std::filesystem::exists(run.Folder() / "s-0.pcap"));
}

TEST(PcapOutput, ChangesNoOtherResult)
{
    const RunInFolder plain{MakePair()};
    const RunInFolder captured{MakeCaptured("*")};
    for (const std::string name : {"flows.csv", "links.csv", "pfc.csv"})
    {
        EXPECT_EQ(plain.Read(name), captured.Read(name)) << name;
    }
    EXPECT_EQ(ReadFrames(captured, "s-1.pcap").size(), 8U);
}

TEST(PcapOutput, FiltersAndNamesPorts)
{
    Scenario scenario = MakeCaptured("s:1 h0:0");
    scenario.results.Set("PcapDirection", StringValue("out"));
    scenario.results.Set("PcapFrames", StringValue("request cnp"));
    scenario.results.Set("PcapFlows", StringValue("0"));
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(ReadFrames(run, "s-1.pcap").size(), 4U);
    EXPECT_EQ(ReadFrames(run, "h0-0.pcap").size(), 4U);
}

/** 24 bytes of the file, and 16 + 1098 of the first frame: the other seven do not fit. */
TEST(PcapOutput, TheSummaryTellsOfWhatWasLeftOut)
{
    Scenario scenario = MakeCaptured("h0");
    scenario.results.Set("PcapMaxBytes", UintegerValue(24 + 16 + 1098));
    const RunInFolder run{scenario};
    ASSERT_EQ(run.ExitCode(), 0) << run.Err();
    EXPECT_EQ(ReadFrames(run, "h0-0.pcap").size(), 1U);
    EXPECT_THAT(run.Json("summary.json")["notes"].dump(),
                HasSubstr("h0-0.pcap: 7 frames left out beyond results.pcap_max_bytes"));
}

TEST(PcapOutput, RefusesWhatTheFabricDoesNotHave)
{
    Scenario scenario = MakeCaptured("h0 h7:1");
    scenario.results.Set("PcapDirection", StringValue("sideways"));
    scenario.results.Set("PcapFrames", StringValue("request ack"));
    scenario.results.Set("PcapFlows", StringValue("0 1 x"));
    const RunInFolder run{scenario};
    EXPECT_EQ(run.ExitCode(), 2);
    EXPECT_THAT(run.Err(), HasSubstr("results.pcap: not understood; got 'h7:1'"));
    EXPECT_THAT(run.Err(), HasSubstr("results.pcap_direction: not understood; got 'sideways'"));
    EXPECT_THAT(run.Err(), HasSubstr("results.pcap_frames: not understood; got 'ack'"));
    EXPECT_THAT(run.Err(), HasSubstr("results.pcap_flows: not understood; got '1'"));
    EXPECT_THAT(run.Err(), HasSubstr("results.pcap_flows: not understood; got 'x'"));
}

} // namespace
} // namespace ns3::rdma
