// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <compare>
#include <cstdint>

namespace ns3::rdma
{

/**
 * A queue pair number, 24 bits, unique within one device.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.2 (base transport header, destination QP)
 */
struct Qpn
{
    uint32_t value{0};

    constexpr auto operator<=>(const Qpn&) const = default;
};

} // namespace ns3::rdma
