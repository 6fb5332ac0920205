// SPDX-License-Identifier: GPL-2.0-only
#include "wire/crc32.h"

#include "base/reflected-crc.h"

namespace ns3::rdma
{

void
Crc32::Update(std::span<const std::byte> bytes)
{
    constexpr uint32_t POLYNOMIAL = 0xedb88320; // 0x04c11db7, lowest power first
    m_state = UpdateReflectedCrc<POLYNOMIAL>(m_state, bytes);
}

} // namespace ns3::rdma
