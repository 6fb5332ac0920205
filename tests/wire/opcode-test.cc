// SPDX-License-Identifier: GPL-2.0-only
#include "wire/framing.h"
#include "wire/opcode.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <set>
#include <string_view>
#include <utility>

namespace ns3::rdma
{
namespace
{

/** What an opcode is in the standard's table; the place in its message as a letter. */
struct Row
{
    uint8_t value;
    uint32_t headerBytes; ///< BTH and what follows it, without payload
    char place;           ///< First, Middle, Last, Only, or '-' for a packet of no message
    char role;            ///< 'q' request with payload, 'Q' without; 'p', 'P' response; 'N' none
    uint8_t headers;      ///< ExtendedHeader bits
};

constexpr uint8_t X = HEADER_XRCETH;
constexpr uint8_t D = HEADER_DETH;
constexpr uint8_t R = HEADER_RETH;
constexpr uint8_t C = HEADER_ATOMIC_ETH;
constexpr uint8_t A = HEADER_AETH;
constexpr uint8_t K = HEADER_ATOMIC_ACK_ETH;
constexpr uint8_t I = HEADER_IMMEDIATE;
constexpr uint8_t V = HEADER_IETH;

/**
 * Values: Linux include/rdma/ib_pack.h. Header lengths of RC, UC and UD: Linux
 * drivers/infiniband/sw/rxe/rxe_opcode.c (BTH 12, RETH 16, AETH 4, AtomicETH 28, AtomicAckETH 8,
 * ImmDt 4, IETH 4, DETH 8). XRC: Annex A14, the XRCETH (4) in each request and in no response.
 * CNP: Annex A17, 16 reserved bytes.
 */
constexpr std::array ROWS{
    Row{0x00, 12, 'F', 'q', 0},     Row{0x01, 12, 'M', 'q', 0},
    Row{0x02, 12, 'L', 'q', 0},     Row{0x03, 16, 'L', 'q', I},
    Row{0x04, 12, 'O', 'q', 0},     Row{0x05, 16, 'O', 'q', I},
    Row{0x06, 28, 'F', 'q', R},     Row{0x07, 12, 'M', 'q', 0},
    Row{0x08, 12, 'L', 'q', 0},     Row{0x09, 16, 'L', 'q', I},
    Row{0x0a, 28, 'O', 'q', R},     Row{0x0b, 32, 'O', 'q', R | I},
    Row{0x0c, 28, 'O', 'Q', R},     Row{0x0d, 16, 'F', 'p', A},
    Row{0x0e, 12, 'M', 'p', 0},     Row{0x0f, 16, 'L', 'p', A},
    Row{0x10, 16, 'O', 'p', A},     Row{0x11, 16, '-', 'P', A},
    Row{0x12, 24, '-', 'P', A | K}, Row{0x13, 40, 'O', 'Q', C},
    Row{0x14, 40, 'O', 'Q', C},     Row{0x16, 16, 'L', 'q', V},
    Row{0x17, 16, 'O', 'q', V},     Row{0x20, 12, 'F', 'q', 0},
    Row{0x21, 12, 'M', 'q', 0},     Row{0x22, 12, 'L', 'q', 0},
    Row{0x23, 16, 'L', 'q', I},     Row{0x24, 12, 'O', 'q', 0},
    Row{0x25, 16, 'O', 'q', I},     Row{0x26, 28, 'F', 'q', R},
    Row{0x27, 12, 'M', 'q', 0},     Row{0x28, 12, 'L', 'q', 0},
    Row{0x29, 16, 'L', 'q', I},     Row{0x2a, 28, 'O', 'q', R},
    Row{0x2b, 32, 'O', 'q', R | I}, Row{0x64, 20, 'O', 'q', D},
    Row{0x65, 24, 'O', 'q', D | I}, Row{0x81, 28, '-', 'N', 0},
    Row{0xa0, 16, 'F', 'q', X},     Row{0xa1, 16, 'M', 'q', X},
    Row{0xa2, 16, 'L', 'q', X},     Row{0xa3, 20, 'L', 'q', X | I},
    Row{0xa4, 16, 'O', 'q', X},     Row{0xa5, 20, 'O', 'q', X | I},
    Row{0xa6, 32, 'F', 'q', X | R}, Row{0xa7, 16, 'M', 'q', X},
    Row{0xa8, 16, 'L', 'q', X},     Row{0xa9, 20, 'L', 'q', X | I},
    Row{0xaa, 32, 'O', 'q', X | R}, Row{0xab, 36, 'O', 'q', X | R | I},
    Row{0xac, 32, 'O', 'Q', X | R}, Row{0xad, 16, 'F', 'p', A},
    Row{0xae, 12, 'M', 'p', 0},     Row{0xaf, 16, 'L', 'p', A},
    Row{0xb0, 16, 'O', 'p', A},     Row{0xb1, 16, '-', 'P', A},
    Row{0xb2, 24, '-', 'P', A | K}, Row{0xb3, 44, 'O', 'Q', X | C},
    Row{0xb4, 44, 'O', 'Q', X | C}, Row{0xb6, 20, 'L', 'q', X | V},
    Row{0xb7, 20, 'O', 'q', X | V},
};

TEST(Opcode, RowsAgreeWithTheStandard)
{
    for (const Row& row : ROWS)
    {
        SCOPED_TRACE(testing::Message() << "opcode " << int{row.value});
        const OpcodeInfo* info = FindOpcode(row.value);
        ASSERT_NE(info, nullptr);
        EXPECT_EQ(static_cast<uint8_t>(info->opcode), row.value);
        EXPECT_EQ(static_cast<uint8_t>(info->service), row.value & 0xe0);
        EXPECT_EQ(BTH_BYTES + info->extendedHeaderBytes, row.headerBytes);
        EXPECT_EQ(info->headers, row.headers);
        EXPECT_EQ(info->hasPayload, row.role == 'q' || row.role == 'p');
        EXPECT_EQ(info->isRequest, row.role == 'q' || row.role == 'Q');
        EXPECT_EQ(info->startsMessage, row.place == 'F' || row.place == 'O');
        EXPECT_EQ(info->endsMessage, row.place == 'L' || row.place == 'O');
        EXPECT_EQ(&GetOpcodeInfo(info->opcode), info);
    }
}

/** Operations by the low five bits, which mean the same in every service that has them. */
TEST(Opcode, OperationsFollowFromTheLowBits)
{
    constexpr std::array<std::pair<uint8_t, Operation>, 8> FIRST_OF{{
        {0x00, Operation::SEND},
        {0x06, Operation::RDMA_WRITE},
        {0x0c, Operation::RDMA_READ_REQUEST},
        {0x0d, Operation::RDMA_READ_RESPONSE},
        {0x11, Operation::ACKNOWLEDGE},
        {0x12, Operation::ATOMIC_ACKNOWLEDGE},
        {0x13, Operation::COMPARE_SWAP},
        {0x14, Operation::FETCH_ADD},
    }};
    for (const Row& row : ROWS)
    {
        const uint8_t code = row.value & 0x1f;
        Operation expected = Operation::SEND; // also with Invalidate, 0x16 and 0x17
        for (const auto& [first, operation] : FIRST_OF)
        {
            expected = code >= first && code < 0x16 ? operation : expected;
        }
        expected = row.value == 0x81 ? Operation::NOTIFICATION : expected;
        EXPECT_EQ(FindOpcode(row.value)->operation, expected) << int{row.value};
    }
}

TEST(Opcode, NamesSayServiceAndOperation)
{
    EXPECT_EQ(GetOpcodeInfo(Opcode::RC_SEND_ONLY_WITH_INVALIDATE).name,
              "RC SEND Only with Invalidate");
    EXPECT_EQ(GetOpcodeInfo(Opcode::UD_SEND_ONLY).name, "UD SEND Only");
    std::set<std::string_view> names;
    for (const Row& row : ROWS)
    {
        names.insert(FindOpcode(row.value)->name);
    }
    EXPECT_EQ(names.size(), ROWS.size());
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
