// SPDX-License-Identifier: GPL-2.0-only
#include "wire/captured-packet.h"

#include <algorithm>
#include <array>
#include <optional>

namespace ns3::rdma
{
namespace
{

using Bytes = std::span<const std::byte>;
using Kind = CapturedKind;

/** @name EtherTypes, protocols and sizes that nothing else here knows. @{ */
constexpr uint16_t ETHERTYPE_ARP = 0x0806;
constexpr uint16_t ETHERTYPE_RARP = 0x8035;
constexpr uint16_t ETHERTYPE_SERVICE_VLAN = 0x88a8; ///< @spec IEEE 802.1Q-2018 clause 9.5
constexpr uint8_t PROTOCOL_TCP = 6;
constexpr uint8_t PROTOCOL_UDP = 17;
constexpr std::size_t LRH_BYTES = 8; ///< @spec IBTA Vol 1 Rel 1.7 section 7.7
constexpr std::size_t COOKED_BYTES = 16;
constexpr std::size_t COOKED_TYPE = 14;
constexpr std::size_t COOKED_2_BYTES = 20;
constexpr std::size_t TCP_BYTES = 20;
constexpr int MAX_VLAN_TAGS = 3;
/** @} */

/** @name Records of ERF. @spec Endace ERF types; Wireshark wiretap/erf.h names the same @{ */
constexpr std::size_t ERF_BYTES = 16;
constexpr std::size_t ERF_EXTENSION_BYTES = 8;
constexpr std::size_t ERF_TYPE = 8;
constexpr std::size_t ERF_WIRE_LENGTH = 14;
constexpr uint8_t ERF_MORE = 0x80; ///< another extension header follows
constexpr uint8_t ERF_ETHERNET = 2;
constexpr uint8_t ERF_INFINIBAND = 21;
constexpr std::size_t ERF_ETHERNET_PAD = 2;
/** @} */

/** What is left of a frame: the bytes that are there, and how many there were on the wire. */
struct Rest
{
    Bytes bytes;
    std::size_t wireBytes{0};

    bool Holds(std::size_t count) const
    {
        return bytes.size() >= count;
    }

    void Skip(std::size_t count)
    {
        bytes = bytes.subspan(std::min(count, bytes.size()));
        wireBytes -= std::min(count, wireBytes);
    }

    /** Ends it after so many bytes of the wire. @return false: there were not so many */
    bool Limit(std::size_t count)
    {
        if (count > wireBytes)
        {
            return false;
        }
        wireBytes = count;
        bytes = bytes.first(std::min(count, bytes.size()));
        return true;
    }
};

/** The kind of a frame that ends too early: in the capture, or on the wire. */
Kind
TooShort(const Rest& rest)
{
    return rest.bytes.size() < rest.wireBytes ? Kind::CUT : Kind::MALFORMED;
}

/** The work of Dissect on one frame. */
class Dissection
{
  public:
    Dissection(Rest rest, uint16_t udpPort, CapturedPacket& packet)
        : m_rest{rest},
          m_udpPort{udpPort},
          m_packet{packet}
    {
    }

    Kind TakeEthernet();
    Kind TakeErf();
    Kind TakeLocalRoute();
    Kind TakeIp();
    Kind TakeCooked(std::size_t bytes, std::size_t typeOffset);

  private:
    Kind TakeByType(uint16_t etherType);
    Kind TakeIpv4();
    Kind TakeIpv6();
    Kind TakeProtocol(uint8_t protocol);
    Kind TakeUdp();
    Kind TakeTcp();
    Kind TakeGlobalRoute();
    Kind TakeTransport();

