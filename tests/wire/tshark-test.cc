// SPDX-License-Identifier: GPL-2.0-only
// An independent reader of what we write: tshark, field by field.
#include "tests/support/temporary-folder.h"
#include "tests/wire/wire-samples.h"
#include "wire/frame-bytes.h"
#include "wire/pause.h"
#include "wire/pcap-file.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <iomanip>
#include <sstream>

namespace ns3::rdma
{
namespace
{

using Line = std::vector<std::string>; ///< the fields of one frame

bool
IsTsharkThere()
{
    return std::system("tshark --version >/dev/null 2>&1") == 0;
}

Line
Split(const std::string& text)
{
    Line line{""};
    for (const char c : text)
    {
        if (c == '\t')
        {
            line.emplace_back();
        }
        else if (c != '\n')
        {
            line.back() += c;
        }
    }
    return line;
}

/** What tshark reads: a line for each frame, a column for each field. */
std::vector<Line>
Dissect(const std::filesystem::path& path, const std::vector<std::string>& fields)
{
    std::string command = "tshark -n -r '" + path.string() + "' -o ip.check_checksum:TRUE" +
                          " -d udp.port==4791,infiniband -T fields -E occurrence=f";
    for (const std::string& field : fields)
    {
        command += " -e " + field;
    }
    std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::vector<Line> lines;
    std::array<char, 4096> buffer;
    while (pipe != nullptr && std::fgets(buffer.data(), buffer.size(), pipe) != nullptr)
    {
        lines.push_back(Split(buffer.data()));
    }
    EXPECT_EQ(pipe == nullptr ? -1 : pclose(pipe), 0) << command;
    return lines;
}

/** A number as tshark prints it: decimal, or hexadecimal with some digits. */
std::string
Hex(uint64_t value, int digits)
{
    std::ostringstream stream;
    stream << "0x" << std::hex << std::setw(digits) << std::setfill('0') << value;
    return stream.str();
}

/** Plain hexadecimal digits, as tshark prints fields that are bytes. */
std::string
HexBytes(uint64_t value, int digits)
{
    return Hex(value, digits).substr(2);
}

/** Values that differ in every byte, so that a swap or a shift shows. */
constexpr uint64_t ADDRESS = 0x0102030405060708;
constexpr uint32_t KEY = 0x11121314;
constexpr uint64_t SWAP = 0x2122232425262728;
constexpr uint64_t COMPARE = 0x3132333435363738;
constexpr uint32_t LENGTH = 0x01424344;
constexpr uint32_t IMMEDIATE = 0x51525354;
constexpr uint32_t QP = 0x616263;
constexpr uint32_t MSN = 0x717273;
constexpr uint32_t SOURCE_QP = 0x818283;
constexpr uint16_t FIRST_IDENTIFICATION = 0xfffe;

/** A frame of an opcode, with payload whose length depends on its number. */
Frame
FrameOf(Opcode opcode, int number, FrameExtension& extension)
{
    extension.reth = {ADDRESS, KEY, LENGTH};
    extension.atomic = {ADDRESS, KEY, SWAP, COMPARE};
    extension.aeth = {static_cast<uint8_t>(number % 2 == 0 ? 0x1f : 0x62), MSN};
    extension.atomicOriginal = SWAP;
    extension.immediate = IMMEDIATE;
    extension.deth = {.queueKey = KEY, .sourceQp = SOURCE_QP};
    Frame frame;
    frame.opcode = opcode;
    frame.destinationQp = QP;
    frame.psn = Psn{0xfffff0U + static_cast<uint32_t>(number)};
    frame.ackRequest = number % 2 == 0;
    frame.isSolicited = number % 3 == 0;
    frame.ecn = static_cast<Ecn>(number % 4);
    frame.mark.dscp = ClassSelector(3);
    const bool hasPayload = GetOpcodeInfo(opcode).hasPayload;
    frame.payloadBytes = static_cast<uint16_t>(hasPayload ? 61 + number : 0);
    frame.isExtended = true;
    frame.extension = &extension;
    return frame;
}

/** The opcodes that tshark 4.0 knows: it has no XRC. */
std::vector<Opcode>
CommonOpcodes()
{
    std::vector<Opcode> opcodes;
    for (int value = 0; value < 256; ++value)
    {
        const OpcodeInfo* info = FindOpcode(static_cast<uint8_t>(value));
        if (info != nullptr && info->service != TransportService::XRC)
        {
            opcodes.push_back(info->opcode);
        }
    }
    return opcodes;
}

/** One frame of each opcode, a microsecond apart. */
void
WriteAllOpcodes(const std::filesystem::path& path)
{
    std::string text;
    PcapWriter writer{AppendTo(text)};
    std::vector<std::byte> bytes(MAX_FRAME_BYTES);
    int number = 0;
    for (const Opcode opcode : CommonOpcodes())
    {
        FrameExtension extension;
        const Frame frame = FrameOf(opcode, number, extension);
        const RoceAddresses addresses{.sourceMac = InterfaceMac(0),
                                      .destinationMac = InterfaceMac(1),
                                      .sourceIpv4 = InterfaceIpv4(0),
                                      .destinationIpv4 = InterfaceIpv4(1),
                                      .udpSourcePort = 49152};
        const auto identification = static_cast<uint16_t>(FIRST_IDENTIFICATION + number);
        const std::size_t size = WriteRoceFrame(frame, addresses, identification, bytes);
        writer.Write(static_cast<uint64_t>(number) * 1000, std::span{bytes}.first(size));
        ++number;
    }
    std::ofstream{path, std::ios::binary} << text;
}

/** What of a frame stands in the extended headers, in the order of the columns below. */
Line
ExtendedColumns(const Frame& frame)
{
    const OpcodeInfo& info = GetOpcodeInfo(frame.opcode);
    const bool hasAtomic = info.Has(HEADER_ATOMIC_ETH);
    const auto when = [](bool isThere, const std::string& text) { return isThere ? text : ""; };
    return {when(info.Has(HEADER_RETH) || hasAtomic, Hex(ADDRESS, 16)),
            when(info.Has(HEADER_RETH) || hasAtomic, Hex(KEY, 8)),
            when(info.Has(HEADER_RETH), std::to_string(LENGTH)),
            when(info.Has(HEADER_AETH), std::to_string(frame.GetAeth().syndrome)),
            when(info.Has(HEADER_AETH), std::to_string(MSN)),
            when(hasAtomic, std::to_string(SWAP)),
            when(hasAtomic, std::to_string(COMPARE)),
            when(info.Has(HEADER_ATOMIC_ACK_ETH), std::to_string(SWAP)),
            when(info.Has(HEADER_IMMEDIATE), HexBytes(IMMEDIATE, 8)),
            when(info.Has(HEADER_IETH), HexBytes(IMMEDIATE, 8)),
            when(info.Has(HEADER_DETH), Hex(KEY, 16)),
            when(info.Has(HEADER_DETH), Hex(SOURCE_QP, 8))};
}

const std::vector<std::string> COLUMNS{"infiniband.bth.opcode",
                                       "infiniband.bth.destqp",
                                       "infiniband.bth.psn",
                                       "infiniband.bth.a",
                                       "infiniband.bth.se",
                                       "infiniband.bth.padcnt",
                                       "infiniband.bth.p_key",
                                       "ip.dsfield.ecn",
                                       "ip.id",
                                       "ip.checksum.status",
                                       "_ws.malformed",
                                       "infiniband.reth.va",
                                       "infiniband.reth.r_key",
                                       "infiniband.reth.dmalen",
                                       "infiniband.aeth.syndrome",
                                       "infiniband.aeth.msn",
                                       "infiniband.atomiceth.swapdt",
                                       "infiniband.atomiceth.cmpdt",
                                       "infiniband.atomicacketh.origremdt",
                                       "infiniband.immdt",
                                       "infiniband.ieth",
                                       "infiniband.deth.q_key",
                                       "infiniband.deth.srcqp"};

Line
ExpectedLine(const Frame& frame, int number)
{
    const bool isCnp = frame.opcode == Opcode::CNP;
    const auto bit = [](bool isSet) { return std::string{isSet ? "1" : "0"}; };
    Line line{std::to_string(static_cast<int>(frame.opcode)),
              Hex(QP, 6),
              std::to_string(isCnp ? 0 : frame.psn.Get()),
              bit(frame.ackRequest && !isCnp),
              bit(frame.isSolicited && !isCnp),
              std::to_string(PadBytes(frame.payloadBytes)),
              std::to_string(0xffff),
              std::to_string(static_cast<int>(frame.ecn)),
              Hex(static_cast<uint16_t>(FIRST_IDENTIFICATION + number), 4),
              "1", // the checksum is right
              ""}; // nothing is malformed
    const Line extended = ExtendedColumns(frame);
    line.insert(line.end(), extended.begin(), extended.end());
    return line;
}

TEST(Tshark, ReadsEveryOpcodeAsWeWroteIt)
{
    if (!IsTsharkThere())
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.Path() / "opcodes.pcap";
    WriteAllOpcodes(path);
    const std::vector<Line> lines = Dissect(path, COLUMNS);
    const std::vector<Opcode> opcodes = CommonOpcodes();
    ASSERT_EQ(lines.size(), opcodes.size());
    for (int number = 0; number < static_cast<int>(opcodes.size()); ++number)
    {
        FrameExtension extension;
        const Frame frame = FrameOf(opcodes[number], number, extension);
        EXPECT_EQ(lines[number], ExpectedLine(frame, number))
            << GetOpcodeInfo(opcodes[number]).name;
    }
}

TEST(Tshark, ReadsPauseFrames)
{
    if (!IsTsharkThere())
    {
        GTEST_SKIP() << "tshark is not installed";
    }
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.Path() / "pause.pcap";
    {
        std::string text;
        PcapWriter writer{AppendTo(text)};
        std::array<std::byte, PfcFrame::SIZE> bytes;
        PauseFrame{.source = InterfaceMac(0), .quanta = 0x1234}.Emit(bytes);
        writer.Write(0, bytes);
        PfcFrame{.source = InterfaceMac(0), .classEnable = 0x09, .quanta = {5, 0, 0, 0xffff}}.Emit(
            bytes);
        writer.Write(1'000'000'007, bytes);
        std::ofstream{path, std::ios::binary} << text;
    }
    const std::vector<Line> lines = Dissect(path,
                                            {"frame.time_epoch",
                                             "macc.opcode",
                                             "macc.pause_time",
                                             "macc.cbfc.enbv",
                                             "macc.cbfc.pause_time.c0",
                                             "macc.cbfc.pause_time.c3",
                                             "_ws.malformed"});
    EXPECT_THAT(
        lines,
        testing::ElementsAre(Line{"0.000000000", "0x0001", "4660", "", "", "", ""},
                             Line{"1.000000007", "0x0101", "", "0x0009", "5", "65535", ""}));
}

} // namespace
} // namespace ns3::rdma
