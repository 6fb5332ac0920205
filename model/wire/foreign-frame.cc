// SPDX-License-Identifier: GPL-2.0-only
#include "wire/foreign-frame.h"

#include "wire/flow-hash.h"
#include "wire/ipv4.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

constexpr uint8_t TCP_PROTOCOL = 6; ///< @spec IANA protocol numbers
constexpr unsigned ECN_MASK = 0x03;
constexpr int CLASS_SELECTOR_SHIFT = 5;
constexpr int DSCP_SHIFT = 2; ///< bits of ECN below it. @spec RFC 3168 section 5

/** @name Places in an IPv4 header, in bytes. @spec RFC 791 section 3.1 @{ */
constexpr std::size_t TRAFFIC_CLASS = 1;
constexpr std::size_t FRAGMENT = 6;
constexpr std::size_t PROTOCOL = 9;
constexpr std::size_t CHECKSUM = 10;
/** @} */

/** From the IPv4 header on; nothing if the frame has none. */
template <typename Bytes>
Bytes
FindIpv4(Bytes bytes)
{
    const auto ethernet = EthernetFields::Parse(bytes);
    const bool isIpv4 = ethernet && ethernet->etherType == ETHERTYPE_IPV4 &&
                        bytes.size() >= EthernetFields::SIZE + Ipv4Fields::SIZE;
    return isIpv4 ? bytes.subspan(EthernetFields::SIZE) : Bytes{};
}

FlowPorts
ReadPorts(std::span<const std::byte> ipv4)
{
    constexpr std::size_t WORD = 4;
    constexpr uint8_t WORDS_MASK = 0x0f;
    const std::size_t header = WORD * (LoadBigEndian<uint8_t>(ipv4, 0) & WORDS_MASK);
    const bool isFragment =
        (LoadBigEndian<uint16_t>(ipv4, FRAGMENT) & Ipv4Fields::FRAGMENT_MASK) != 0;
    FlowPorts ports{.protocol = LoadBigEndian<uint8_t>(ipv4, PROTOCOL)};
    const bool hasPorts = ports.protocol == TCP_PROTOCOL || ports.protocol == UDP_PROTOCOL;
    if (hasPorts && !isFragment && ipv4.size() >= header + WORD)
    {
        ports.source = LoadBigEndian<uint16_t>(ipv4, header);
        ports.destination = LoadBigEndian<uint16_t>(ipv4, header + 2);
    }
    return ports;
}

/** Adds in one's complement arithmetic of 16 bits. */
uint16_t
AddOnes(uint16_t a, uint16_t b)
{
    const uint32_t sum = uint32_t{a} + b;
    return static_cast<uint16_t>((sum & 0xffff) + (sum >> 16));
}

uint16_t
Invert(uint16_t value)
{
    return static_cast<uint16_t>(~value);
}

} // namespace

void
DescribeForeign(Frame& frame, const ForeignRoute& route)
{
    frame.frameBytes = static_cast<uint16_t>(ForeignFrameBytes(frame.payloadBytes));
    frame.destination = route.destination;
    frame.destinationQp = 0;
    FlowPorts ports;
    const std::span<const std::byte> bytes = frame.GetPayload()->bytes;
    const auto ipv4 = FindIpv4(bytes.first(frame.payloadBytes));
    if (!ipv4.empty())
    {
        const auto trafficClass = LoadBigEndian<uint8_t>(ipv4, TRAFFIC_CLASS);
        frame.priority = static_cast<uint8_t>(trafficClass >> CLASS_SELECTOR_SHIFT);
        frame.mark.dscp = static_cast<uint8_t>(trafficClass >> DSCP_SHIFT);
        frame.ecn = static_cast<Ecn>(trafficClass & ECN_MASK);
        ports = ReadPorts(ipv4);
    }
    frame.flowHash = FlowHash(route.source, route.destination, ports);
}

std::size_t
WriteForeignFrame(const Frame& frame, std::span<std::byte> bytes)
{
    const std::span<const std::byte> held = frame.GetPayload()->bytes;
    std::ranges::copy(held.first(frame.payloadBytes), bytes.begin());
    const auto ipv4 = FindIpv4(bytes.first(frame.payloadBytes));
    if (ipv4.empty() || frame.ecn != Ecn::CE)
    {
        return frame.payloadBytes;
    }
    // The 16 bits that hold the traffic class in their lower half.
    const auto before = LoadBigEndian<uint16_t>(ipv4, 0);
    const auto after = static_cast<uint16_t>(before | static_cast<unsigned>(Ecn::CE));
    const auto checksum = LoadBigEndian<uint16_t>(ipv4, CHECKSUM);
    const uint16_t sum = AddOnes(AddOnes(Invert(checksum), Invert(before)), after);
    if (before != after)
    {
        StoreBigEndian(ipv4, 0, after);
        StoreBigEndian(ipv4, CHECKSUM, Invert(sum));
    }
    return frame.payloadBytes;
}

} // namespace ns3::rdma
