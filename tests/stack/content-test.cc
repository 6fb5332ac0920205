// SPDX-License-Identifier: GPL-2.0-only
#include "stack/content.h"

#include <gmock/gmock.h>
#include <vector>

namespace ns3::rdma
{
namespace
{

std::vector<std::byte>
Read(const Content& content, uint64_t offset, std::size_t size)
{
    std::vector<std::byte> bytes(size);
    content.Fill(offset, bytes);
    return bytes;
}

TEST(Content, IsTheSameInWhateverPiecesItIsRead)
{
    const Content content{3};
    const auto whole = Read(content, 0, 100);
    for (std::size_t from = 0; from < 40; ++from)
    {
        for (std::size_t size = 0; size < 40; ++size)
        {
            const std::vector<std::byte> part(whole.begin() + long(from),
                                              whole.begin() + long(from + size));
            ASSERT_EQ(Read(content, from, size), part) << from << ' ' << size;
            ASSERT_EQ(content.CountWrong(from, part), 0U);
        }
    }
}

TEST(Content, CountsWrongBytes)
{
    const Content content{3};
    auto bytes = Read(content, 5, 1000);
    for (const std::size_t place : {0U, 1U, 7U, 8U, 500U, 999U})
    {
        bytes[place] ^= std::byte{0x10};
    }
    EXPECT_EQ(content.CountWrong(5, bytes), 6U);
}

TEST(Content, DiffersBetweenPlacesAndStreams)
{
    const auto bytes = Read(Content{3}, 0, 10'000);
    // Of independent bytes one in 256 is equal by chance: 39 of 10000, give or take 6 each.
    EXPECT_GT(Content{3}.CountWrong(1, bytes), 9900U);
    EXPECT_GT(Content{3}.CountWrong(8, bytes), 9900U);
    EXPECT_GT(Content{4}.CountWrong(0, bytes), 9900U);
    EXPECT_NE(bytes, std::vector<std::byte>(10'000));
}

} // namespace
} // namespace ns3::rdma
