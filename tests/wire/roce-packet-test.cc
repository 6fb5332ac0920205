// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/pcap-file.h"
#include "wire/roce-packet.h"

#include <gmock/gmock.h>
#include <map>

namespace ns3::rdma
{
namespace
{

RoceError
ErrorOf(std::span<const std::byte> frame)
{
    const auto result = RocePacket::Parse(frame);
    EXPECT_TRUE(std::holds_alternative<RoceError>(result));
    const auto* error = std::get_if<RoceError>(&result);
    return error == nullptr ? RoceError::NOT_ROCE : *error;
}

/** The frame as a packet; the frame outlives it. */
RocePacket
PacketOf(std::span<const std::byte> frame)
{
    const auto result = RocePacket::Parse(frame);
    const auto* packet = std::get_if<RocePacket>(&result);
    EXPECT_NE(packet, nullptr) << ToHex(frame);
    return packet == nullptr ? RocePacket{} : *packet;
}

std::vector<std::byte>
BytesOf(const RocePacket& packet)
{
    std::vector<std::byte> bytes(packet.GetSize(), std::byte{0xa5});
    packet.Emit(bytes);
    return bytes;
}

/** A frame of the samples. */
std::vector<std::byte>
Sample(std::string_view capture, int number)
{
    for (const SampleFrame& frame : ReadSampleFrames())
    {
        if (frame.capture == capture && frame.number == number)
        {
            return frame.bytes;
        }
    }
    ADD_FAILURE() << "no sample " << capture << " " << number;
    return {};
}

TEST(RocePacket, SamplesComeBackAsTheyWere)
{
    for (const SampleFrame& frame : ReadSampleFrames())
    {
        SCOPED_TRACE(frame.capture + " " + std::to_string(frame.number));
        RocePacket packet = PacketOf(frame.bytes);
        EXPECT_EQ(packet.isIcrcGood, frame.isGood);
        EXPECT_EQ(ToHex(BytesOf(packet)), ToHex(frame.bytes));
        packet.Complete();
        EXPECT_EQ(ToHex(BytesOf(packet)) == ToHex(frame.bytes), frame.isGood)
            << "Linux fills in lengths, pad, checksums and ICRC alike";
    }
}

/** The expected fields were read by an independent decoder of the captures. */
TEST(RocePacket, FieldsOfACompareAndSwap)
{
    const std::vector<std::byte> bytes = Sample("rxe_vt_allops.pcap", 68);
    const RocePacket packet = PacketOf(bytes);
    EXPECT_EQ(packet.bth,
              (Bth{.opcode = static_cast<uint8_t>(Opcode::RC_COMPARE_SWAP),
                   .destinationQp = 0x44,
                   .ackRequest = true,
                   .psn = Psn{0x12347b}}));
    EXPECT_EQ(packet.extended.atomicEth,
              (AtomicEth{
                  .virtualAddress = 0x7f8b7585a000, .rkey = 0x34ed, .swapOrAdd = 7, .compare = 5}));
    EXPECT_EQ(std::get<Ipv4Fields>(packet.network).source, 0x0a000001U); // 10.0.0.1
    EXPECT_TRUE(packet.payload.empty());
}

/** A REQ of the connection manager: 256 bytes from QP1 to QP1. @spec IBTA section 13.4.2 */
TEST(RocePacket, ManagementDatagram)
{
    const std::vector<std::byte> bytes = Sample("rxe_cm_vt.pcap", 1);
    const RocePacket packet = PacketOf(bytes);
    EXPECT_EQ(packet.GetInfo().service, TransportService::UD);
    EXPECT_EQ(packet.bth.destinationQp, 1U);
    EXPECT_EQ(packet.extended.deth, (Deth{.queueKey = Deth::GSI_QUEUE_KEY, .sourceQp = 1}));
    EXPECT_EQ(packet.payload.size(), 256U);
}

TEST(RocePacket, TrailerIsKeptAndNotPartOfThePacket)
{
    std::vector<std::byte> bytes = Sample("rxe_vt_allops.pcap", 2);
    bytes.resize(bytes.size() + 6, std::byte{0x77});
    const RocePacket packet = PacketOf(bytes);
    EXPECT_TRUE(packet.isIcrcGood);
    EXPECT_EQ(packet.trailer.size(), 6U);
    EXPECT_EQ(ToHex(BytesOf(packet)), ToHex(bytes));
}

/** A tag changes neither datagram nor ICRC. */
TEST(RocePacket, VlanTag)
{
    const std::vector<std::byte> plain = Sample("rxe_vt_allops.pcap", 1);
    std::vector<std::byte> tagged = plain;
    const std::vector<std::byte> tag = FromHex("81006064");
    tagged.insert(tagged.begin() + 12, tag.begin(), tag.end());
    RocePacket packet = PacketOf(tagged);
    EXPECT_TRUE(packet.isIcrcGood);
    EXPECT_EQ(packet.vlan, (VlanTag{.priority = 3, .vlan = 100, .etherType = ETHERTYPE_IPV4}));
    packet.Complete();
    EXPECT_EQ(ToHex(BytesOf(packet)), ToHex(tagged));
}

/** From an acknowledgement over IPv6 made by hand: 14 + 40 + 12 + 4 + 4 bytes (Annex A16). */
TEST(RocePacket, RoceV1)
{
    const std::vector<std::byte> sample = Sample("rxe_rc_pingpong_ipv6.pcap", 5);
    RocePacket packet = PacketOf(sample);
    const Ipv6Fields ip = std::get<Ipv6Fields>(packet.network);
    packet.network = Grh{.hopLimit = 64, .source = ip.source, .destination = ip.destination};
    packet.Complete();
    const std::vector<std::byte> bytes = BytesOf(packet);
    EXPECT_EQ(bytes.size(), 74U);
    EXPECT_EQ(LoadBigEndian<uint16_t>(bytes, 12), 0x8915);
    const RocePacket again = PacketOf(bytes);
    EXPECT_TRUE(again.isIcrcGood);
    EXPECT_EQ(std::get<Grh>(again.network).payloadLength, 12 + 4 + 4);
    EXPECT_EQ(again.extended.aeth, packet.extended.aeth);
}

/** NVIDIA's example: 74 bytes without FCS, 16 reserved bytes that are zero. */
TEST(RocePacket, CongestionNotification)
{
    RocePacket packet{.network = Ipv4Fields{.timeToLive = 64}};
    packet.bth = MakeCnpBth(0xd2);
    packet.Complete();
    const std::vector<std::byte> bytes = BytesOf(packet);
    EXPECT_EQ(bytes.size(), 74U);
    EXPECT_EQ(ToHex(std::span{bytes}.subspan(42, 28)),
              "8100ffff400000d200000000" + std::string(32, '0'));
    EXPECT_TRUE(PacketOf(bytes).isIcrcGood);
}

/** The frame with one byte changed. */
std::vector<std::byte>
WithByte(std::vector<std::byte> frame, std::size_t offset, unsigned value)
{
    frame.at(offset) = static_cast<std::byte>(value);
    return frame;
}

/** The frame with other fields of IPv4, their checksum right. */
template <typename Change>
std::vector<std::byte>
WithIpv4(std::vector<std::byte> frame, Change change)
{
    const auto bytes = std::span{frame}.subspan(EthernetFields::SIZE).first<Ipv4Fields::SIZE>();
    Ipv4Fields fields = Ipv4Fields::Parse(bytes).value();
    change(fields);
    fields.checksum = fields.ComputeChecksum();
    fields.Emit(bytes);
    return frame;
}

/** Offsets in an RC acknowledgement over IPv4: 14 IPv4, 34 UDP, 42 BTH, 54 AETH, 58 ICRC. */
TEST(RocePacket, SaysWhatIsWrongWithAHeader)
{
    const std::vector<std::byte> ack = Sample("rxe_vt_allops.pcap", 2);
    EXPECT_EQ(ErrorOf(WithByte(ack, 12, 0x09)), RoceError::NOT_ROCE);        // EtherType
    EXPECT_EQ(ErrorOf(WithByte(ack, 14, 0x46)), RoceError::IPV4_OPTIONS);    // six words
    EXPECT_EQ(ErrorOf(WithByte(ack, 14, 0x65)), RoceError::IPV4_OPTIONS);    // version 6
    EXPECT_EQ(ErrorOf(WithByte(ack, 22, 0x3f)), RoceError::IPV4_CHECKSUM);   // time to live
    EXPECT_EQ(ErrorOf(WithByte(ack, 36, 0x13)), RoceError::NOT_ROCE);        // UDP port
    EXPECT_EQ(ErrorOf(WithByte(ack, 39, 0x1d)), RoceError::LENGTH_MISMATCH); // UDP length
    EXPECT_EQ(ErrorOf(WithByte(ack, 42, 0x15)), RoceError::UNKNOWN_OPCODE);  // reserved value
    EXPECT_EQ(ErrorOf(WithByte(ack, 42, 0x0c)), RoceError::TRUNCATED);       // RETH in four bytes
    EXPECT_EQ(ErrorOf(WithIpv4(ack, [](Ipv4Fields& f) { f.protocol = 6; })), RoceError::NOT_ROCE);
    EXPECT_EQ(ErrorOf(WithIpv4(ack, [](Ipv4Fields& f) { f.fragment = 0x2000; })),
              RoceError::FRAGMENT);
    EXPECT_EQ(ErrorOf(WithIpv4(ack, [](Ipv4Fields& f) { f.totalLength = 19; })),
              RoceError::LENGTH_MISMATCH);
    EXPECT_EQ(ErrorOf(WithIpv4(ack, [](Ipv4Fields& f) { f.totalLength = 49; })),
              RoceError::TRUNCATED);
}

TEST(RocePacket, SaysWhatIsWrongWithPayloadAndPad)
{
    // A WRITE Only without data, read as an acknowledgement, has 12 bytes too many.
    const std::vector<std::byte> write = Sample("rxe_vt_allops.pcap", 1);
    EXPECT_EQ(ErrorOf(WithByte(write, 42, 0x11)), RoceError::UNEXPECTED_PAYLOAD);
    // One byte of pad where there is no byte.
    EXPECT_EQ(ErrorOf(WithByte(write, 43, 0x10)), RoceError::PAD_COUNT);
    // A datagram that ends a byte early: 15 bytes instead of the RETH's 16, or of a SEND's 16.
    std::vector<std::byte> cut = WithIpv4(write, [](Ipv4Fields& f) { --f.totalLength; });
    cut = WithByte(cut, 39, 0x27);
    EXPECT_EQ(ErrorOf(cut), RoceError::TRUNCATED);
    EXPECT_EQ(ErrorOf(WithByte(cut, 42, 0x04)), RoceError::PAD_COUNT);
}

TEST(RocePacket, EveryBeginningOfAFrameIsTruncated)
{
    for (const SampleFrame& frame : ReadSampleFrames())
    {
        for (std::size_t size = 0; size < frame.bytes.size(); ++size)
        {
            // Bytes of their own, so that a sanitizer sees a read behind them.
            const std::vector<std::byte> start(frame.bytes.begin(), frame.bytes.begin() + size);
            ASSERT_EQ(ErrorOf(start), RoceError::TRUNCATED) << frame.capture << " " << size;
        }
    }
}

TEST(RocePacket, EveryErrorHasAName)
{
    EXPECT_EQ(ToString(RoceError::NOT_ROCE), "not RoCE");
    EXPECT_EQ(ToString(RoceError::UNEXPECTED_PAYLOAD), "unexpected payload");
}

/** What a folder of captures holds. */
struct Census
{
    int good{0};
    int damaged{0};
    int datagrams{0}; ///< UD
    int different{0}; ///< came back otherwise
    std::map<RoceError, int> errors;
};

void
CountFile(const std::filesystem::path& path, Census& census)
{
    Expected<PcapReader> reader = PcapReader::Open(path);
    ASSERT_TRUE(reader) << path;
    while (true)
    {
        const Expected<std::optional<PcapRecord>> record = reader->Next();
        ASSERT_TRUE(record) << ToString(record.Errors());
        if (!*record)
        {
            return;
        }
        const auto result = RocePacket::Parse((*record)->bytes);
        if (const auto* error = std::get_if<RoceError>(&result))
        {
            ++census.errors[*error];
            continue;
        }
        const auto& packet = std::get<RocePacket>(result);
        ++(packet.isIcrcGood ? census.good : census.damaged);
        census.datagrams += packet.GetInfo().service == TransportService::UD ? 1 : 0;
        census.different += std::ranges::equal(BytesOf(packet), (*record)->bytes) ? 0 : 1;
    }
}

/** Counts by an independent ICRC program over the same files: 8442 right, 3 made wrong. */
TEST(RocePacket, AllCapturesOfLinuxComeBackAsTheyWere)
{
    const std::filesystem::path folder = SharedFolder("captures/pcap");
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << "no captures in " << folder;
    }
    Census census;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
    {
        CountFile(entry.path(), census);
    }
    EXPECT_EQ(census.good, 8442);
    EXPECT_EQ(census.damaged, 3);
    EXPECT_EQ(census.different, 0);
    EXPECT_EQ(census.datagrams, 112);
    EXPECT_THAT(census.errors, testing::ElementsAre(testing::Key(RoceError::NOT_ROCE)))
        << "TCP and ARP only";
}

/** github.com/oferby/proxy says of its capture: 105 RoCEv2 packets. */
TEST(RocePacket, APublicCaptureComesBackAsItWas)
{
    const std::filesystem::path path = SharedFolder("samples/pcap/oferby_roce.pcap");
    if (!std::filesystem::exists(path))
    {
        GTEST_SKIP() << "no " << path;
    }
    Census census;
    CountFile(path, census);
    EXPECT_EQ(census.good, 105);
    EXPECT_EQ(census.damaged + census.different, 0);
}

} // namespace
} // namespace ns3::rdma
