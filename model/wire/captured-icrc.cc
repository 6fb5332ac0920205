// SPDX-License-Identifier: GPL-2.0-only
// The ICRC of packets as captures hold them, with or without a local route header.
#include "wire/captured-packet.h"
#include "wire/crc32.h"
#include "wire/icrc.h"

#include <algorithm>
#include <array>

namespace ns3::rdma
{
namespace
{

constexpr std::size_t LRH_BYTES = 8; ///< @spec IBTA Vol 1 Rel 1.7 section 7.7

/**
 * Whether the ICRC is that of the same packet to RoCEv2's own port, or cannot be told.
 *
 * Who mirrors packets to another port (Lumina does) leaves the ICRC as it was.
 */
bool
HasIcrcOfUsualPort(std::span<const std::byte> covered, uint32_t icrc)
{
    const auto version = LoadBigEndian<uint8_t>(covered, 0);
    const bool isIpv4 = version >> 4U == 4;
    const std::size_t udp = isIpv4 ? IPV4_BYTES : Ipv6Fields::SIZE;
    std::array<std::byte, Ipv6Fields::SIZE + UDP_BYTES + BTH_BYTES> head{};
    const std::size_t headBytes = udp + UDP_BYTES + BTH_BYTES;
    if (isIpv4 && version != 0x45) // options are not covered by what we compute
    {
        return true;
    }
    if (covered.size() < headBytes || LoadBigEndian<uint16_t>(covered, udp + 2) == ROCE_V2_PORT)
    {
        return false;
    }
    std::copy_n(covered.begin(), headBytes, head.begin());
    StoreBigEndian(head, udp + 2, ROCE_V2_PORT);
    Icrc usual{std::span{head}.first(headBytes)};
    usual.Update(covered.subspan(headBytes));
    return icrc == usual.Get();
}

} // namespace

bool
CapturedPacket::HasWrongIcrc() const
{
    if (isCut || transport.size() < ICRC_BYTES + LRH_BYTES)
    {
        return false;
    }
    const auto covered = transport.first(transport.size() - ICRC_BYTES);
    const auto icrc = LoadLittleEndian<uint32_t>(transport, covered.size());
    if (!hasLocalRoute)
    {
        return icrc != Icrc{covered}.Get() && !HasIcrcOfUsualPort(covered, icrc);
    }
    // The virtual lane, and what routers may change, count as ones.
    std::array<std::byte, LRH_BYTES + Grh::SIZE + Bth::SIZE> masked{};
    const bool isGlobal = (LoadBigEndian<uint8_t>(transport, 1) & 3U) == 3;
    const std::size_t bthOffset = LRH_BYTES + (isGlobal ? Grh::SIZE : 0);
    const std::size_t maskedBytes = std::min(bthOffset + Bth::SIZE, covered.size());
    std::copy_n(covered.begin(), maskedBytes, masked.begin());
    masked[0] |= std::byte{0xf0};
    if (isGlobal) // routers make a new local route header
    {
        std::fill_n(masked.begin(), LRH_BYTES, std::byte{0xff});
        masked[LRH_BYTES] |= std::byte{0x0f};
        for (const std::size_t offset : {1, 2, 3, 7})
        {
            masked[LRH_BYTES + offset] = std::byte{0xff};
        }
    }
    masked[bthOffset + 4] = std::byte{0xff};
    Crc32 crc;
    crc.Update(std::span{masked}.first(maskedBytes));
    crc.Update(covered.subspan(maskedBytes));
    return icrc != crc.Get();
}

} // namespace ns3::rdma
