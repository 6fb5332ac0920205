// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/frame.h"
#include "wire/roce-packet.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ns3::rdma
{

/** What a frame's bytes need besides the frame: who sends to whom, and how. */
struct RoceAddresses
{
    /** Linux's default, net.ipv4.ip_default_ttl. */
    static constexpr uint8_t DEFAULT_TIME_TO_LIVE = 64;

    MacAddress sourceMac{};
    MacAddress destinationMac{};
    uint32_t sourceIpv4{0};      ///< 10.0.0.1 is 0x0a000001
    uint32_t destinationIpv4{0}; ///< likewise
    uint16_t udpSourcePort{0};
    uint8_t timeToLive{DEFAULT_TIME_TO_LIVE};
};

/** The largest number of host interfaces that have addresses of their own. */
constexpr uint32_t MAX_ADDRESSED_INTERFACES = (1U << 24) - 2;

/**
 * The MAC address of a host interface: locally administered, 02:00:00, then its number plus one.
 *
 * @param interface less than MAX_ADDRESSED_INTERFACES
 * @choice one is added so that no interface has the address of network 10.0.0.0/8 itself
 */
MacAddress InterfaceMac(uint32_t interface);

/** The number of the host interface that has an address; nothing if none can have it. */
std::optional<uint32_t> FindInterface(const MacAddress& address);

/** The IPv4 address of a host interface: 10, then the last three bytes of its MAC address. */
uint32_t InterfaceIpv4(uint32_t interface);

/**
 * The MAC address of a switch's port: locally administered, 06, switch (24 bits), port (16 bits).
 *
 * @choice only PFC frames carry it; a switch forwards other frames with the hosts' addresses
 */
MacAddress SwitchPortMac(uint32_t switchNumber, uint16_t port);

/** Upper bound of the payload: the largest path MTU that a scenario may ask for is below. */
constexpr std::size_t MAX_PAYLOAD_BYTES = 9216;

/** Upper bound of the bytes of a frame. */
constexpr std::size_t MAX_FRAME_BYTES =
    RocePacket::MAX_HEADER_BYTES + MAX_PAYLOAD_BYTES + ICRC_BYTES;

/**
 * Writes a frame as a capture sees it: from the destination address on, without FCS and without
 * Ethernet's padding.
 *
 * RoCEv2 over IPv4 with DF set, P_Key 0xffff, MigReq and TVer 0, no UDP checksum; all lengths,
 * checksums and the ICRC right, but for the ICRC of a damaged frame, whose bits are all wrong.
 *
 * @param frame          of kind ROCE, with at most MAX_PAYLOAD_BYTES of payload
 * @param identification of the IPv4 datagram; Linux counts them up per sender
 * @param bytes          at least MAX_FRAME_BYTES
 * @return how many bytes were written
 * @choice payload of which the frame knows only the length is zeros
 * @choice a VLAN tag holds the PCP alone: it is a priority tag, of VLAN 0
 */
std::size_t WriteRoceFrame(const Frame& frame,
                           const RoceAddresses& addresses,
                           uint16_t identification,
                           std::span<std::byte> bytes);

/** Writes a frame of kind PFC or PAUSE; as above. @return how many bytes were written */
std::size_t WritePauseFrame(const Frame& frame,
                            const MacAddress& source,
                            std::span<std::byte> bytes);

} // namespace ns3::rdma
