// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

/**
 * CRC-32 of bytes that come in pieces: that of the Ethernet FCS and of the ICRC.
 *
 * Polynomial 0x04c11db7, bits reflected, all ones at the start, complemented at the end; the check
 * value of the ASCII digits "123456789" is 0xcbf43926.
 *
 * @spec IEEE 802.3-2018 clause 3.2.9; IBTA Vol 1 Rel 1.7 section 7.8.1
 */
class Crc32
{
  public:
    void Update(std::span<const std::byte> bytes);

    /** The CRC of all bytes so far; on the wire least significant byte first. */
    constexpr uint32_t Get() const
    {
        return ~m_state;
    }

  private:
    uint32_t m_state{0xffffffff};
};

} // namespace ns3::rdma
