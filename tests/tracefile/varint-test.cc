// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/varint.h"

#include <array>
#include <gmock/gmock.h>
#include <limits>

namespace ns3::rdma
{

TEST(Varint, NumbersComeBackInTheFewestBytes)
{
    constexpr uint64_t MOST = std::numeric_limits<uint64_t>::max();
    const std::vector<std::pair<uint64_t, std::size_t>> cases{
        {0, 1}, {127, 1}, {128, 2}, {16383, 2}, {16384, 3}, {uint64_t{1} << 63, 10}, {MOST, 10}};
    for (const auto& [value, size] : cases)
    {
        std::array<std::byte, MAX_VARINT_BYTES> bytes{};
        const auto written =
            static_cast<std::size_t>(PutVarint(bytes.data(), value) - bytes.data());
        EXPECT_EQ(written, size);
        VarintReader reader{std::span{bytes}.first(written)};
        EXPECT_EQ(reader.Take(), value);
        EXPECT_EQ(reader.GetLeft(), 0u);
        EXPECT_FALSE(reader.HasFailed());
        VarintReader cut{std::span{bytes}.first(written - 1)};
        EXPECT_EQ(cut.Take(), 0u);
        EXPECT_TRUE(cut.HasFailed());
    }
}

TEST(Varint, NumbersBeyondSixtyFourBitsFail)
{
    std::array<std::byte, 11> bytes{};
    bytes.fill(std::byte{0xff});
    bytes[9] = std::byte{2};
    EXPECT_EQ(VarintReader{bytes}.Take(), 0u);
    VarintReader reader{bytes};
    reader.Take();
    EXPECT_TRUE(reader.HasFailed());
    bytes.fill(std::byte{0x80});
    VarintReader endless{bytes};
    EXPECT_EQ(endless.Take(), 0u);
    EXPECT_TRUE(endless.HasFailed());
}

TEST(Varint, ZigzagKeepsSmallNumbersSmall)
{
    const std::vector<std::pair<int64_t, uint64_t>> cases{
        {0, 0},
        {-1, 1},
        {1, 2},
        {-2, 3},
        {std::numeric_limits<int64_t>::max(), std::numeric_limits<uint64_t>::max() - 1},
        {std::numeric_limits<int64_t>::min(), std::numeric_limits<uint64_t>::max()}};
    for (const auto& [value, zigzag] : cases)
    {
        EXPECT_EQ(ToZigzag(static_cast<uint64_t>(value)), zigzag);
        EXPECT_EQ(static_cast<int64_t>(FromZigzag(zigzag)), value);
    }
}

TEST(Varint, BytesThatAreNotThereFail)
{
    const std::array<std::byte, 3> bytes{};
    VarintReader reader{bytes};
    EXPECT_EQ(reader.TakeBytes(2).size(), 2u);
    EXPECT_TRUE(reader.TakeBytes(2).empty());
    EXPECT_TRUE(reader.HasFailed());
    EXPECT_EQ(reader.Take(), 0u);
}

} // namespace ns3::rdma
