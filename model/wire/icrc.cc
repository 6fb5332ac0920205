// SPDX-License-Identifier: GPL-2.0-only
#include "wire/icrc.h"

#include "wire/bth.h"
#include "wire/crc32.h"
#include "wire/grh.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"
#include "wire/udp.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{
namespace
{

constexpr std::byte ONES{0xff};
constexpr std::size_t ROUTE_HEADER_BYTES = 8; ///< of the local route header, which is not there
constexpr std::size_t MASKED_MAX = Ipv6Fields::SIZE + UdpFields::SIZE + Bth::SIZE;
constexpr std::size_t UDP_CHECKSUM_OFFSET = 6;
constexpr std::size_t BTH_CONGESTION_OFFSET = 4;

void
MaskIpv4(std::span<std::byte> bytes)
{
    for (const std::size_t offset : {1, 8, 10, 11}) // traffic class, time to live, checksum
    {
        bytes[offset] = ONES;
    }
}

/** Masks an IPv6 or global route header. */
void
MaskIpv6(std::span<std::byte> bytes)
{
    bytes[0] |= std::byte{0x0f}; // the version stays; traffic class and flow label do not
    for (const std::size_t offset : {1, 2, 3, 7})
    {
        bytes[offset] = ONES;
    }
}

} // namespace

Icrc::Icrc(std::span<const std::byte> packet)
{
    const bool isIpv4 = !packet.empty() && packet[0] >> 4 == std::byte{4};
    const std::size_t networkBytes = isIpv4 ? Ipv4Fields::SIZE : Ipv6Fields::SIZE;
    const bool isGlobal = !isIpv4 && packet.size() >= networkBytes &&
                          LoadBigEndian<uint8_t>(packet, 6) == Grh::NEXT_HEADER_BTH;
    const std::size_t bth = networkBytes + (isGlobal ? 0 : UdpFields::SIZE);

    std::array<std::byte, ROUTE_HEADER_BYTES + MASKED_MAX> masked;
    masked.fill(ONES);
    const auto headers = std::span{masked}.subspan(ROUTE_HEADER_BYTES);
    const std::size_t maskedBytes = std::min(bth + Bth::SIZE, packet.size());
    std::copy_n(packet.begin(), maskedBytes, headers.begin());
    isIpv4 ? MaskIpv4(headers) : MaskIpv6(headers);
    if (!isGlobal)
    {
        headers[networkBytes + UDP_CHECKSUM_OFFSET] = ONES;
        headers[networkBytes + UDP_CHECKSUM_OFFSET + 1] = ONES;
    }
    headers[bth + BTH_CONGESTION_OFFSET] = ONES;

    m_crc.Update(std::span{masked}.first(ROUTE_HEADER_BYTES + maskedBytes));
    m_crc.Update(packet.subspan(maskedBytes));
}

} // namespace ns3::rdma
