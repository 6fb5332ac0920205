// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/aeth.h"
#include "wire/atomic-ack-eth.h"
#include "wire/atomic-eth.h"
#include "wire/bth.h"
#include "wire/cnp.h"
#include "wire/deth.h"
#include "wire/ethernet.h"
#include "wire/grh.h"
#include "wire/ieth.h"
#include "wire/immediate.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/reth.h"
#include "wire/udp.h"
#include "wire/xrceth.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

/**
 * What holds for every header: these bytes are this value and back, nothing is written beside
 * SIZE, bytes behind do not matter, fewer than SIZE are no header, and every other value of the
 * same bits either is no header or comes back as it was.
 */
template <typename T>
void
CheckCodec(std::string_view hex, const T& value)
{
    const std::vector<std::byte> bytes = FromHex(hex);
    ASSERT_EQ(bytes.size(), T::SIZE);
    EXPECT_EQ(T::Parse(bytes), value);

    constexpr std::byte FILL{0xa5};
    std::vector<std::byte> emitted(T::SIZE + 2, FILL);
    value.Emit(std::span{emitted}.subspan(1).first<T::SIZE>());
    EXPECT_EQ(ToHex(std::span{emitted}.subspan(1, T::SIZE)), ToHex(bytes));
    EXPECT_EQ(emitted.front(), FILL);
    EXPECT_EQ(emitted.back(), FILL);

    std::vector<std::byte> longer = bytes;
    longer.push_back(FILL);
    EXPECT_EQ(T::Parse(longer), value);
    for (std::size_t size = 0; size < T::SIZE; ++size)
    {
        EXPECT_FALSE(T::Parse(std::span{bytes}.first(size))) << size << " bytes";
    }
    for (std::size_t bit = 0; bit < 8 * T::SIZE; ++bit)
    {
        std::vector<std::byte> flipped = bytes;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        const std::optional<T> parsed = T::Parse(flipped);
        if (parsed)
        {
            EXPECT_NE(*parsed, value) << "bit " << bit;
            std::vector<std::byte> again(T::SIZE, FILL);
            parsed->Emit(std::span{again}.template first<T::SIZE>());
            EXPECT_EQ(ToHex(again), ToHex(flipped)) << "bit " << bit;
        }
    }
}

constexpr MacAddress
Mac(uint8_t last)
{
    return {std::byte{0x52}, std::byte{0x54}, {}, {}, {}, std::byte{last}};
}

TEST(HeaderCodecs, Ethernet)
{
    // Captured: rxe_vt_allops.pcap, frame 1.
    CheckCodec("525400000002 525400000001 0800",
               EthernetFields{.destination = Mac(2), .source = Mac(1), .etherType = 0x0800});
    // IEEE 802.1Q clause 9.6: PCP three bits, DEI one, VID twelve.
    CheckCodec("7064 86dd",
               VlanTag{.priority = 3, .dropEligible = true, .vlan = 100, .etherType = 0x86dd});
}

/** Captured: rxe_vt_tclass_hop.pcap, frame 4, from 10.0.0.1 to 10.0.0.2. */
TEST(HeaderCodecs, Ipv4)
{
    const Ipv4Fields fields{.trafficClass = 0x6a,
                            .totalLength = 60,
                            .identification = 0xe400,
                            .fragment = Ipv4Fields::DONT_FRAGMENT,
                            .timeToLive = 64,
                            .protocol = Ipv4Fields::PROTOCOL_UDP,
                            .checksum = 0x4244,
                            .source = 0x0a000001,
                            .destination = 0x0a000002};
    CheckCodec("456a003ce400400040114244 0a000001 0a000002", fields);
    EXPECT_EQ(fields.ComputeChecksum(), fields.checksum);
    EXPECT_FALSE(Ipv4Fields::Parse(FromHex("4620003cea28400040113c660a0000010a00000201010101")))
        << "six words: options";
}

/** RFC 1071 section 3 adds 0001 f203 f4f5 f6f7 to ddf2; here they are the addresses. */
TEST(HeaderCodecs, Ipv4ChecksumAddsAsTheRfcDoes)
{
    const Ipv4Fields fields{.source = 0x0001f203, .destination = 0xf4f5f6f7};
    // 0x4500, version and length, is the only other word that is not zero: ddf2 + 4500 = 122f2,
    // the carry comes back: 22f3.
    EXPECT_EQ(fields.ComputeChecksum(), static_cast<uint16_t>(~0x22f3));
}

