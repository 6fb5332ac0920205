// SPDX-License-Identifier: GPL-2.0-only
#include "base/reflected-crc.h"

#include <gmock/gmock.h>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

namespace
{

using Bytes = std::vector<std::byte>;

uint32_t
CrcOf(const Bytes& bytes)
{
    Crc32c crc;
    crc.Update(bytes);
    return crc.Get();
}

} // namespace

// Test patterns of RFC 3720 appendix B.4; there the CRC's bytes, the lowest first.
TEST(Crc32c, ValuesAreThoseOfTheStandard)
{
    Bytes ascending(32);
    Bytes descending(32);
    for (std::size_t i = 0; i < ascending.size(); ++i)
    {
        ascending[i] = static_cast<std::byte>(i);
        descending[i] = static_cast<std::byte>(31 - i);
    }
    EXPECT_EQ(CrcOf(Bytes(32)), 0x8a9136aau);
    EXPECT_EQ(CrcOf(Bytes(32, std::byte{0xff})), 0x62a8ab43u);
    EXPECT_EQ(CrcOf(ascending), 0x46dd794eu);
    EXPECT_EQ(CrcOf(descending), 0x113fdb5cu);
}

TEST(Crc32c, PiecesAreTheSameAsTheWhole)
{
    constexpr std::string_view TEXT = "123456789";
    const auto bytes = std::as_bytes(std::span{TEXT});
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut)
    {
        Crc32c crc;
        crc.Update(bytes.first(cut));
        crc.Update(bytes.subspan(cut));
        EXPECT_EQ(crc.Get(), 0xe3069283u);
    }
}

} // namespace ns3::rdma
