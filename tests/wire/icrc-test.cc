// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/ethernet.h"
#include "wire/icrc.h"

#include <gmock/gmock.h>
#include <map>
#include <set>

namespace ns3::rdma
{
namespace
{

constexpr std::size_t ICRC_SIZE = 4;

uint32_t
IcrcOf(std::span<const std::byte> packet)
{
    return Icrc{packet}.Get();
}

/** From the network header up to the ICRC, of the first good sample that has an EtherType. */
std::vector<std::byte>
SamplePacket(uint16_t etherType)
{
    for (const SampleFrame& frame : ReadSampleFrames())
    {
        if (frame.isGood && LoadBigEndian<uint16_t>(frame.bytes, 12) == etherType)
        {
            return {frame.bytes.begin() + EthernetFields::SIZE, frame.bytes.end() - ICRC_SIZE};
        }
    }
    return {};
}

/** Bits whose change leaves the CRC as it is, by byte of the packet. */
std::map<std::size_t, unsigned>
FreeBits(const std::vector<std::byte>& packet)
{
    std::map<std::size_t, unsigned> freeBits;
    for (std::size_t bit = 0; bit < 8 * packet.size(); ++bit)
    {
        std::vector<std::byte> flipped = packet;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        if (IcrcOf(flipped) == IcrcOf(packet))
        {
            freeBits[bit / 8] |= 1U << bit % 8;
        }
    }
    return freeBits;
}

TEST(Icrc, AgreesWithTheCaptures)
{
    const std::vector<SampleFrame> frames = ReadSampleFrames();
    ASSERT_EQ(frames.size(), 51U);
    for (const SampleFrame& frame : frames)
    {
        const std::span<const std::byte> bytes{frame.bytes};
        const std::size_t end = bytes.size() - ICRC_SIZE;
        const auto packet = bytes.subspan(EthernetFields::SIZE, end - EthernetFields::SIZE);
        EXPECT_EQ(IcrcOf(packet) == LoadLittleEndian<uint32_t>(bytes, end), frame.isGood)
            << frame.capture << " " << frame.number;
    }
}

/** Annex A17: TOS, TTL, header checksum; UDP checksum; BTH byte 4. */
TEST(Icrc, MaskedFieldsOverIpv4)
{
    const std::map<std::size_t, unsigned> expected{{1, 0xff},
                                                   {8, 0xff},
                                                   {10, 0xff},
                                                   {11, 0xff},
                                                   {20 + 6, 0xff},
                                                   {20 + 7, 0xff},
                                                   {28 + 4, 0xff}};
    EXPECT_EQ(FreeBits(SamplePacket(ETHERTYPE_IPV4)), expected);
}

/** Annex A17: traffic class and flow label (28 bits), hop limit; UDP checksum; BTH byte 4. */
TEST(Icrc, MaskedFieldsOverIpv6)
{
    std::map<std::size_t, unsigned> freeBits = FreeBits(SamplePacket(ETHERTYPE_IPV6));
    const std::map<std::size_t, unsigned> expected{{0, 0x0f},
                                                   {1, 0xff},
                                                   {2, 0xff},
                                                   {3, 0xff},
                                                   {7, 0xff},
                                                   {40 + 6, 0xff},
                                                   {40 + 7, 0xff},
                                                   {48 + 4, 0xff}};
    EXPECT_EQ(freeBits, expected);
}

/**
 * IBTA section 7.8.1, global packet: LRH ones; traffic class, flow label and hop limit of the GRH;
 * BTH byte 4. The expected value is the CRC of exactly those bytes.
 */
TEST(Icrc, GlobalPacketOfRoceV1)
{
    const std::string addresses =
        "fe8000000000000050540000fe000001fe8000000000000050540000fe000002";
    const std::string tail = "0000d2 00 000001 1f000001";
    const std::vector<std::byte> packet =
        FromHex("60212345 0014 1b 40" + addresses + "1100ffff 40" + tail);
    Crc32 expected;
    expected.Update(
        FromHex("ffffffffffffffff 6fffffff 0014 1b ff" + addresses + "1100ffff ff" + tail));
    EXPECT_EQ(IcrcOf(packet), expected.Get());
    const std::map<std::size_t, unsigned> freeBits{
        {0, 0x0f}, {1, 0xff}, {2, 0xff}, {3, 0xff}, {7, 0xff}, {40 + 4, 0xff}};
    EXPECT_EQ(FreeBits(packet), freeBits);
}

TEST(Icrc, PiecesAddUp)
{
    const std::vector<std::byte> packet = SamplePacket(ETHERTYPE_IPV4);
    constexpr std::size_t HEADERS = 40; // IPv4, UDP and BTH
    for (std::size_t split = HEADERS; split <= packet.size(); ++split)
    {
        Icrc icrc{std::span{packet}.first(split)};
        icrc.Update(std::span{packet}.subspan(split));
        EXPECT_EQ(icrc.Get(), IcrcOf(packet)) << split;
    }
}

TEST(Icrc, ShortPacketsHarmNothing)
{
    const std::vector<std::byte> packet = SamplePacket(ETHERTYPE_IPV6);
    std::set<uint32_t> values;
    for (std::size_t size = 0; size < packet.size(); ++size)
    {
        values.insert(IcrcOf(std::span{packet}.first(size)));
    }
    EXPECT_GT(values.size(), packet.size() / 2);
}

} // namespace
} // namespace ns3::rdma
