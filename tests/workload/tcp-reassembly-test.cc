// SPDX-License-Identifier: GPL-2.0-only
#include "workload/tcp-reassembly.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t FIRST = 0xfffffffa; ///< the number wraps after six bytes

class TcpReassemblyTest : public testing::Test
{
  protected:
    TcpReassemblyTest()
    {
        m_stream.Start(FIRST);
    }

    /** @param text what the capture holds @param cut bytes that it lacks behind */
    TcpReassembly::Outcome Segment(uint32_t offset, std::string_view text, uint32_t cut = 0)
    {
        CapturedPacket packet;
        packet.tcp.sequence = FIRST + offset;
        packet.payload = std::as_bytes(std::span{text});
        packet.payloadBytes = static_cast<uint32_t>(text.size()) + cut;
        return m_stream.OnSegment(packet, m_sink);
    }

    TcpReassembly m_stream;
    std::string m_text; ///< what came, '?' for what the capture lacks
    TcpReassembly::Sink m_sink = [this](const TcpReassembly::Piece& piece)
    {
        for (const std::byte byte : piece.bytes)
        {
            m_text += static_cast<char>(byte);
        }
        m_text.append(piece.wireBytes - piece.bytes.size(), '?');
    };
};

using enum TcpReassembly::Outcome;

TEST_F(TcpReassemblyTest, EachByteComesOnceAndInOrder)
{
    EXPECT_EQ(Segment(0, "abcd"), TAKEN);
    EXPECT_EQ(Segment(8, "ij"), HELD);
    EXPECT_EQ(Segment(0, "abcd"), REPEATED);
    EXPECT_EQ(Segment(8, "ij"), REPEATED);
    EXPECT_EQ(m_text, "abcd");
    EXPECT_EQ(Segment(2, "cdefgh"), TAKEN); // overlaps what was there
    EXPECT_EQ(m_text, "abcdefghij");
    EXPECT_EQ(m_stream.GetNext(), m_stream.Extend(FIRST + 10));
}

TEST_F(TcpReassemblyTest, WhatTheCaptureCutCountsAsBytes)
{
    Segment(0, "ab", 3);
    Segment(5, "f");
    EXPECT_EQ(m_text, "ab???f");
}

TEST_F(TcpReassemblyTest, AGapThatIsGivenUpIsPassedOver)
{
    Segment(0, "a");
    Segment(3, "d");
    Segment(6, "g");
    m_stream.SkipTo(m_stream.Extend(FIRST + 6), m_sink);
    EXPECT_EQ(m_text, "a??d??g");
}

} // namespace
} // namespace ns3::rdma
