// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/frame-bytes.h"
#include "wire/pause.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/** A frame as a device would hold it, with the room that it points to. */
struct HeldFrame
{
    Frame frame;
    FrameExtension extension;
    PayloadBlock payload;
};

/** Puts what a captured packet says into a frame with an extension. */
void
Hold(const RocePacket& packet, HeldFrame& held)
{
    Frame& frame = held.frame;
    frame.opcode = packet.GetInfo().opcode;
    frame.destinationQp = packet.bth.destinationQp;
    frame.psn = packet.bth.psn;
    frame.ackRequest = packet.bth.ackRequest;
    frame.isSolicited = packet.bth.isSolicited;
    frame.ecn = static_cast<Ecn>(std::get<Ipv4Fields>(packet.network).trafficClass & 3);
    frame.payloadBytes = static_cast<uint16_t>(packet.payload.size());
    std::ranges::copy(packet.payload, held.payload.bytes.begin());
    const ExtendedHeaders& headers = packet.extended;
    held.extension = {.payload = &held.payload,
                      .reth = headers.reth,
                      .atomic = headers.atomicEth,
                      .aeth = headers.aeth,
                      .atomicOriginal = headers.atomicAckEth.original,
                      .immediate = packet.GetInfo().Has(HEADER_IETH) ? headers.ieth.rkey
                                                                     : headers.immediate.data,
                      .deth = headers.deth,
                      .xrceth = headers.xrceth};
    frame.isExtended = true;
    frame.extension = &held.extension;
}

std::string
HexOf(const Frame& frame, const RoceAddresses& addresses, uint16_t identification)
{
    std::vector<std::byte> bytes(MAX_FRAME_BYTES, std::byte{0xa5});
    const std::size_t size = WriteRoceFrame(frame, addresses, identification, bytes);
    return ToHex(std::span{bytes}.first(size));
}

RoceAddresses
AddressesOf(const RocePacket& packet)
{
    const auto& ip = std::get<Ipv4Fields>(packet.network);
    return {.sourceMac = packet.ethernet.source,
            .destinationMac = packet.ethernet.destination,
            .sourceIpv4 = ip.source,
            .destinationIpv4 = ip.destination,
            .udpSourcePort = packet.udp.sourcePort,
            .timeToLive = ip.timeToLive};
}

/** The bytes that Linux wrote for the same content, from Ethernet to ICRC. */
TEST(FrameBytes, FramesOfLinuxComeOutAsLinuxWroteThem)
{
    int compared = 0;
    for (const SampleFrame& sample : ReadSampleFrames())
    {
        const auto result = RocePacket::Parse(sample.bytes);
        const auto& packet = std::get<RocePacket>(result);
        const auto* ip = std::get_if<Ipv4Fields>(&packet.network);
        if (ip == nullptr || !sample.isGood || packet.bth.isMigrated)
        {
            continue;
        }
        HeldFrame held;
        Hold(packet, held);
        held.frame.mark.dscp = ip->trafficClass >> 2;
        EXPECT_EQ(HexOf(held.frame, AddressesOf(packet), ip->identification), ToHex(sample.bytes))
            << sample.capture << " " << sample.number;
        ++compared;
    }
    EXPECT_EQ(compared, 44);
}

/** An RC acknowledgement in the frame itself, from interface 0 to interface 258. */
Frame
Acknowledgement()
{
    Frame frame;
    frame.opcode = Opcode::RC_ACKNOWLEDGE;
    frame.destinationQp = 0x45;
    frame.psn = Psn{0x123456};
    frame.mark.dscp = 0x60 >> 2;
    frame.aeth = {.syndrome = 0x1f, .msn = 1};
    return frame;
}

const RoceAddresses ADDRESSES{.sourceMac = InterfaceMac(0),
                              .destinationMac = InterfaceMac(258),
                              .sourceIpv4 = InterfaceIpv4(0),
                              .destinationIpv4 = InterfaceIpv4(258),
                              .udpSourcePort = 0xc000};

/** By hand: IPv4 of 48 bytes, UDP of 28, BTH, AETH; the ECN bits are the frame's. */
TEST(FrameBytes, AddressesFollowFromInterfaceNumbers)
{
    Frame frame = Acknowledgement();
    frame.ecn = Ecn::ECT_0;
    const std::string hex = HexOf(frame, ADDRESSES, 7);
    EXPECT_EQ(hex.substr(0, 28),
              "020000000103"
              "020000000001"
              "0800");
    EXPECT_EQ(hex.substr(28, 20), "45620030000740004011");
    EXPECT_EQ(hex.substr(52, 16), "0a0000010a000103");
    EXPECT_EQ(hex.substr(68, 16), "c00012b7001c0000");
    EXPECT_EQ(hex.substr(84, 32), "1100ffff00000045001234561f000001");
    EXPECT_EQ(hex.size(), 2U * (14 + 20 + 8 + 12 + 4 + 4));
}

