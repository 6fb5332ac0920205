// SPDX-License-Identifier: GPL-2.0-only
// Frames and FPDUs of Linux's siw, from captures of it, decoded beside.
#include "tests/wire/wire-samples.h"
#include "wire/mpa.h"

#include <gtest/gtest.h>

namespace ns3::rdma
{
namespace
{

constexpr const char* KEY = "4d504120494420526571204672616d65"; ///< "MPA ID Req Frame"

TEST(MpaStart, IsReadAsTheDecoderDoes)
{
    // siwp2p_rping: flags 0x50, revision 2, 4 bytes: A=1, IRD=1, C=1, D=1, ORD=1.
    const auto bytes = FromHex(std::string{KEY} + "500200048001c001");
    const auto start = MpaStart::Parse(bytes);
    ASSERT_TRUE(start);
    EXPECT_FALSE(start->isReply);
    EXPECT_FALSE(start->needsMarkers);
    EXPECT_TRUE(start->usesCrc);
    EXPECT_EQ(start->revision, 2);
    EXPECT_EQ(start->privateBytes, 4);
    EXPECT_TRUE(start->isPeerToPeer);
    EXPECT_FALSE(start->offersSend);
    EXPECT_TRUE(start->offersWrite);
    EXPECT_TRUE(start->offersRead);
    for (std::size_t length = 0; length < MpaStart::SIZE; ++length)
    {
        EXPECT_FALSE(MpaStart::Parse(std::span{bytes}.first(length))) << length;
    }
}

TEST(Fpdu, TaggedAndUntaggedAreRead)
{
    // siw_vt_allops frame 14: ulpdu_len=1442 DDP T- WRITE stag=0x35d82700 to=0x7f91cfa6e000.
    const auto write = Fpdu::Parse(FromHex("05a2814035d8270000007f91cfa6e000"));
    ASSERT_TRUE(write);
    EXPECT_TRUE(write->isTagged);
    EXPECT_FALSE(write->isLast);
    EXPECT_EQ(write->opcode, RdmapOpcode::RDMA_WRITE);
    EXPECT_EQ(write->tag, 0x35d82700U);
    EXPECT_EQ(write->offset, 0x7f91cfa6e000U);
    EXPECT_EQ(write->payloadBytes, 1428U);
    EXPECT_EQ(Fpdu::WholeBytes(1442), 1448U); // plen 1428 fills a segment of 1448 bytes

    // siw_vt_allops frame 19: ulpdu_len=19 DDP UL SEND qn=0 msn=2 mo=0 plen=1.
    const auto bytes = FromHex("0013414300000000000000000000000200000000");
    const auto send = Fpdu::Parse(bytes);
    ASSERT_TRUE(send);
    EXPECT_FALSE(send->isTagged);
    EXPECT_TRUE(send->isLast);
    EXPECT_EQ(send->opcode, RdmapOpcode::SEND);
    EXPECT_EQ(send->message, 2U);
    EXPECT_EQ(send->payloadBytes, 1U);
    EXPECT_FALSE(Fpdu::Parse(std::span{bytes}.first(bytes.size() - 1)));
}

TEST(Fpdu, AReadSaysWhatItWants)
{
    const auto read = Fpdu::Parse(FromHex("002e4141000000000000000100000001000000000a0b0c0d"
                                          "1111111111111111000003e8010203042222222222222222"));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->opcode, RdmapOpcode::READ_REQUEST);
    EXPECT_EQ(read->queue, 1U);
    EXPECT_EQ(read->sinkTag, 0x0a0b0c0dU);
    EXPECT_EQ(read->readBytes, 1000U);
    EXPECT_EQ(read->sourceTag, 0x01020304U);
    EXPECT_EQ(read->sourceOffset, 0x2222222222222222U);
}

} // namespace
} // namespace ns3::rdma
