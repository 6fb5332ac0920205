// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/crc32.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

uint32_t
CrcOf(std::span<const std::byte> bytes)
{
    Crc32 crc;
    crc.Update(bytes);
    return crc.Get();
}

TEST(Crc32, PublishedCheckValues)
{
    // The check value that catalogues of CRCs give for CRC-32 (ISO-HDLC).
    EXPECT_EQ(CrcOf(std::as_bytes(std::span{"123456789", 9})), 0xcbf43926U);
    EXPECT_EQ(CrcOf({}), 0U);
    // Linux rxe_icrc.c starts behind eight bytes of ones with the state 0xdebb20e3.
    EXPECT_EQ(~CrcOf(FromHex("ffffffffffffffff")), 0xdebb20e3U);
}

/** The FCS that a capture of INET holds: the last four bytes, least significant first. */
TEST(Crc32, IsTheFrameCheckSequence)
{
    EXPECT_EQ(CrcOf(FromHex("0180c2000001000f5d30415088080001ffff" + std::string(84, '0'))),
              0x6b2aab3fU);
}

/** Division by the polynomial bit by bit, as the standard words it. */
TEST(Crc32, AgreesWithLongDivisionForAllLengthsAndSplits)
{
    std::vector<std::byte> bytes;
    uint32_t state = 0xffffffff;
    for (int length = 0; length < 67; ++length)
    {
        for (std::size_t split = 0; split <= bytes.size(); ++split)
        {
            Crc32 crc;
            crc.Update(std::span{bytes}.first(split));
            crc.Update(std::span{bytes}.subspan(split));
            ASSERT_EQ(crc.Get(), ~state) << length << " bytes, split at " << split;
        }
        const auto next = static_cast<uint8_t>(length * 151 + 7);
        bytes.push_back(std::byte{next});
        for (int bit = 0; bit < 8; ++bit)
        {
            const bool isOdd = ((state ^ next >> bit) & 1) != 0;
            state = state >> 1 ^ (isOdd ? 0xedb88320U : 0U);
        }
    }
}

} // namespace
} // namespace ns3::rdma
