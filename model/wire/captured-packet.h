// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/capture-address.h"
#include "wire/capture-file.h"
#include "wire/roce-packet.h"

#include <cstdint>
#include <span>

namespace ns3::rdma
{

/** What a captured frame is. */
enum class CapturedKind : uint8_t
{
    RDMA,      ///< an InfiniBand transport packet: RoCEv2, RoCEv1, or with a local route header
    TCP,       ///< a segment: maybe iWARP
    UDP,       ///< to another port than RoCEv2's
    OTHER_IP,  ///< neither UDP nor TCP
    ARP,       ///< also RARP
    PAUSE,     ///< MAC control: PAUSE or PFC
    OTHER,     ///< anything else
    CUT,       ///< the capture ends inside the headers
    MALFORMED, ///< lengths contradict each other, or a fragment of a datagram
    UNKNOWN_OPCODE, ///< an InfiniBand transport packet of another opcode
};

/** The part of a segment of TCP that reassembly needs. @spec RFC 9293 section 3.1 */
struct TcpSegment
{
    static constexpr uint8_t FIN = 1;
    static constexpr uint8_t SYN = 2;
    static constexpr uint8_t RST = 4;
    static constexpr uint8_t ACK = 16;

    uint16_t sourcePort{0};
    uint16_t destinationPort{0};
    uint32_t sequence{0};
    uint32_t acknowledgement{0};
    uint8_t flags{0};
};

/** A captured frame, as far as the capture holds it. */
struct CapturedPacket
{
    CaptureAddress source;
    CaptureAddress destination;
    uint8_t trafficClass{0};
    uint8_t serviceLevel{0}; ///< of a local route header, or the PCP of a VLAN tag
    uint16_t udpSourcePort{0};
    Bth bth{};
    ExtendedHeaders extended{};
    TcpSegment tcp{};
    uint32_t payloadBytes{0};             ///< on the wire, without pad
    std::span<const std::byte> payload{}; ///< what the capture holds of it
    bool isCut{false};                    ///< the capture does not hold the whole frame
    /** From the IP header, or the local or global route header, to the ICRC. */
    std::span<const std::byte> transport{};
    bool hasLocalRoute{false}; ///< transport begins with a local route header

    const OpcodeInfo& GetInfo() const
    {
        return GetOpcodeInfo(static_cast<Opcode>(bth.opcode));
    }

    /** Whether an RDMA packet has another ICRC than it should; false where it is cut. */
    bool HasWrongIcrc() const;
};

/**
 * Takes frames of captures apart: Ethernet with VLAN tags, Linux's cooked forms, plain IP,
 * InfiniBand with or without the header of ERF.
 *
 * Frames that the capture cut are understood as long as their transport headers are there; lengths
 * are those of the headers, not of what is there.
 *
 * @spec IBTA Vol 1 Rel 1.7 chapters 7 and 8, Annex A16, Annex A17; draft-ietf-opsawg-pcaplinktype
 */
class PacketDissector
{
  public:
    /** @param udpPort that of RoCEv2 in this capture */
    explicit PacketDissector(uint16_t udpPort = ROCE_V2_PORT) : m_udpPort{udpPort} {}

    /** @param packet filled as far as its kind has fields; bytes are those of the record */
    CapturedKind Dissect(const CaptureRecord& record, CapturedPacket& packet) const;

    /** Whether there is anything that is known of a link type. */
    static bool IsKnownLink(uint16_t linkType);

  private:
    uint16_t m_udpPort;
};

} // namespace ns3::rdma
