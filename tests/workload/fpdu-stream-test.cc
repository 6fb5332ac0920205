// SPDX-License-Identifier: GPL-2.0-only
// Streams that no capture here has: markers, and FPDUs that do not begin with a segment.
#include "base/reflected-crc.h"
#include "workload/fpdu-stream.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

using Bytes = std::vector<std::byte>;

void
Append(Bytes& bytes, uint64_t value, std::size_t width)
{
    for (std::size_t i = width; i > 0; --i)
    {
        bytes.push_back(static_cast<std::byte>(value >> 8 * (i - 1)));
    }
}

/** "MPA ID Req Frame", flags, revision 1, no private data. */
Bytes
MakeStart()
{
    Bytes bytes;
    for (const char letter : std::string_view{"MPA ID Req Frame"})
    {
        bytes.push_back(static_cast<std::byte>(letter));
    }
    Append(bytes, 0x00010000, 4);
    return bytes;
}

/** A WRITE of some bytes. @spec RFC 5040 section 4.3, RFC 5041 section 4.2, RFC 5044 section 4.1 */
Bytes
MakeWrite(uint32_t payloadBytes, uint64_t address)
{
    Bytes bytes;
    Append(bytes, Fpdu::TAGGED_BYTES + payloadBytes, 2);
    Append(bytes, 0xc140, 2); // tagged, last, version 1; version 1, WRITE
    Append(bytes, 0x01020304, 4);
    Append(bytes, address, 8);
    bytes.resize((bytes.size() + payloadBytes + 3) / 4 * 4, std::byte{0x5a});
    Crc32c crc;
    crc.Update(bytes);
    for (int shift = 0; shift < 32; shift += 8)
    {
        bytes.push_back(static_cast<std::byte>(crc.Get() >> shift));
    }
    return bytes;
}

/** Puts a marker before each 512th byte, the first before the first. */
Bytes
AddMarkers(const Bytes& stream)
{
    Bytes bytes;
    for (const std::byte byte : stream)
    {
        if (bytes.size() % 512 == 0)
        {
            Append(bytes, 0xeeeeeeee, 4);
        }
        bytes.push_back(byte);
    }
    return bytes;
}

/** Three WRITEs, one behind the other. */
Bytes
MakeWrites()
{
    Bytes bytes;
    for (const uint32_t payload : {500U, 1U, 1200U})
    {
        const Bytes write = MakeWrite(payload, payload);
        bytes.insert(bytes.end(), write.begin(), write.end());
    }
    return bytes;
}

/** Feeds a stream in segments. @param held how many bytes of each the capture holds */
std::vector<FpduStream::Found>
Feed(FpduStream& stream, const Bytes& bytes, std::size_t segmentBytes, std::size_t held = 65536)
{
    std::vector<FpduStream::Found> found;
    uint64_t position = 0;
    while (position < bytes.size())
    {
        const auto segment = std::span{bytes}.subspan(position).first(
            std::min<std::size_t>(segmentBytes, bytes.size() - position));
        stream.OnPiece({.position = position,
                        .bytes = segment.first(std::min(held, segment.size())),
                        .wireBytes = segment.size()},
                       found);
        position += segment.size();
    }
    return found;
}

std::vector<uint32_t>
Lengths(const std::vector<FpduStream::Found>& found)
{
    std::vector<uint32_t> lengths;
    for (const auto& entry : found)
    {
        EXPECT_EQ(entry.fpdu.offset, entry.fpdu.payloadBytes) << "as MakeWrites puts it";
        lengths.push_back(entry.fpdu.payloadBytes);
    }
    return lengths;
}

class FpduStreamTest : public testing::TestWithParam<std::size_t>
{
  protected:
    FpduStreamTest()
    {
        std::vector<FpduStream::Found> nothing;
        const Bytes start = MakeStart();
        m_stream.OnPiece({.position = 0, .bytes = start, .wireBytes = start.size()}, nothing);
        EXPECT_TRUE(m_stream.GetStart());
    }

    FpduStream m_stream;
};

TEST_P(FpduStreamTest, SegmentsMayEndAnywhere)
{
    m_stream.SetOptions(false, true);
    const auto found = Feed(m_stream, MakeWrites(), GetParam());
    EXPECT_THAT(Lengths(found), testing::ElementsAre(500, 1, 1200));
    for (const auto& entry : found)
    {
        EXPECT_FALSE(entry.hasWrongCrc);
    }
    EXPECT_FALSE(m_stream.IsLost());
}

TEST_P(FpduStreamTest, MarkersArePassedOver)
{
    m_stream.SetOptions(true, false);
    EXPECT_THAT(Lengths(Feed(m_stream, AddMarkers(MakeWrites()), GetParam())),
                testing::ElementsAre(500, 1, 1200));
}

INSTANTIATE_TEST_SUITE_P(Segments, FpduStreamTest, testing::Values(1, 7, 512, 1448, 65536));

using FpduStreamOnce = FpduStreamTest;

TEST_F(FpduStreamOnce, AWrongCrcIsTold)
{
    m_stream.SetOptions(false, true);
    Bytes write = MakeWrite(100, 100);
    write[50] ^= std::byte{1};
    const auto found = Feed(m_stream, write, write.size());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found.front().hasWrongCrc);
}

TEST_F(FpduStreamOnce, PayloadThatTheCaptureLacksIsNoLoss)
{
    m_stream.SetOptions(false, true);
    const Bytes write = MakeWrite(1000, 1000);
    const auto found = Feed(m_stream, write, write.size(), 40);
    EXPECT_THAT(Lengths(found), testing::ElementsAre(1000));
    EXPECT_FALSE(found.front().hasWrongCrc) << "it cannot be checked";
}

TEST_F(FpduStreamOnce, GoesOnWithASegmentThatIsAnFpdu)
{
    m_stream.SetOptions(false, false);
    const Bytes write = MakeWrite(1000, 1000);
    EXPECT_THAT(Lengths(Feed(m_stream, write, 500, 1)), testing::IsEmpty()); // no length
    EXPECT_TRUE(m_stream.IsLost());
    EXPECT_THAT(Lengths(Feed(m_stream, write, write.size())), testing::ElementsAre(1000));
    EXPECT_FALSE(m_stream.IsLost());
}

TEST_F(FpduStreamOnce, WhatIsNoFpduLosesTheStream)
{
    m_stream.SetOptions(false, false);
    Bytes write = MakeWrite(100, 100);
    write[2] = std::byte{0xc2}; // DDP version 2
    Feed(m_stream, write, write.size());
    EXPECT_TRUE(m_stream.IsLost());
}

} // namespace
} // namespace ns3::rdma
