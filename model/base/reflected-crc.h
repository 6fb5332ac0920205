// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

constexpr std::size_t CRC_SLICES = 8; ///< bytes taken at a time

/** Row n: what a byte does to the state of a CRC when n more bytes follow it. */
using CrcTables = std::array<std::array<uint32_t, 256>, CRC_SLICES>;

/** @param polynomial bits reflected: the lowest power first */
consteval CrcTables
MakeCrcTables(uint32_t polynomial)
{
    CrcTables tables{};
    for (uint32_t value = 0; value < 256; ++value)
    {
        uint32_t state = value;
        for (int bit = 0; bit < 8; ++bit)
        {
            state = state >> 1 ^ ((state & 1) != 0 ? polynomial : 0);
        }
        tables[0][value] = state;
    }
    for (std::size_t slice = 1; slice < CRC_SLICES; ++slice)
    {
        for (std::size_t value = 0; value < 256; ++value)
        {
            const uint32_t before = tables[slice - 1][value];
            tables[slice][value] = before >> 8 ^ tables[0][before & 0xff];
        }
    }
    return tables;
}

template <uint32_t POLYNOMIAL>
inline constexpr CrcTables CRC_TABLES = MakeCrcTables(POLYNOMIAL);

/** The state of a reflected 32-bit CRC after some bytes; neither inverted before nor behind. */
template <uint32_t POLYNOMIAL>
uint32_t
UpdateReflectedCrc(uint32_t state, std::span<const std::byte> bytes)
{
    constexpr const CrcTables& TABLES = CRC_TABLES<POLYNOMIAL>;
    for (; bytes.size() >= CRC_SLICES; bytes = bytes.subspan(CRC_SLICES))
    {
        uint64_t word = state;
        for (std::size_t i = 0; i < CRC_SLICES; ++i)
        {
            word ^= static_cast<uint64_t>(bytes[i]) << 8 * i;
        }
        state = 0;
        for (std::size_t i = 0; i < CRC_SLICES; ++i)
        {
            state ^= TABLES[CRC_SLICES - 1 - i][word >> 8 * i & 0xff];
        }
    }
    for (const std::byte byte : bytes)
    {
        state = state >> 8 ^ TABLES[0][(state ^ static_cast<uint32_t>(byte)) & 0xff];
    }
    return state;
}

/**
 * CRC-32C: what guards blocks of the trace format; of "123456789" it is 0xe3069283.
 *
 * @spec RFC 3720 section 12.1 and appendix B.4
 */
class Crc32c
{
  public:
    void Update(std::span<const std::byte> bytes)
    {
        constexpr uint32_t POLYNOMIAL = 0x82f63b78; // 0x1edc6f41, lowest power first
        m_state = UpdateReflectedCrc<POLYNOMIAL>(m_state, bytes);
    }

    constexpr uint32_t Get() const
    {
        return ~m_state;
    }

  private:
    uint32_t m_state{0xffffffff};
};

} // namespace ns3::rdma
