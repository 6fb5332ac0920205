// SPDX-License-Identifier: GPL-2.0-only
#include "tests/support/temporary-folder.h"
#include "trace/pcap-sink.h"
#include "wire/pause.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using testing::ElementsAre;

/** Flow n goes from interface n to interface n + 10; answers come back. */
FrameOrigin
OriginOf(const Frame& frame)
{
    const bool isAnswer = frame.destination == frame.flow;
    return {.source = isAnswer ? frame.flow + 10 : frame.flow,
            .udpSourcePort = static_cast<uint16_t>(50000 + frame.flow)};
}

Frame
Request(uint32_t flow)
{
    Frame frame;
    frame.opcode = Opcode::RC_RDMA_WRITE_ONLY;
    frame.flow = flow;
    frame.destination = flow + 10;
    frame.priority = 3;
    frame.mark.dscp = ClassSelector(3);
    frame.ecn = Ecn::ECT_0;
    frame.payloadBytes = 8;
    return frame;
}

/** What goes back in a flow. */
Frame
Answer(uint32_t flow, Opcode opcode)
{
    Frame frame;
    frame.opcode = opcode;
    frame.flow = flow;
    frame.destination = flow;
    frame.aeth = {};
    return frame;
}

Frame
Pfc()
{
    Frame frame;
    frame.kind = FrameKind::PFC;
    frame.pfcClassEnable = 8;
    frame.pfcQuanta = {};
    return frame;
}

const PcapPort PORT{.mac = InterfaceMac(100),
                    .peerMac = SwitchPortMac(5, 6),
                    .delay = SimTime::Nanoseconds(100)};

/** One record as "time source destination length", times in nanoseconds. */
std::string
Describe(const PcapRecord& record)
{
    const auto parsed = RocePacket::Parse(record.bytes);
    const std::string time = std::to_string(record.timeNs) + " ";
    if (const auto* packet = std::get_if<RocePacket>(&parsed))
    {
        const auto& ip = std::get<Ipv4Fields>(packet->network);
        return time + std::to_string(ip.source & 0xff) + ">" +
               std::to_string(ip.destination & 0xff) + " id " + std::to_string(ip.identification) +
               (packet->isIcrcGood ? "" : " bad");
    }
    return time + (PfcFrame::Parse(record.bytes) ? "PFC" : "cut");
}

/** A sink into a file of its own. */
class SinkBench
{
  public:
    explicit SinkBench(const PcapSettings& settings)
        : file{m_folder.Path() / "port.pcap"},
          m_isOpen{file.Open()},
          sink{file, settings, PORT, OriginOf}
    {
    }

    void Pass(FrameDirection direction, const Frame& frame, uint64_t ns)
    {
        sink.OnFrame(direction, frame, SimTime::Nanoseconds(ns));
    }

    std::vector<std::string> Finish()
    {
        sink.Finish();
        EXPECT_TRUE(m_isOpen && file.Commit());
        Expected<PcapReader> reader = PcapReader::Open(m_folder.Path() / "port.pcap");
        std::vector<std::string> records;
        while (const auto record = *reader->Next())
        {
            records.push_back(Describe(*record));
        }
        return records;
    }

  private:
    TemporaryFolder m_folder;

  public:
    ResultFile file;

  private:
    bool m_isOpen;

  public:
    PcapSink sink;
};

constexpr FrameDirection IN = FrameDirection::IN;
constexpr FrameDirection OUT = FrameDirection::OUT;

/** Interface n has the address 10.0.0.(n + 1). */
TEST(PcapSink, AddressesFollowFromFlowAndDestination)
{
    SinkBench bench{{}};
    bench.Pass(OUT, Request(0), 10);
    bench.Pass(IN, Answer(0, Opcode::RC_ACKNOWLEDGE), 500);
    bench.Pass(IN, Answer(0, Opcode::CNP), 600);
    bench.Pass(OUT, Request(1), 700);
    bench.Pass(OUT, Request(0), 800);
    EXPECT_THAT(
        bench.Finish(),
        ElementsAre(
            "10 1>11 id 0", "500 11>1 id 0", "600 11>1 id 1", "700 2>12 id 0", "800 1>11 id 1"));
}

/** What goes out is told of a cable's delay later, 100 ns here. */
TEST(PcapSink, RecordsAreInTheOrderOfTheirTimes)
{
    SinkBench bench{{}};
    bench.Pass(IN, Request(1), 1000);
    bench.Pass(IN, Request(2), 1050);
    bench.Pass(OUT, Request(3), 1020); // told at 1120
    bench.Pass(OUT, Request(4), 1050); // told at 1150, together with the next
    bench.Pass(IN, Request(5), 1150);
    bench.Pass(IN, Request(6), 1160);
    EXPECT_THAT(bench.Finish(),
                ElementsAre("1000 2>12 id 0",
                            "1020 4>14 id 0",
                            "1050 5>15 id 0",
                            "1050 3>13 id 0",
                            "1150 6>16 id 0",
                            "1160 7>17 id 0"));
}

