// SPDX-License-Identifier: GPL-2.0-only
#include "tests/wire/wire-samples.h"
#include "wire/pause.h"

#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

constexpr MacAddress SOURCE{std::byte{0x00},
                            std::byte{0x0f},
                            std::byte{0x5d},
                            std::byte{0x30},
                            std::byte{0x41},
                            std::byte{0x50}};

/** Captured, with its FCS: frame 2 of a capture in the tests of the INET framework. */
const std::string PAUSE =
    "0180c2000001000f5d30415088080001ffff" + std::string(84, '0') + "3fab2a6b";

TEST(Pause, ReadsAndWritesACapturedPause)
{
    const std::vector<std::byte> captured = FromHex(PAUSE);
    const std::optional<PauseFrame> pause = PauseFrame::Parse(captured);
    ASSERT_TRUE(pause);
    EXPECT_EQ(*pause, (PauseFrame{.source = SOURCE, .quanta = 0xffff}));
    EXPECT_FALSE(PfcFrame::Parse(captured));

    std::vector<std::byte> emitted(PauseFrame::SIZE, std::byte{0xa5});
    pause->Emit(std::span{emitted}.first<PauseFrame::SIZE>());
    EXPECT_EQ(ToHex(emitted), ToHex(std::span{captured}.first(PauseFrame::SIZE)));
}

/** IEEE 802.3 annex 31D: opcode 0101, class vector 0009, eight times, 26 reserved bytes. */
TEST(Pause, ReadsAndWritesPriorityFlowControl)
{
    const std::vector<std::byte> bytes =
        FromHex("0180c2000001000f5d304150880801010009000a000000001234000000000000ffff" +
                std::string(52, '0'));
    const PfcFrame frame{
        .source = SOURCE, .classEnable = 0x09, .quanta = {10, 0, 0, 0x1234, 0, 0, 0, 0xffff}};
    EXPECT_EQ(PfcFrame::Parse(bytes), frame);
    EXPECT_FALSE(PauseFrame::Parse(bytes));

    std::vector<std::byte> emitted(PfcFrame::SIZE, std::byte{0xa5});
    frame.Emit(std::span{emitted}.first<PfcFrame::SIZE>());
    EXPECT_EQ(ToHex(emitted), ToHex(bytes));
    for (std::size_t size = 0; size < PfcFrame::SIZE; ++size)
    {
        EXPECT_FALSE(PfcFrame::Parse(std::span{bytes}.first(size))) << size << " bytes";
    }
}

TEST(Pause, OtherFramesAreNone)
{
    for (const std::size_t offset : {5, 12, 13, 15}) // destination, EtherType, opcode
    {
        std::vector<std::byte> bytes = FromHex(PAUSE);
        bytes[offset] ^= std::byte{2};
        EXPECT_FALSE(PauseFrame::Parse(bytes)) << offset;
    }
}

} // namespace
} // namespace ns3::rdma
