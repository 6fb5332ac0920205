// SPDX-License-Identifier: GPL-2.0-only
#include "wire/capture-address.h"

#include <gtest/gtest.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

std::string
Ipv6(std::initializer_list<int> values)
{
    std::vector<std::byte> bytes;
    for (const int value : values)
    {
        bytes.push_back(static_cast<std::byte>(value >> 8));
        bytes.push_back(static_cast<std::byte>(value));
    }
    return ToString(CaptureAddress::FromIpv6(bytes));
}

TEST(CaptureAddress, IsWrittenAsPeopleDo)
{
    const std::vector<std::byte> ipv4{std::byte{10}, std::byte{0}, std::byte{255}, std::byte{1}};
    EXPECT_EQ(ToString(CaptureAddress::FromIpv4(ipv4)), "10.0.255.1");
    EXPECT_EQ(ToString(CaptureAddress::FromLid(4)), "lid 4");
    // The examples of RFC 5952 sections 1 and 4.
    EXPECT_EQ(Ipv6({0x2001, 0xdb8, 0, 0, 1, 0, 0, 1}), "2001:db8::1:0:0:1");
    EXPECT_EQ(Ipv6({0x2001, 0xdb8, 0, 1, 1, 1, 1, 1}), "2001:db8:0:1:1:1:1:1");
    EXPECT_EQ(Ipv6({0x2001, 0, 0, 1, 0, 0, 0, 1}), "2001:0:0:1::1");
    EXPECT_EQ(Ipv6({0xfe80, 0, 0, 0, 0, 0, 0, 1}), "fe80::1");
    EXPECT_EQ(Ipv6({0, 0, 0, 0, 0, 0, 0, 0}), "::");
    EXPECT_EQ(Ipv6({1, 0, 0, 0, 0, 0, 0, 0}), "1::");
}

} // namespace
} // namespace ns3::rdma