/** RFC 8200 section 3: version 6, traffic class 8 bits, flow label 20, then whole bytes. */
TEST(HeaderCodecs, Ipv6AndGlobalRouteHeader)
{
    Gid source{};
    source[0] = std::byte{0xfe};
    source[1] = std::byte{0x80};
    Gid destination = source;
    source[15] = std::byte{1};
    destination[15] = std::byte{2};
    constexpr std::string_view ADDRESSES = "fe800000000000000000000000000001"
                                           "fe800000000000000000000000000002";
    CheckCodec(std::string{"62312345 001c 11 40"}.append(ADDRESSES),
               Ipv6Fields{.trafficClass = 0x23,
                          .flowLabel = 0x12345,
                          .payloadLength = 28,
                          .nextHeader = Ipv6Fields::NEXT_HEADER_UDP,
                          .hopLimit = 64,
                          .source = source,
                          .destination = destination});
    // IBTA section 8.3: the same layout; next header 0x1b.
    CheckCodec(std::string{"62312345 0014 1b ff"}.append(ADDRESSES),
               Grh{.trafficClass = 0x23,
                   .flowLabel = 0x12345,
                   .payloadLength = 20,
                   .nextHeader = 0x1b,
                   .hopLimit = 255,
                   .source = source,
                   .destination = destination});
}

/** Captured: rxe_vt_tclass_hop.pcap, frame 4. */
TEST(HeaderCodecs, Udp)
{
    CheckCodec("d950 12b7 0028 0000",
               UdpFields{.sourcePort = 0xd950, .destinationPort = 4791, .length = 40});
}

/** The layout: Linux drivers/infiniband/sw/rxe/rxe_hdr.h, and IBTA section 9.2. */
TEST(HeaderCodecs, Bth)
{
    CheckCodec("0a b5 8001 9a 123456 d5 fedcba",
               Bth{.opcode = 0x0a,
                   .isSolicited = true,
                   .padCount = 3,
                   .version = 5,
                   .partitionKey = 0x8001,
                   .isForwardCongested = true,
                   .reserved6 = 0x1a,
                   .destinationQp = 0x123456,
                   .ackRequest = true,
                   .reserved7 = 0x55,
                   .psn = Psn{0xfedcba}});
    CheckCodec("11 40 ffff 40 000011 00 000000",
               Bth{.opcode = 0x11,
                   .isMigrated = true,
                   .isBackwardCongested = true,
                   .destinationQp = 0x11});
}

/** NVIDIA's "RoCEv2 CNP packet format example": 81 00 ff ff 40, the queue pair, then zeros. */
TEST(HeaderCodecs, CongestionNotification)
{
    CheckCodec("81 00 ffff 40 0000d2 00 000000", MakeCnpBth(0xd2));
    CheckCodec("00000000000000000000000000000000", CnpReserved{});
}

/** Layouts of IBTA section 9.3 and Annex A14; offsets as in Linux rxe_hdr.h. */
TEST(HeaderCodecs, ExtendedTransportHeaders)
{
    CheckCodec(
        "0102030405060708 11121314 21222324",
        Reth{.virtualAddress = 0x0102030405060708, .rkey = 0x11121314, .dmaLength = 0x21222324});
    CheckCodec("1f 00abcd", Aeth{.syndrome = 0x1f, .msn = 0xabcd});
    CheckCodec("0102030405060708 11121314 2122232425262728 3132333435363738",
               AtomicEth{.virtualAddress = 0x0102030405060708,
                         .rkey = 0x11121314,
                         .swapOrAdd = 0x2122232425262728,
                         .compare = 0x3132333435363738});
    CheckCodec("0102030405060708", AtomicAckEth{.original = 0x0102030405060708});
    CheckCodec("01020304", Immediate{.data = 0x01020304});
    CheckCodec("01020304", Ieth{.rkey = 0x01020304});
    CheckCodec("80010000 00 000001", Deth{.queueKey = Deth::GSI_QUEUE_KEY, .sourceQp = 1});
    CheckCodec("00 0a0b0c", Xrceth{.sharedReceiveQueue = 0x0a0b0c});
}

/** Numbers wider than their field lose their upper bits, and harm no neighbour. */
TEST(HeaderCodecs, WideValuesStayInTheirFields)
{
    std::vector<std::byte> bytes(Bth::SIZE);
    Bth{.opcode = 0, .padCount = 0xff, .version = 0xff, .reserved6 = 0xff, .reserved7 = 0xff}.Emit(
        std::span{bytes}.first<Bth::SIZE>());
    EXPECT_EQ(ToHex(bytes), "003fffff3f0000007f000000");
    bytes.resize(Aeth::SIZE);
    Aeth{.syndrome = 0, .msn = 0xff000001}.Emit(std::span{bytes}.first<Aeth::SIZE>());
    EXPECT_EQ(ToHex(bytes), "00000001");
    VlanTag{.priority = 0, .vlan = 0xf001, .etherType = 0}.Emit(
        std::span{bytes}.first<VlanTag::SIZE>());
    EXPECT_EQ(ToHex(bytes), "00010000");
}

} // namespace
} // namespace ns3::rdma
