// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/hash.h"
#include "base/qpn.h"
#include "wire/framing.h"

#include <cstdint>

namespace ns3::rdma
{

/** Protocol number of UDP. @spec IANA protocol numbers */
constexpr uint8_t UDP_PROTOCOL = 17;

/** What tells flows apart, besides the addresses. */
struct FlowPorts
{
    uint8_t protocol{0}; ///< of IP
    uint16_t source{0};
    uint16_t destination{0};
};

/**
 * Hash of the addresses, protocol and ports of packets from one interface to another.
 *
 * @param source, destination numbers of the interfaces, which stand for their addresses
 */
constexpr uint32_t
FlowHash(uint32_t source, uint32_t destination, const FlowPorts& flow)
{
    const uint64_t addresses = uint64_t{source} << 32 | destination;
    const uint64_t ports =
        uint64_t{flow.protocol} << 32 | uint64_t{flow.source} << 16 | flow.destination;
    return static_cast<uint32_t>(Mix64(Mix64(addresses) ^ ports) >> 32);
}

/** The same for RoCEv2. */
constexpr uint32_t
FlowHash(uint32_t source, uint32_t destination, uint16_t udpSourcePort)
{
    return FlowHash(source, destination, FlowPorts{UDP_PROTOCOL, udpSourcePort, ROCE_V2_PORT});
}

/**
 * The UDP source port of a connection that was given none: the same at both ends.
 *
 * @spec Linux 6.1, rdma_calc_flow_label and rdma_flow_label_to_udp_sport (include/rdma): the
 * product of both queue pair numbers folded to 20 bits, and those to 14 above 0xc000
 */
constexpr uint16_t
ChooseUdpSourcePort(Qpn local, Qpn remote)
{
    constexpr uint32_t FLOW_LABEL_MASK = 0xfffff;
    constexpr uint32_t FIRST = 0xc000;
    constexpr uint32_t MASK = 0x3fff;
    uint64_t product = uint64_t{local.value} * remote.value;
    product ^= product >> 20;
    product ^= product >> 40;
    const auto label = static_cast<uint32_t>(product) & FLOW_LABEL_MASK;
    return static_cast<uint16_t>(FIRST | ((label & MASK) ^ (label >> 14)));
}

} // namespace ns3::rdma