    Rest m_rest;
    uint16_t m_udpPort;
    CapturedPacket& m_packet;
    Rest m_network; ///< from the header on with which the ICRC begins
};

Kind
Dissection::TakeEthernet()
{
    if (!m_rest.Holds(ETHERNET_BYTES))
    {
        return TooShort(m_rest);
    }
    auto etherType = LoadBigEndian<uint16_t>(m_rest.bytes, ETHERNET_BYTES - 2);
    m_rest.Skip(ETHERNET_BYTES);
    for (int tag = 0; tag < MAX_VLAN_TAGS &&
                      (etherType == ETHERTYPE_VLAN || etherType == ETHERTYPE_SERVICE_VLAN);
         ++tag)
    {
        const auto fields = VlanTag::Parse(m_rest.bytes);
        if (!fields)
        {
            return TooShort(m_rest);
        }
        m_packet.serviceLevel = fields->priority;
        etherType = fields->etherType;
        m_rest.Skip(VlanTag::SIZE);
    }
    return TakeByType(etherType);
}

Kind
Dissection::TakeCooked(std::size_t bytes, std::size_t typeOffset)
{
    if (!m_rest.Holds(bytes))
    {
        return TooShort(m_rest);
    }
    const auto etherType = LoadBigEndian<uint16_t>(m_rest.bytes, typeOffset);
    m_rest.Skip(bytes);
    return TakeByType(etherType);
}

Kind
Dissection::TakeByType(uint16_t etherType)
{
    m_network = m_rest;
    switch (etherType)
    {
    case ETHERTYPE_IPV4:
        return TakeIpv4();
    case ETHERTYPE_IPV6:
        return TakeIpv6();
    case ETHERTYPE_ROCE_V1:
        return TakeGlobalRoute();
    case ETHERTYPE_MAC_CONTROL:
        return Kind::PAUSE;
    case ETHERTYPE_ARP:
    case ETHERTYPE_RARP:
        return Kind::ARP;
    default:
        return Kind::OTHER;
    }
}

Kind
Dissection::TakeIp()
{
    if (!m_rest.Holds(1))
    {
        return TooShort(m_rest);
    }
    m_network = m_rest;
    const auto version = LoadBigEndian<uint8_t>(m_rest.bytes, 0) >> 4;
    return version == 4 ? TakeIpv4() : version == 6 ? TakeIpv6() : Kind::OTHER;
}

Kind
Dissection::TakeIpv4()
{
    if (!m_rest.Holds(IPV4_BYTES))
    {
        return TooShort(m_rest);
    }
    const std::size_t headerBytes = 4 * (LoadBigEndian<uint8_t>(m_rest.bytes, 0) & 0x0fU);
    const auto fragment = LoadBigEndian<uint16_t>(m_rest.bytes, 6);
    const std::size_t totalBytes = LoadBigEndian<uint16_t>(m_rest.bytes, 2);
    const auto protocol = LoadBigEndian<uint8_t>(m_rest.bytes, 9);
    // Segments that a card cuts up later have no length yet.
    const bool isOpen = totalBytes == 0 && protocol == PROTOCOL_TCP;
    const bool isWhole = isOpen || (totalBytes >= headerBytes && m_rest.Limit(totalBytes));
    if (!isWhole || headerBytes < IPV4_BYTES || (fragment & Ipv4Fields::FRAGMENT_MASK) != 0)
    {
        return Kind::MALFORMED;
    }
    m_network = m_rest;
    m_packet.trafficClass = LoadBigEndian<uint8_t>(m_rest.bytes, 1);
    m_packet.source = CaptureAddress::FromIpv4(m_rest.bytes.subspan(12, 4));
    m_packet.destination = CaptureAddress::FromIpv4(m_rest.bytes.subspan(16, 4));
    m_rest.Skip(headerBytes);
    return TakeProtocol(protocol);
}

Kind
Dissection::TakeIpv6()
{
    const auto fields = Ipv6Fields::Parse(m_rest.bytes);
    if (!fields)
    {
        return TooShort(m_rest);
    }
    if (!m_rest.Limit(Ipv6Fields::SIZE + fields->payloadLength))
    {
        return Kind::MALFORMED;
    }
    m_network = m_rest;
    m_packet.trafficClass = fields->trafficClass;
    m_packet.source = CaptureAddress::FromIpv6(fields->source);
    m_packet.destination = CaptureAddress::FromIpv6(fields->destination);
    m_rest.Skip(Ipv6Fields::SIZE);
    return TakeProtocol(fields->nextHeader);
}

Kind
Dissection::TakeGlobalRoute()
{
    const auto fields = Grh::Parse(m_rest.bytes);
    if (!fields)
    {
        return TooShort(m_rest);
    }
    if (!m_rest.Limit(Grh::SIZE + fields->payloadLength))
    {
        return Kind::MALFORMED;
    }
    m_network.Limit(m_packet.hasLocalRoute ? m_network.wireBytes
                                           : Grh::SIZE + fields->payloadLength);
    m_packet.trafficClass = fields->trafficClass;
    if (!m_packet.hasLocalRoute)
    {
        m_packet.source = CaptureAddress::FromIpv6(fields->source);
        m_packet.destination = CaptureAddress::FromIpv6(fields->destination);
    }
    m_rest.Skip(Grh::SIZE);
    return fields->nextHeader == Grh::NEXT_HEADER_BTH ? TakeTransport() : Kind::OTHER;
}

Kind
Dissection::TakeProtocol(uint8_t protocol)
{
    switch (protocol)
    {
    case PROTOCOL_UDP:
        return TakeUdp();
    case PROTOCOL_TCP:
        return TakeTcp();
    default:
        return Kind::OTHER_IP;
    }
}

Kind
Dissection::TakeUdp()
{
    if (!m_rest.Holds(UDP_BYTES))
    {
        return TooShort(m_rest);
    }
    m_packet.udpSourcePort = LoadBigEndian<uint16_t>(m_rest.bytes, 0);
    if (LoadBigEndian<uint16_t>(m_rest.bytes, 2) != m_udpPort)
    {
        return Kind::UDP;
    }
    if (LoadBigEndian<uint16_t>(m_rest.bytes, 4) != m_rest.wireBytes)
    {
        return Kind::MALFORMED;
    }
    m_rest.Skip(UDP_BYTES);
    return TakeTransport();
}

Kind
Dissection::TakeTcp()
{
    if (!m_rest.Holds(TCP_BYTES))
    {
        return TooShort(m_rest);
    }
    const Bytes bytes = m_rest.bytes;
    const std::size_t headerBytes = 4 * (LoadBigEndian<uint8_t>(bytes, 12) >> 4U);
    if (headerBytes < TCP_BYTES || headerBytes > m_rest.wireBytes)
    {
        return Kind::MALFORMED;
    }
    m_packet.tcp = {.sourcePort = LoadBigEndian<uint16_t>(bytes, 0),
                    .destinationPort = LoadBigEndian<uint16_t>(bytes, 2),
                    .sequence = LoadBigEndian<uint32_t>(bytes, 4),
                    .acknowledgement = LoadBigEndian<uint32_t>(bytes, 8),
                    .flags = LoadBigEndian<uint8_t>(bytes, 13)};
    m_rest.Skip(headerBytes);
    m_packet.payload = m_rest.bytes;
    m_packet.payloadBytes = static_cast<uint32_t>(m_rest.wireBytes);
    return Kind::TCP;
}

Kind
Dissection::TakeErf()
{
    if (!m_rest.Holds(ERF_BYTES))
    {
        return TooShort(m_rest);
    }
    auto more = LoadBigEndian<uint8_t>(m_rest.bytes, ERF_TYPE);
    const unsigned type = more & 0x7fU;
    const std::size_t wireBytes = LoadBigEndian<uint16_t>(m_rest.bytes, ERF_WIRE_LENGTH);
    m_rest.Skip(ERF_BYTES);
    while ((more & ERF_MORE) != 0)
    {
        if (!m_rest.Holds(ERF_EXTENSION_BYTES))
        {
            return TooShort(m_rest);
        }
        more = LoadBigEndian<uint8_t>(m_rest.bytes, 0);
        m_rest.Skip(ERF_EXTENSION_BYTES);
    }
    if (type == ERF_ETHERNET)
    {
        m_rest.Skip(ERF_ETHERNET_PAD);
    }
    // The record may be padded, or hold less than the frame had.
    m_rest.wireBytes = wireBytes;
    m_rest.bytes = m_rest.bytes.first(std::min(wireBytes, m_rest.bytes.size()));
    m_packet.isCut = m_rest.bytes.size() < wireBytes;
    return type == ERF_ETHERNET     ? TakeEthernet()
           : type == ERF_INFINIBAND ? TakeLocalRoute()
                                    : Kind::OTHER;
}

Kind
Dissection::TakeLocalRoute()
{
    if (!m_rest.Holds(LRH_BYTES))
    {
        return TooShort(m_rest);
    }
    constexpr unsigned NEXT_TRANSPORT = 2; // LNH: BTH follows
    constexpr unsigned NEXT_GLOBAL = 3;    // LNH: GRH follows
    const auto second = LoadBigEndian<uint8_t>(m_rest.bytes, 1);
    const std::size_t words = LoadBigEndian<uint16_t>(m_rest.bytes, 4) & 0x07ffU;
    m_packet.serviceLevel = second >> 4U;
    m_packet.destination = CaptureAddress::FromLid(LoadBigEndian<uint16_t>(m_rest.bytes, 2));
    m_packet.source = CaptureAddress::FromLid(LoadBigEndian<uint16_t>(m_rest.bytes, 6));
    m_packet.hasLocalRoute = true;
    if (4 * words < LRH_BYTES || !m_rest.Limit(4 * words)) // the length ends before the VCRC
    {
        return Kind::MALFORMED;
    }
    m_network = m_rest;
    m_rest.Skip(LRH_BYTES);
    const unsigned next = second & 3U;
    return next == NEXT_TRANSPORT ? TakeTransport()
           : next == NEXT_GLOBAL  ? TakeGlobalRoute()
                                  : Kind::OTHER;
}

Kind
Dissection::TakeTransport()
{
    const auto bth = Bth::Parse(m_rest.bytes);
    if (!bth)
    {
        return TooShort(m_rest);
    }
    m_packet.bth = *bth;
    m_packet.transport = m_network.bytes;
    m_packet.isCut = m_packet.isCut || m_rest.bytes.size() < m_rest.wireBytes;
    const OpcodeInfo* const info = FindOpcode(bth->opcode);
    if (info == nullptr)
    {
        return Kind::UNKNOWN_OPCODE;
    }
    m_rest.Skip(Bth::SIZE);
    Bytes behind = m_rest.bytes;
    if (!TakeExtendedHeaders(*info, behind, m_packet.extended))
    {
        return TooShort(m_rest);
    }
    m_rest.Skip(m_rest.bytes.size() - behind.size());
    const std::size_t tail = bth->padCount + std::size_t{ICRC_BYTES};
    if (m_rest.wireBytes < tail)
    {
        return Kind::MALFORMED;
    }
    m_packet.payloadBytes = static_cast<uint32_t>(m_rest.wireBytes - tail);
    m_packet.payload =
        m_rest.bytes.first(std::min<std::size_t>(m_packet.payloadBytes, m_rest.bytes.size()));
    return Kind::RDMA;
}

} // namespace

bool
PacketDissector::IsKnownLink(uint16_t linkType)
{
    constexpr std::array KNOWN{PCAP_LINK_ETHERNET,
                               PCAP_LINK_RAW_IP,
                               PCAP_LINK_COOKED,
                               PCAP_LINK_ERF,
                               PCAP_LINK_IPV4,
                               PCAP_LINK_IPV6,
                               PCAP_LINK_INFINIBAND,
                               PCAP_LINK_COOKED_2};
    return std::ranges::find(KNOWN, linkType) != KNOWN.end();
}

CapturedKind
PacketDissector::Dissect(const CaptureRecord& record, CapturedPacket& packet) const
{
    packet = {};
    packet.isCut = record.IsCut();
    Dissection work{{record.bytes, record.originalBytes}, m_udpPort, packet};
    switch (record.linkType)
    {
    case PCAP_LINK_ETHERNET:
        return work.TakeEthernet();
    case PCAP_LINK_ERF:
        return work.TakeErf();
    case PCAP_LINK_INFINIBAND:
        return work.TakeLocalRoute();
    case PCAP_LINK_COOKED:
        return work.TakeCooked(COOKED_BYTES, COOKED_TYPE);
    case PCAP_LINK_COOKED_2:
        return work.TakeCooked(COOKED_2_BYTES, 0);
    case PCAP_LINK_RAW_IP:
    case PCAP_LINK_IPV4:
    case PCAP_LINK_IPV6:
        return work.TakeIp();
    default:
        return Kind::OTHER;
    }
}

} // namespace ns3::rdma
