// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/decoded-file.h"

#include <gtest/gtest.h>
#include <sstream>

namespace ns3::rdma
{
namespace
{

Packets
Read(const std::string& text)
{
    std::istringstream stream{text};
    const Expected<Packets> packets = ReadDecoded(stream, "test");
    EXPECT_TRUE(packets);
    return packets ? *packets : Packets{};
}

// A packet that is read and printed gives its line again: each kind of header once.
class DecodedLines : public testing::TestWithParam<const char*>
{
};

TEST_P(DecodedLines, ComeBackAsTheyWere)
{
    const Packets packets = Read(GetParam());
    ASSERT_EQ(packets.size(), 1U);
    EXPECT_EQ(ToDecodedLine(packets[0]), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    Headers,
    DecodedLines,
    testing::Values(
        "   1   0.00000 1>2 RC WRITE_ONLY qp=44 psn=123457 A-- pad=3 RETH va=0x7f8b7585a000 "
        "rkey=0x34ed len=1 plen=1",
        "   2   0.00246 2>1 RC ACK qp=45 psn=123456 --- ACK credits=31 msn=1 plen=0",
        "   2   0.07251 2>1 RC ACK qp=83 psn=123456 --- RNR_NAK timer=14 msn=0 plen=0",
        "   4   0.00875 2>1 RC ACK qp=12 psn=123457 --- NAK REMOTE_ACCESS_ERR msn=1 plen=0",
        "  51   0.10818 1>2 RC SEND_ONLY qp=44 psn=123471 AS- pad=3 plen=5",
        "  24   0.07476 1>2 RC WRITE_ONLY_IMM qp=44 psn=123460 A-- pad=2 RETH va=0x7f8b7585a000 "
        "rkey=0x34ed len=10 IMM=0xc0ffee01 plen=10",
        "  67   0.12089 2>1 RC ATOMIC_ACK qp=45 psn=12347a --- ACK credits=31 msn=24 "
        "orig=0x6b6a696867666564 plen=0",
        "  68   0.12395 1>2 RC CMP_SWAP qp=44 psn=12347b A-- ATOMIC va=0x7f8b7585a000 "
        "rkey=0x34ed swap/add=0x7 cmp=0x5 plen=0",
        "  70   0.12556 1>2 RC SEND_ONLY_INV qp=44 psn=12347c A-- IETH rkey=0x34ed plen=20",
        "   2   0.00993 2>1 RC ACK qp=7e psn=123456 --- ACK credits=31 msn=1 plen=0 icrc=BAD"));

TEST(DecodedFile, FoldedLinesStandForTheirPackets)
{
    const Packets packets = Read("   9   0.1 1>2 RC WRITE_MIDDLE qp=6b psn=ffffff --- plen=1024"
                                 "   ... x3 up to psn 000001\n");
    ASSERT_EQ(packets.size(), 3U);
    EXPECT_EQ(packets[2].psn, Psn{1});
    EXPECT_EQ(packets[2].number, 11U);
    EXPECT_EQ(packets[2].payloadBytes, 1024U);
}

TEST(DecodedFile, OtherPacketsAreLeftOut)
{
    EXPECT_TRUE(Read("   1   0.00000 1>2 UD SEND_ONLY qp=1 psn=000010 A-- DETH qkey=0x80010000\n"
                     "   2   0.001136 other ethertype 0x86dd len 86\n")
                    .empty());
}

TEST(DecodedFile, ClientHasTheSmallerAddress)
{
    const Packets packets = Read("   1   0.0 fe80::2>fe80::1 RC SEND_ONLY qp=1 psn=1 A-- plen=0\n"
                                 "   2   0.0 fe80::1>fe80::2 RC SEND_ONLY qp=1 psn=1 A-- plen=0\n");
    EXPECT_EQ(packets.at(0).sender, 1U);
    EXPECT_EQ(packets.at(1).sender, 0U);
}

class WrongLines : public testing::TestWithParam<const char*>
{
};

TEST_P(WrongLines, AreErrors)
{
    std::istringstream stream{GetParam()};
    EXPECT_FALSE(ReadDecoded(stream, "test"));
}

INSTANTIATE_TEST_SUITE_P(All,
                         WrongLines,
                         testing::Values("1 0.0 1>2 RC NO_SUCH qp=1 psn=1 A-- plen=0",
                                         "1 0.0 1>2 RC ACK qp=1 psn=1 --- AETH NAK ODD msn=1",
                                         "1 0.0 1>2 RC SEND_ONLY qp=1 psn=zz A-- plen=0",
                                         "x 0.0 1>2 RC SEND_ONLY qp=1 psn=1 A-- plen=0",
                                         "1 0.0 1>2 RC SEND_ONLY qp=1 psn=1 A-- color=3"));

} // namespace
} // namespace ns3::rdma
