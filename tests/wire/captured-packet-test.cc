// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/captured-packet.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

CaptureRecord
Record(std::span<const std::byte> bytes, std::size_t originalBytes)
{
    CaptureRecord record;
    record.bytes = bytes;
    record.originalBytes = static_cast<uint32_t>(originalBytes);
    record.linkType = PCAP_LINK_ETHERNET;
    return record;
}

TEST(CapturedPacket, AgreesWithTheParserOfWholeFrames)
{
    int packets = 0;
    for (const SampleFrame& frame : ReadSampleFrames())
    {
        const auto whole = RocePacket::Parse(frame.bytes);
        CapturedPacket packet;
        const auto kind =
            PacketDissector{}.Dissect(Record(frame.bytes, frame.bytes.size()), packet);
        const auto* parsed = std::get_if<RocePacket>(&whole);
        ASSERT_EQ(kind == CapturedKind::RDMA, parsed != nullptr) << frame.capture;
        if (parsed != nullptr)
        {
            ++packets;
            EXPECT_EQ(packet.bth, parsed->bth);
            EXPECT_EQ(packet.payloadBytes, parsed->payload.size());
            EXPECT_EQ(packet.HasWrongIcrc(), !parsed->isIcrcGood) << frame.capture << frame.number;
            EXPECT_EQ(packet.HasWrongIcrc(), !frame.isGood);
        }
    }
    EXPECT_GT(packets, 10);
}

TEST(CapturedPacket, ACutFrameSaysItsLengthAsLongAsItsHeadersAreThere)
{
    for (const SampleFrame& frame : ReadSampleFrames())
    {
        CapturedPacket whole;
        const auto kind = PacketDissector{}.Dissect(Record(frame.bytes, frame.bytes.size()), whole);
        for (std::size_t held = 0; held < frame.bytes.size(); ++held)
        {
            CapturedPacket packet;
            const auto cut = PacketDissector{}.Dissect(
                Record(std::span{frame.bytes}.first(held), frame.bytes.size()), packet);
            if (cut == CapturedKind::CUT)
            {
                continue;
            }
            EXPECT_EQ(cut, kind) << held;
            EXPECT_EQ(packet.payloadBytes, whole.payloadBytes) << held;
            EXPECT_TRUE(kind != CapturedKind::RDMA || packet.isCut) << held;
            EXPECT_FALSE(packet.HasWrongIcrc()) << "it cannot be told";
        }
    }
}

} // namespace
} // namespace ns3::rdma