TEST(FrameBytes, DamagedFramesHaveAnIcrcThatDoesNotFit)
{
    Frame frame = Acknowledgement();
    const std::string good = HexOf(frame, ADDRESSES, 0);
    frame.isDamaged = true;
    const std::string bad = HexOf(frame, ADDRESSES, 0);
    EXPECT_EQ(bad.substr(0, bad.size() - 8), good.substr(0, good.size() - 8));
    const std::vector<std::byte> bytes = FromHex(bad);
    EXPECT_FALSE(std::get<RocePacket>(RocePacket::Parse(bytes)).isIcrcGood);
}

TEST(FrameBytes, PayloadWithoutBytesIsZeros)
{
    Frame frame;
    frame.opcode = Opcode::UC_SEND_ONLY;
    for (const uint16_t payloadBytes : {0, 1, 4096, 9000})
    {
        frame.payloadBytes = payloadBytes;
        const std::vector<std::byte> bytes = FromHex(HexOf(frame, ADDRESSES, 0));
        EXPECT_EQ(bytes.size(),
                  RoceFrameBytes(0, payloadBytes) - FCS_BYTES -
                      (payloadBytes == 0 ? 2 : 0)) // 62 bytes: padded on the wire
            << payloadBytes;
        const auto packet = std::get<RocePacket>(RocePacket::Parse(bytes));
        EXPECT_TRUE(packet.isIcrcGood);
        EXPECT_EQ(packet.payload.size(), payloadBytes);
        EXPECT_TRUE(std::ranges::all_of(packet.payload, [](auto b) { return b == std::byte{}; }));
    }
}

/** NVIDIA's "RoCEv2 CNP packet format example": BECN, PSN 0, no AckReq, 74 bytes. */
TEST(FrameBytes, CongestionNotification)
{
    Frame frame;
    frame.opcode = Opcode::CNP;
    frame.destinationQp = 0xd2;
    const std::string hex = HexOf(frame, ADDRESSES, 0);
    EXPECT_EQ(hex.substr(84, 56), "8100ffff400000d200000000" + std::string(32, '0'));
    EXPECT_EQ(hex.size(), 2U * 74);
}

/** IEEE 802.1Q: 8100, PCP 5 in the upper three bits of the tag, VLAN 0; the rest as without. */
TEST(FrameBytes, TagHoldsThePriority)
{
    Frame frame = Acknowledgement();
    const std::string plain = HexOf(frame, ADDRESSES, 7);
    frame.mark.pcp = 5;
    EXPECT_EQ(HexOf(frame, ADDRESSES, 7), plain.substr(0, 24) + "8100a000" + plain.substr(24));
}

/** IEEE 802.3 annex 31B: opcode 0001, the time, and 42 bytes of zeros: 60 without FCS. */
TEST(FrameBytes, PauseFrameOfASwitchPort)
{
    Frame frame;
    frame.kind = FrameKind::PAUSE;
    frame.pfcQuanta = {0xffff, 0, 0, 0, 0, 0, 0, 0};
    std::vector<std::byte> bytes(MAX_FRAME_BYTES);
    const std::size_t size = WritePauseFrame(frame, SwitchPortMac(0x0102, 3), bytes);
    EXPECT_EQ(ToHex(std::span{bytes}.first(size)),
              "0180c2000001"
              "060001020003"
              "8808"
              "0001"
              "ffff" +
                  std::string(84, '0'));
}

TEST(FrameBytes, PfcFrameOfASwitchPort)
{
    Frame frame;
    frame.kind = FrameKind::PFC;
    frame.pfcClassEnable = PriorityBit(3);
    frame.pfcQuanta = {0, 0, 0, 0xffff, 0, 0, 0, 0};
    std::vector<std::byte> bytes(MAX_FRAME_BYTES);
    const std::size_t size = WritePauseFrame(frame, SwitchPortMac(0x0102, 3), bytes);
    EXPECT_EQ(size, 60U); // 64 with the FCS
    const std::optional<PfcFrame> parsed = PfcFrame::Parse(std::span{bytes}.first(size));
    ASSERT_TRUE(parsed);
    EXPECT_EQ(ToHex(parsed->source), "060001020003");
    EXPECT_EQ(parsed->classEnable, 0x08);
    EXPECT_EQ(parsed->quanta, frame.pfcQuanta);
}

} // namespace
} // namespace ns3::rdma
