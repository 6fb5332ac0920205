// SPDX-License-Identifier: GPL-2.0-only
#include "wire/framing.h"
#include "wire/opcode.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>

namespace ns3::rdma
{
namespace
{

struct Row
{
    uint8_t value;
    uint32_t headerBytes; ///< BTH and what follows it, without payload
    bool hasPayload;
    bool startsMessage;
    bool endsMessage;
};

/**
 * Values: Linux include/rdma/ib_pack.h. Header lengths: Linux drivers/infiniband/sw/rxe
 * rxe_opcode.c (BTH 12, RETH 16, AETH 4). CNP: IBTA Vol 1 Annex A17, 16 reserved bytes.
 */
constexpr std::array<Row, 6> ROWS{{
    {0x06, 12 + 16, true, true, false},   // WRITE First
    {0x07, 12, true, false, false},       // WRITE Middle
    {0x08, 12, true, false, true},        // WRITE Last
    {0x0a, 12 + 16, true, true, true},    // WRITE Only
    {0x11, 12 + 4, false, false, false},  // Acknowledge
    {0x81, 12 + 16, false, false, false}, // CNP
}};

TEST(Opcode, RowsAgreeWithTheStandard)
{
    for (const Row& row : ROWS)
    {
        SCOPED_TRACE(testing::Message() << "opcode " << int{row.value});
        const OpcodeInfo* info = FindOpcode(row.value);
        ASSERT_NE(info, nullptr);
        EXPECT_EQ(static_cast<uint8_t>(info->opcode), row.value);
        EXPECT_EQ(BTH_BYTES + info->extendedHeaderBytes, row.headerBytes);
        EXPECT_EQ(info->hasPayload, row.hasPayload);
        EXPECT_EQ(info->startsMessage, row.startsMessage);
        EXPECT_EQ(info->endsMessage, row.endsMessage);
        EXPECT_FALSE(info->name.empty());
        EXPECT_EQ(&GetOpcodeInfo(info->opcode), info);
    }
}

TEST(Opcode, AllOtherValuesAreUnknown)
{
    for (uint32_t value = 0; value < 256; ++value)
    {
        const bool isRow =
            std::ranges::any_of(ROWS, [&](const Row& r) { return r.value == value; });
        EXPECT_EQ(FindOpcode(static_cast<uint8_t>(value)) != nullptr, isRow) << value;
    }
}

/**
 * Frame sizes, destination address to FCS, derived from 14 + 20 + 8 + BTH.. + 4 + 4. The CNP's 74
 * bytes without FCS stand in NVIDIA's example of a RoCEv2 CNP.
 */
TEST(Opcode, FrameSizesFollowFromTheHeaders)
{
    const auto frameBytes = [](Opcode opcode, uint32_t payloadBytes)
    { return RoceFrameBytes(GetOpcodeInfo(opcode).extendedHeaderBytes, payloadBytes); };
    EXPECT_EQ(frameBytes(Opcode::CNP, 0), 74 + 4);
    EXPECT_EQ(frameBytes(Opcode::RC_ACKNOWLEDGE, 0), 66);
    EXPECT_EQ(frameBytes(Opcode::RC_RDMA_WRITE_FIRST, 1024), 1102);
    EXPECT_EQ(frameBytes(Opcode::RC_RDMA_WRITE_MIDDLE, 1024), 1086);
    EXPECT_EQ(frameBytes(Opcode::RC_RDMA_WRITE_ONLY, 0), 78);
    EXPECT_EQ(frameBytes(Opcode::RC_RDMA_WRITE_ONLY, 1), 82);
}

} // namespace
} // namespace ns3::rdma
