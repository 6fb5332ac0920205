// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/connection.h"
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

// Two connections whose queue pair numbers say nothing of which directions belong together.
TEST(SplitConnections, PsnsTellWhichDirectionsBelongTogether)
{
    const auto connections = SplitConnections(
        Read("1 0.0 1>2 RC SEND_ONLY qp=20 psn=100000 A-- plen=1\n"
             "2 0.0 1>2 RC SEND_ONLY qp=21 psn=500000 A-- plen=2\n"
             "3 0.0 2>1 RC ACK qp=31 psn=500000 --- AETH ACK credits=31 msn=1 plen=0\n"
             "4 0.0 2>1 RC ACK qp=30 psn=100000 --- AETH ACK credits=31 msn=1 plen=0\n"
             "5 0.0 2>1 RC SEND_ONLY qp=30 psn=900000 A-- plen=3\n"
             "6 0.0 1>2 RC ACK qp=20 psn=900000 --- AETH ACK credits=31 msn=1 plen=0\n"));
    ASSERT_EQ(connections.size(), 2U);
    EXPECT_EQ(connections[0].GetFirstPsn(0), Psn{0x100000});
    EXPECT_EQ(connections[0].GetFirstPsn(1), Psn{0x900000});
    EXPECT_EQ(connections[0].responses[1].size(), 1U);
    EXPECT_EQ(connections[0].responses[0].size(), 1U);
    EXPECT_EQ(connections[1].requests[0].at(0).payloadBytes, 2U);
    EXPECT_EQ(connections[1].responses[1].at(0).psn, Psn{0x500000});
    EXPECT_EQ(connections[1].GetFirstPsn(1), std::nullopt);
}

TEST(SplitConnections, UnansweredRequestsAreAConnection)
{
    const auto connections =
        SplitConnections(Read("1 0.0 1>2 RC WRITE_ONLY qp=1234 psn=123456 A-- RETH va=0x1 "
                              "rkey=0x2 len=1 plen=1\n"));
    ASSERT_EQ(connections.size(), 1U);
    EXPECT_TRUE(connections[0].responses[1].empty());
}

TEST(Normalize, KeysAreNumberedAndAddressesCountFromTheirFirst)
{
    auto connections = SplitConnections(
        Read("1 0.0 1>2 RC WRITE_ONLY qp=1 psn=1 A-- RETH va=0x7000 rkey=0x99 len=1 plen=1\n"
             "2 0.0 1>2 RC WRITE_ONLY qp=1 psn=2 A-- RETH va=0x6ff0 rkey=0x99 len=1 plen=1\n"
             "3 0.0 1>2 RC READ_REQ qp=1 psn=3 A-- RETH va=0x7000 rkey=0xcc len=1 plen=0\n"
             "4 0.0 1>2 RC SEND_ONLY_INV qp=1 psn=4 A-- IETH rkey=0x99 plen=1\n"));
    Normalize(connections.at(0), true);
    const Packets& requests = connections[0].requests[0];
    EXPECT_EQ(requests[0].reth, (Reth{0, 1, 1}));
    EXPECT_EQ(requests[1].reth, (Reth{static_cast<uint64_t>(-16), 1, 1}));
    EXPECT_EQ(requests[2].reth, (Reth{0, 2, 1}));
    EXPECT_EQ(requests[3].immediate, 1U);
}

TEST(Normalize, ResultsOfAtomicsCountFromTheFirstOfTheirAddress)
{
    const std::string text =
        "1 0.0 1>2 RC FETCH_ADD qp=1 psn=1 A-- ATOMIC va=0x10 rkey=0x9 swap/add=0x1 cmp=0x0 "
        "plen=0\n"
        "2 0.0 1>2 RC FETCH_ADD qp=1 psn=2 A-- ATOMIC va=0x18 rkey=0x9 swap/add=0x1 cmp=0x0 "
        "plen=0\n"
        "3 0.0 1>2 RC FETCH_ADD qp=1 psn=3 A-- ATOMIC va=0x10 rkey=0x9 swap/add=0x1 cmp=0x0 "
        "plen=0\n"
        "4 0.0 2>1 RC ATOMIC_ACK qp=2 psn=1 --- AETH ACK credits=31 msn=1 orig=0x50 plen=0\n"
        "5 0.0 2>1 RC ATOMIC_ACK qp=2 psn=2 --- AETH ACK credits=31 msn=2 orig=0x70 plen=0\n"
        "6 0.0 2>1 RC ATOMIC_ACK qp=2 psn=3 --- AETH ACK credits=31 msn=3 orig=0x51 plen=0\n";
    auto known = SplitConnections(Read(text));
    Normalize(known.at(0), true);
    EXPECT_EQ(known[0].responses[1].at(2).atomicOriginal, 0x51U);
    auto unknown = SplitConnections(Read(text));
    Normalize(unknown.at(0), false);
    EXPECT_EQ(unknown[0].responses[1].at(0).atomicOriginal, 0U);
    EXPECT_EQ(unknown[0].responses[1].at(1).atomicOriginal, 0U);
    EXPECT_EQ(unknown[0].responses[1].at(2).atomicOriginal, 1U);
}

} // namespace
} // namespace ns3::rdma