TEST(PcapSink, FiltersByDirectionClassAndFlow)
{
    const auto count = [](const PcapSettings& settings)
    {
        SinkBench bench{settings};
        bench.Pass(OUT, Request(0), 1);
        bench.Pass(OUT, Request(1), 2);
        bench.Pass(OUT, Pfc(), 3);
        bench.Pass(IN, Answer(0, Opcode::RC_ACKNOWLEDGE), 200);
        bench.Pass(IN, Answer(0, Opcode::CNP), 201);
        bench.Pass(IN, Answer(0, Opcode::RC_RDMA_READ_RESPONSE_ONLY), 202);
        bench.Pass(IN, Pfc(), 203);
        bench.Pass(IN, Pfc(), 204);
        return bench.Finish().size();
    };
    EXPECT_EQ(count({}), 8U);
    EXPECT_EQ(count({.capturesOut = false}), 5U);
    EXPECT_EQ(count({.capturesIn = false}), 3U);
    EXPECT_EQ(count({.classes = PCAP_REQUEST}), 2U);
    EXPECT_EQ(count({.classes = PCAP_ACKNOWLEDGE}), 1U);
    EXPECT_EQ(count({.classes = PCAP_CNP | PCAP_RESPONSE}), 2U);
    EXPECT_EQ(count({.classes = PCAP_PFC}), 3U);
    EXPECT_EQ(count({.flows = {1}}), 1U + 3) << "and the PFC frames";
    EXPECT_EQ(count({.classes = PCAP_REQUEST, .flows = {0, 1, 7}}), 2U);
}

TEST(PcapSink, ClassOfEveryOpcode)
{
    std::map<PcapClass, int> opcodes;
    for (int value = 0; value < 256; ++value)
    {
        if (const OpcodeInfo* info = FindOpcode(static_cast<uint8_t>(value)))
        {
            Frame frame;
            frame.opcode = info->opcode;
            const PcapClass found = ClassifyFrame(frame);
            ++opcodes[found];
            EXPECT_EQ(found == PCAP_REQUEST, info->isRequest) << info->name;
        }
    }
    // RC and XRC have four READ responses, an atomic acknowledge and an acknowledge each.
    EXPECT_EQ(opcodes[PCAP_RESPONSE], 2 * 5);
    EXPECT_EQ(opcodes[PCAP_ACKNOWLEDGE], 2);
    EXPECT_EQ(opcodes[PCAP_CNP], 1);
    EXPECT_EQ(ClassifyFrame(Pfc()), PCAP_PFC);
}

/** 802.3x frames are control frames as PFC is, and come out with their own opcode. */
TEST(PcapSink, PauseFramesOfTheLink)
{
    TemporaryFolder folder;
    ResultFile file{folder.Path() / "x.pcap"};
    ASSERT_TRUE(file.Open());
    PcapSink sink{file, {.classes = PCAP_PFC}, PORT, OriginOf};
    Frame pause;
    pause.kind = FrameKind::PAUSE;
    pause.pfcQuanta = {1000, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_EQ(ClassifyFrame(pause), PCAP_PFC);
    sink.OnFrame(OUT, pause, SimTime::Nanoseconds(1));
    sink.Finish();
    ASSERT_TRUE(file.Commit());
    Expected<PcapReader> reader = PcapReader::Open(folder.Path() / "x.pcap");
    const auto parsed = PauseFrame::Parse((*reader->Next())->bytes);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->quanta, 1000);
    EXPECT_EQ(parsed->source, PORT.mac);
}

/** A WRITE Only of 8 bytes: 14 + 20 + 8 + 12 + 16 + 8 + 4 = 82 bytes, 98 with the record's head. */
TEST(PcapSink, CountsWhatALimitKeepsOut)
{
    const auto run = [](const PcapSettings& settings)
    {
        SinkBench bench{settings};
        for (uint32_t i = 0; i < 5; ++i)
        {
            bench.Pass(OUT, Request(i), i);
        }
        bench.Pass(OUT, Pfc(), 9); // smaller than the others: would fit again
        EXPECT_EQ(bench.Finish().size(), bench.sink.GetCounters().written);
        return bench.sink.GetCounters();
    };
    const PcapCounters all = run({});
    EXPECT_EQ(all.written, 6U);
    EXPECT_EQ(all.leftOut, 0U);
    const PcapCounters frames = run({.maxFrames = 2});
    EXPECT_EQ(frames.written, 2U);
    EXPECT_EQ(frames.leftOut, 4U);
    const PcapCounters bytes = run({.maxBytes = 24 + 2 * 98 + 97});
    EXPECT_EQ(bytes.written, 2U);
    EXPECT_EQ(bytes.leftOut, 4U);
    EXPECT_EQ(run({.maxBytes = 24 + 3 * 98}).written, 3U);
}

TEST(PcapSink, CutsFramesToTheSnapLength)
{
    SinkBench bench{{.snapBytes = 64}};
    bench.Pass(OUT, Request(0), 1);
    EXPECT_THAT(bench.Finish(), ElementsAre("1 cut"));
    EXPECT_EQ(bench.file.GetPath().filename(), "port.pcap");
}

/** The class selector of priority 3 is DSCP 24, 0x60 with ECT(0) 0x62. */
TEST(PcapSink, TrafficClassAndPfcSource)
{
    TemporaryFolder folder;
    ResultFile file{folder.Path() / "x.pcap"};
    ASSERT_TRUE(file.Open());
    PcapSink sink{file, {}, PORT, OriginOf};
    sink.OnFrame(OUT, Request(0), SimTime::Nanoseconds(1));
    sink.OnFrame(OUT, Pfc(), SimTime::Nanoseconds(2));
    sink.OnFrame(IN, Pfc(), SimTime::Nanoseconds(3));
    sink.Finish();
    ASSERT_TRUE(file.Commit());
    Expected<PcapReader> reader = PcapReader::Open(folder.Path() / "x.pcap");
    const auto request = RocePacket::Parse((*reader->Next())->bytes);
    const auto& packet = std::get<RocePacket>(request);
    EXPECT_EQ(std::get<Ipv4Fields>(packet.network).trafficClass, 0x62);
    EXPECT_EQ(packet.udp.sourcePort, 50000);
    EXPECT_EQ(PfcFrame::Parse((*reader->Next())->bytes)->source, PORT.mac);
    EXPECT_EQ(PfcFrame::Parse((*reader->Next())->bytes)->source, PORT.peerMac);
}

} // namespace
} // namespace ns3::rdma
