// SPDX-License-Identifier: GPL-2.0-only
#include "wire/crc32.h"

#include "wire/byte-order.h"

#include <array>

namespace ns3::rdma
{
namespace
{

constexpr uint32_t REFLECTED_POLYNOMIAL = 0xedb88320; ///< 0x04c11db7, lowest power first
constexpr std::size_t SLICES = 8;

/** Row n: what a byte does to the state when n more bytes follow it. */
using Tables = std::array<std::array<uint32_t, 256>, SLICES>;

consteval Tables
MakeTables()
{
    Tables tables{};
    for (uint32_t value = 0; value < 256; ++value)
    {
        uint32_t state = value;
        for (int bit = 0; bit < 8; ++bit)
        {
            state = state >> 1 ^ ((state & 1) != 0 ? REFLECTED_POLYNOMIAL : 0);
        }
        tables[0][value] = state;
    }
    for (std::size_t slice = 1; slice < SLICES; ++slice)
    {
        for (std::size_t value = 0; value < 256; ++value)
        {
            const uint32_t before = tables[slice - 1][value];
            tables[slice][value] = before >> 8 ^ tables[0][before & 0xff];
        }
    }
    return tables;
}

constexpr Tables TABLES = MakeTables();

} // namespace

void
Crc32::Update(std::span<const std::byte> bytes)
{
    uint32_t state = m_state;
    for (; bytes.size() >= SLICES; bytes = bytes.subspan(SLICES))
    {
        const uint64_t word = LoadLittleEndian<uint64_t>(bytes, 0) ^ state;
        state = 0;
        for (std::size_t i = 0; i < SLICES; ++i)
        {
            state ^= TABLES[SLICES - 1 - i][word >> 8 * i & 0xff];
        }
    }
    for (const std::byte byte : bytes)
    {
        state = state >> 8 ^ TABLES[0][(state ^ static_cast<uint32_t>(byte)) & 0xff];
    }
    m_state = state;
}

} // namespace ns3::rdma
