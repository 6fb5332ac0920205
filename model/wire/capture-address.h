// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/ipv6.h"

#include <compare>
#include <string>

namespace ns3::rdma
{

/** An address in a capture: of IP, of a global route header, or a LID. */
struct CaptureAddress
{
    Gid gid{};         ///< IPv4 as ::ffff:a.b.c.d, a LID as fe80::lid
    bool isLid{false}; ///< of a subnet without global addresses

    static CaptureAddress FromLid(uint16_t lid);

    /** @param bytes four of them at least, in the order of the wire */
    static CaptureAddress FromIpv4(std::span<const std::byte> bytes);

    /** @param bytes sixteen of them at least, in the order of the wire */
    static CaptureAddress FromIpv6(std::span<const std::byte> bytes);

    auto operator<=>(const CaptureAddress&) const = default;
};

/** "10.0.0.1", "fe80::1" or "lid 4". @spec RFC 5952 section 4 */
std::string ToString(const CaptureAddress& address);

} // namespace ns3::rdma
