// SPDX-License-Identifier: GPL-2.0-only
#include "wire/flow-hash.h"
#include "wire/foreign-frame.h"
#include "wire/frame-bytes.h"
#include "wire/ipv4.h"
#include "wire/udp.h"

#include <gmock/gmock.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

/** A frame of another stack as a device would hold it, with the room that it points to. */
struct HeldForeign
{
    explicit HeldForeign(const Ipv4Fields& ip, uint16_t etherType = ETHERTYPE_IPV4)
    {
        payload.bytes.fill(std::byte{0});
        const std::span<std::byte> bytes{payload.bytes};
        EthernetFields{InterfaceMac(1), InterfaceMac(0), etherType}.Emit(
            bytes.first<EthernetFields::SIZE>());
        ip.Emit(bytes.subspan<EthernetFields::SIZE, Ipv4Fields::SIZE>());
        const UdpFields udp{.sourcePort = 1234, .destinationPort = 5678};
        udp.Emit(bytes.subspan<EthernetFields::SIZE + Ipv4Fields::SIZE, UdpFields::SIZE>());
        frame.kind = FrameKind::FOREIGN;
        frame.isExtended = true;
        frame.extension = &extension;
        extension.payload = &payload;
        frame.payloadBytes = EthernetFields::SIZE + Ipv4Fields::SIZE + UdpFields::SIZE;
        DescribeForeign(frame, {.source = 0, .destination = 1});
    }

    Ipv4Fields Write() const
    {
        std::vector<std::byte> bytes(MAX_FOREIGN_BYTES, std::byte{0xa5});
        EXPECT_EQ(WriteForeignFrame(frame, bytes), frame.payloadBytes);
        EXPECT_EQ(bytes[frame.payloadBytes], std::byte{0xa5});
        return Ipv4Fields::Parse(std::span{bytes}.subspan(EthernetFields::SIZE)).value();
    }

    Frame frame;
    FrameExtension extension;
    PayloadBlock payload;
};

Ipv4Fields
MakeIp(uint8_t trafficClass, uint16_t identification = 7)
{
    Ipv4Fields ip{.trafficClass = trafficClass,
                  .totalLength = Ipv4Fields::SIZE + UdpFields::SIZE,
                  .identification = identification,
                  .timeToLive = 64,
                  .protocol = Ipv4Fields::PROTOCOL_UDP,
                  .source = InterfaceIpv4(0),
                  .destination = InterfaceIpv4(1)};
    ip.checksum = ip.ComputeChecksum();
    return ip;
}

TEST(ForeignFrame, IsDescribedByItsHeaders)
{
    const HeldForeign held{MakeIp(5 << 5 | 2)}; // class selector 5, ECT(0)
    EXPECT_EQ(held.frame.priority, 5);
    EXPECT_EQ(held.frame.ecn, Ecn::ECT_0);
    EXPECT_EQ(held.frame.destination, 1U);
    EXPECT_EQ(held.frame.frameBytes, 64); // 42 and FCS, padded
    EXPECT_EQ(held.frame.flowHash, FlowHash(0, 1, FlowPorts{17, 1234, 5678}));
}

TEST(ForeignFrame, FragmentsOfADatagramHaveOneHash)
{
    Ipv4Fields first = MakeIp(0);
    first.fragment = 0x2000; // more fragments
    Ipv4Fields second = MakeIp(0);
    second.fragment = 0x0003; // offset 24
    EXPECT_EQ(HeldForeign{first}.frame.flowHash, FlowHash(0, 1, FlowPorts{17, 0, 0}));
    EXPECT_EQ(HeldForeign{second}.frame.flowHash, HeldForeign{first}.frame.flowHash);
}

TEST(ForeignFrame, WhatIsNotIpv4HasPriorityZero)
{
    const HeldForeign held{MakeIp(5 << 5 | 2), 0x88cc};
    EXPECT_EQ(held.frame.priority, 0);
    EXPECT_EQ(held.frame.ecn, Ecn::NOT_ECT);
}

TEST(ForeignFrame, MarkComesIntoTheHeaderAndItsChecksumFollows)
{
    // All identifications of 16 bits, so that every carry of the checksum occurs.
    for (uint32_t identification = 0; identification < 0x10000; identification += 5)
    {
        HeldForeign held{MakeIp(2, static_cast<uint16_t>(identification))};
        held.frame.ecn = Ecn::CE;
        const Ipv4Fields ip = held.Write();
        ASSERT_EQ(ip.trafficClass, 3);
        ASSERT_EQ(ip.checksum, ip.ComputeChecksum()) << identification;
    }
}

TEST(ForeignFrame, MarkDoesNotRepairAWrongChecksum)
{
    Ipv4Fields wrong = MakeIp(2);
    wrong.checksum ^= 0x0100;
    HeldForeign held{wrong};
    held.frame.ecn = Ecn::CE;
    const Ipv4Fields ip = held.Write();
    EXPECT_NE(ip.checksum, ip.ComputeChecksum());
}

TEST(ForeignFrame, WithoutAMarkBytesStayAsTheyAre)
{
    const HeldForeign held{MakeIp(2)};
    EXPECT_EQ(held.Write(), MakeIp(2));
}

TEST(FrameBytes, InterfaceIsFoundByItsAddress)
{
    for (const uint32_t interface : {0U, 1U, 255U, 65535U, MAX_ADDRESSED_INTERFACES - 1})
    {
        EXPECT_EQ(FindInterface(InterfaceMac(interface)), interface);
    }
    MacAddress other = InterfaceMac(7);
    other[0] = std::byte{0x06};
    EXPECT_EQ(FindInterface(other), std::nullopt);
    other.fill(std::byte{0xff});
    EXPECT_EQ(FindInterface(other), std::nullopt);
    MacAddress network{std::byte{0x02}};
    EXPECT_EQ(FindInterface(network), std::nullopt);
}

} // namespace
} // namespace ns3::rdma
