// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <algorithm>
#include <cstdint>

namespace ns3::rdma
{

/** @name Bytes around a frame. @spec IEEE 802.3-2018 clauses 3.1.1 (format) and 4.4.2 (gap) @{ */
constexpr uint32_t PREAMBLE_BYTES = 8; ///< preamble and start frame delimiter
constexpr uint32_t GAP_BYTES = 12;     ///< inter-packet gap, after the frame
constexpr uint32_t MIN_FRAME_BYTES = 64;
constexpr uint32_t VLAN_TAG_BYTES = 4; ///< behind the addresses. @spec IEEE 802.1Q-2018 clause 9
/** @} */

/** @name Header sizes of RoCEv2 over IPv4, in bytes. @spec IBTA Vol 1 Annex A17 @{ */
constexpr uint32_t ETHERNET_BYTES = 14;
constexpr uint32_t IPV4_BYTES = 20;
constexpr uint32_t UDP_BYTES = 8;
constexpr uint32_t BTH_BYTES = 12;
constexpr uint32_t RETH_BYTES = 16;
constexpr uint32_t AETH_BYTES = 4;
constexpr uint32_t ATOMIC_ETH_BYTES = 28;
constexpr uint32_t ATOMIC_ACK_ETH_BYTES = 8;
constexpr uint32_t IMMEDIATE_BYTES = 4;
constexpr uint32_t IETH_BYTES = 4;
constexpr uint32_t DETH_BYTES = 8;
constexpr uint32_t XRCETH_BYTES = 4;
constexpr uint32_t ICRC_BYTES = 4;
constexpr uint32_t FCS_BYTES = 4;
constexpr uint32_t CNP_RESERVED_BYTES = 16; ///< after the BTH of a congestion notification packet
/** @} */

/** Everything of a RoCEv2 frame that is neither extended header nor payload: 62 bytes. */
constexpr uint32_t ROCE_V2_OVERHEAD_BYTES =
    ETHERNET_BYTES + IPV4_BYTES + UDP_BYTES + BTH_BYTES + ICRC_BYTES + FCS_BYTES;

/** A PFC frame is a MAC control frame of minimum size. @spec IEEE 802.3-2018 annex 31D */
constexpr uint32_t PFC_FRAME_BYTES = MIN_FRAME_BYTES;

/** UDP destination port of RoCEv2. @spec IANA; IBTA Vol 1 Annex A17 */
constexpr uint16_t ROCE_V2_PORT = 4791;

/** Payload is padded to four bytes. @spec IBTA Vol 1 Rel 1.7 section 9.2.4 (pad count) */
constexpr uint32_t
PadBytes(uint32_t payloadBytes)
{
    return (4 - payloadBytes % 4) % 4;
}

/** Destination address to FCS of a RoCEv2 frame, at least the Ethernet minimum. */
constexpr uint32_t
RoceFrameBytes(uint32_t extendedHeaderBytes, uint32_t payloadBytes)
{
    return std::max(ROCE_V2_OVERHEAD_BYTES + extendedHeaderBytes + payloadBytes +
                        PadBytes(payloadBytes),
                    MIN_FRAME_BYTES);
}

} // namespace ns3::rdma
