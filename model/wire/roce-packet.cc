// SPDX-License-Identifier: GPL-2.0-only
#include "wire/roce-packet.h"

#include "wire/icrc.h"

#include <array>

namespace ns3::rdma
{
namespace
{

using Bytes = std::span<const std::byte>;
using MaybeError = std::optional<RoceError>;

constexpr std::array<std::byte, 3> ZERO_PAD{};

constexpr std::array<std::string_view, 9> ERROR_NAMES{"not RoCE",
                                                      "truncated",
                                                      "IPv4 options",
                                                      "IPv4 checksum",
                                                      "fragment",
                                                      "length mismatch",
                                                      "unknown opcode",
                                                      "pad count",
                                                      "unexpected payload"};
static_assert(ERROR_NAMES.size() == static_cast<std::size_t>(RoceError::UNEXPECTED_PAYLOAD) + 1);

/** Reads a header and goes on behind it; false if the bytes do not hold one. */
template <typename T>
bool
Take(Bytes& rest, T& header)
{
    const std::optional<T> parsed = T::Parse(rest);
    if (!parsed)
    {
        return false;
    }
    header = *parsed;
    rest = rest.subspan(T::SIZE);
    return true;
}

/** Writes a header and goes on behind it. */
template <typename T>
void
Put(std::span<std::byte>& rest, const T& header)
{
    header.Emit(rest.first<T::SIZE>());
    rest = rest.subspan(T::SIZE);
}

/** Calls visit with each extended header that an opcode has, in the order of the wire. */
template <typename Headers, typename Visit>
void
ForEachHeader(const OpcodeInfo& info, Headers& headers, Visit visit)
{
    const auto visitIf = [&](ExtendedHeader bit, auto& header)
    {
        if (info.Has(bit))
        {
            visit(header);
        }
    };
    visitIf(HEADER_XRCETH, headers.xrceth);
    visitIf(HEADER_DETH, headers.deth);
    visitIf(HEADER_RETH, headers.reth);
    visitIf(HEADER_ATOMIC_ETH, headers.atomicEth);
    visitIf(HEADER_AETH, headers.aeth);
    visitIf(HEADER_ATOMIC_ACK_ETH, headers.atomicAckEth);
    visitIf(HEADER_IMMEDIATE, headers.immediate);
    visitIf(HEADER_IETH, headers.ieth);
    if (info.operation == Operation::NOTIFICATION)
    {
        visit(headers.cnpReserved);
    }
}

/** Cuts a datagram of a given length off the frame; the trailer is what lies behind it. */
MaybeError
TakeDatagram(Bytes& rest, std::size_t datagramBytes, RocePacket& packet)
{
    if (datagramBytes > rest.size())
    {
        return RoceError::TRUNCATED;
    }
    packet.trailer = rest.subspan(datagramBytes);
    rest = rest.first(datagramBytes);
    return std::nullopt;
}

MaybeError
TakeIpv4(Bytes& rest, RocePacket& packet)
{
    if (rest.size() < Ipv4Fields::SIZE)
    {
        return RoceError::TRUNCATED;
    }
    auto& fields = packet.network.emplace<Ipv4Fields>();
    if (!Take(rest, fields))
    {
        return RoceError::IPV4_OPTIONS;
    }
    if (fields.checksum != fields.ComputeChecksum())
    {
        return RoceError::IPV4_CHECKSUM;
    }
    if (fields.protocol != Ipv4Fields::PROTOCOL_UDP)
    {
        return RoceError::NOT_ROCE;
    }
    if ((fields.fragment & Ipv4Fields::FRAGMENT_MASK) != 0)
    {
        return RoceError::FRAGMENT;
    }
    if (fields.totalLength < Ipv4Fields::SIZE)
    {
        return RoceError::LENGTH_MISMATCH;
    }
    return TakeDatagram(rest, fields.totalLength - Ipv4Fields::SIZE, packet);
}

/** An IPv6 or global route header. */
template <typename T>
MaybeError
TakeIpv6(Bytes& rest, RocePacket& packet, uint8_t nextHeader)
{
    auto& fields = packet.network.emplace<T>();
    if (!Take(rest, fields))
    {
        return rest.size() < T::SIZE ? RoceError::TRUNCATED : RoceError::NOT_ROCE;
    }
    if (fields.nextHeader != nextHeader)
    {
        return RoceError::NOT_ROCE;
    }
    return TakeDatagram(rest, fields.payloadLength, packet);
}

MaybeError
TakeUdp(Bytes& rest, RocePacket& packet)
{
    const std::size_t datagramBytes = rest.size();
    if (!Take(rest, packet.udp))
    {
        return RoceError::TRUNCATED;
    }
    if (packet.udp.destinationPort != ROCE_V2_PORT)
    {
        return RoceError::NOT_ROCE;
    }
    if (packet.udp.length != datagramBytes)
    {
        return RoceError::LENGTH_MISMATCH;
    }
    return std::nullopt;
}

/** Everything between the EtherType and the BTH. */
MaybeError
TakeNetwork(Bytes& rest, RocePacket& packet)
{
    MaybeError error;
    switch (packet.vlan ? packet.vlan->etherType : packet.ethernet.etherType)
    {
    case ETHERTYPE_IPV4:
        error = TakeIpv4(rest, packet);
        break;
    case ETHERTYPE_IPV6:
        error = TakeIpv6<Ipv6Fields>(rest, packet, Ipv6Fields::NEXT_HEADER_UDP);
        break;
    case ETHERTYPE_ROCE_V1:
        return TakeIpv6<Grh>(rest, packet, Grh::NEXT_HEADER_BTH);
    default:
        return RoceError::NOT_ROCE;
    }
    return error ? error : TakeUdp(rest, packet);
}

/** BTH, extended headers, payload, pad; rest ends before the ICRC. */
MaybeError
TakeTransport(Bytes rest, RocePacket& packet)
{
    if (!Take(rest, packet.bth))
    {
        return RoceError::TRUNCATED;
    }
    const OpcodeInfo* info = FindOpcode(packet.bth.opcode);
    if (info == nullptr)
    {
        return RoceError::UNKNOWN_OPCODE;
    }
    if (!TakeExtendedHeaders(*info, rest, packet.extended))
    {
        return RoceError::TRUNCATED;
    }
    if (packet.bth.padCount > rest.size() || rest.size() % 4 != 0)
    {
        return RoceError::PAD_COUNT;
    }
    if (!info->hasPayload && !rest.empty())
    {
        return RoceError::UNEXPECTED_PAYLOAD;
    }
    packet.payload = rest.first(rest.size() - packet.bth.padCount);
    packet.pad = rest.last(packet.bth.padCount);
    return std::nullopt;
}

} // namespace

std::string_view
ToString(RoceError error)
{
    return ERROR_NAMES[static_cast<std::size_t>(error)];
}

bool
TakeExtendedHeaders(const OpcodeInfo& info, Bytes& bytes, ExtendedHeaders& headers)
{
    bool isWhole = true;
    ForEachHeader(info, headers, [&](auto& header) { isWhole = isWhole && Take(bytes, header); });
    return isWhole;
}

std::variant<RocePacket, RoceError>
RocePacket::Parse(std::span<const std::byte> frame)
{
    RocePacket packet;
    Bytes rest = frame;
    if (!Take(rest, packet.ethernet))
    {
        return RoceError::TRUNCATED;
    }
    if (packet.ethernet.etherType == ETHERTYPE_VLAN && !Take(rest, packet.vlan.emplace()))
    {
        return RoceError::TRUNCATED;
    }
    const Bytes networkOn = rest;
    if (const MaybeError error = TakeNetwork(rest, packet))
    {
        return *error;
    }
    if (rest.size() < ICRC_BYTES)
    {
        return RoceError::TRUNCATED;
    }
    packet.icrc = LoadLittleEndian<uint32_t>(rest, rest.size() - ICRC_BYTES);
    if (const MaybeError error = TakeTransport(rest.first(rest.size() - ICRC_BYTES), packet))
    {
        return *error;
    }
    const std::size_t behind = packet.trailer.size() + ICRC_BYTES;
    packet.isIcrcGood = packet.icrc == Icrc{networkOn.first(networkOn.size() - behind)}.Get();
    return packet;
}

std::size_t
RocePacket::GetNetworkOffset() const
{
    return EthernetFields::SIZE + (vlan ? VlanTag::SIZE : 0);
}

std::size_t
RocePacket::GetSize() const
{
    const std::size_t networkBytes =
        std::holds_alternative<Ipv4Fields>(network)   ? Ipv4Fields::SIZE + UdpFields::SIZE
        : std::holds_alternative<Ipv6Fields>(network) ? Ipv6Fields::SIZE + UdpFields::SIZE
                                                      : Grh::SIZE;
    return GetNetworkOffset() + networkBytes + Bth::SIZE + GetInfo().extendedHeaderBytes +
           payload.size() + pad.size() + ICRC_BYTES + trailer.size();
}

void
RocePacket::Complete()
{
    pad = std::span{ZERO_PAD}.first(PadBytes(static_cast<uint32_t>(payload.size())));
    bth.padCount = static_cast<uint8_t>(pad.size());
    udp.destinationPort = ROCE_V2_PORT;
    udp.checksum = 0;
    const std::size_t datagramBytes = GetSize() - GetNetworkOffset() - trailer.size();
    uint16_t etherType = ETHERTYPE_IPV4;
    if (auto* ipv4 = std::get_if<Ipv4Fields>(&network))
    {
        ipv4->protocol = Ipv4Fields::PROTOCOL_UDP;
        ipv4->totalLength = static_cast<uint16_t>(datagramBytes);
        ipv4->checksum = ipv4->ComputeChecksum();
        udp.length = static_cast<uint16_t>(datagramBytes - Ipv4Fields::SIZE);
    }
    else if (auto* ipv6 = std::get_if<Ipv6Fields>(&network))
    {
        etherType = ETHERTYPE_IPV6;
        ipv6->nextHeader = Ipv6Fields::NEXT_HEADER_UDP;
        ipv6->payloadLength = static_cast<uint16_t>(datagramBytes - Ipv6Fields::SIZE);
        udp.length = ipv6->payloadLength;
    }
    else if (auto* grh = std::get_if<Grh>(&network))
    {
        etherType = ETHERTYPE_ROCE_V1;
        grh->nextHeader = Grh::NEXT_HEADER_BTH;
        grh->payloadLength = static_cast<uint16_t>(datagramBytes - Grh::SIZE);
    }
    ethernet.etherType = vlan ? ETHERTYPE_VLAN : etherType;
    if (vlan)
    {
        vlan->etherType = etherType;
    }

    std::array<std::byte, MAX_HEADER_BYTES> headers;
    const std::size_t headerBytes = EmitHeaders(headers);
    const std::size_t offset = GetNetworkOffset();
    Icrc check{std::span{headers}.subspan(offset, headerBytes - offset)};
    check.Update(payload);
    check.Update(pad);
    icrc = check.Get();
    isIcrcGood = true;
}

std::size_t
RocePacket::EmitHeaders(std::span<std::byte> bytes) const
{
    std::span<std::byte> rest = bytes;
    Put(rest, ethernet);
    if (vlan)
    {
        Put(rest, *vlan);
    }
    std::visit([&](const auto& fields) { Put(rest, fields); }, network);
    if (!std::holds_alternative<Grh>(network))
    {
        Put(rest, udp);
    }
    Put(rest, bth);
    ForEachHeader(GetInfo(), extended, [&](const auto& header) { Put(rest, header); });
    return bytes.size() - rest.size();
}

void
RocePacket::Emit(std::span<std::byte> bytes) const
{
    std::span<std::byte> rest = bytes.subspan(EmitHeaders(bytes));
    const auto append = [&](Bytes part)
    {
        std::ranges::copy(part, rest.begin());
        rest = rest.subspan(part.size());
    };
    append(payload);
    append(pad);
    StoreLittleEndian(rest, 0, icrc);
    rest = rest.subspan(ICRC_BYTES);
    append(trailer);
}

} // namespace ns3::rdma
