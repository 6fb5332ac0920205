// SPDX-License-Identifier: GPL-2.0-only
#include "wire/frame-bytes.h"

#include "wire/pause.h"

#include <array>

namespace ns3::rdma
{
namespace
{

constexpr std::array<std::byte, MAX_PAYLOAD_BYTES> SYNTHETIC_PAYLOAD{};
constexpr int DSCP_SHIFT = 2; ///< bits of ECN below it. @spec RFC 3168 section 5

/** The frame's headers by the opcode table: an extended frame has all of them in its extension. */
ExtendedHeaders
CollectHeaders(const Frame& frame, const OpcodeInfo& info)
{
    ExtendedHeaders headers;
    if (info.Has(HEADER_RETH))
    {
        headers.reth = frame.GetReth();
    }
    if (info.Has(HEADER_AETH))
    {
        headers.aeth = frame.GetAeth();
    }
    if (info.Has(HEADER_IMMEDIATE))
    {
        headers.immediate.data = frame.GetImmediate();
    }
    if (info.Has(HEADER_IETH))
    {
        headers.ieth.rkey = frame.GetImmediate();
    }
    if (frame.isExtended)
    {
        const FrameExtension& extension = *frame.extension;
        headers.deth = extension.deth;
        headers.xrceth = extension.xrceth;
        headers.atomicEth = extension.atomic;
        headers.atomicAckEth.original = extension.atomicOriginal;
    }
    return headers;
}

Bth
MakeBth(const Frame& frame)
{
    if (frame.opcode == Opcode::CNP)
    {
        return MakeCnpBth(frame.destinationQp);
    }
    return {.opcode = static_cast<uint8_t>(frame.opcode),
            .isSolicited = frame.isSolicited,
            .destinationQp = frame.destinationQp,
            .ackRequest = frame.ackRequest,
            .psn = frame.psn};
}

} // namespace

MacAddress
InterfaceMac(uint32_t interface)
{
    MacAddress address{std::byte{0x02}};
    StoreBigEndian<uint32_t, 3>(address, 3, interface + 1);
    return address;
}

std::optional<uint32_t>
FindInterface(const MacAddress& address)
{
    const uint32_t interface = LoadBigEndian<uint32_t, 3>(address, 3) - 1;
    if (interface >= MAX_ADDRESSED_INTERFACES || InterfaceMac(interface) != address)
    {
        return std::nullopt;
    }
    return interface;
}

uint32_t
InterfaceIpv4(uint32_t interface)
{
    constexpr uint32_t NETWORK = 10U << 24;
    return NETWORK | (interface + 1);
}

MacAddress
SwitchPortMac(uint32_t switchNumber, uint16_t port)
{
    MacAddress address{std::byte{0x06}};
    StoreBigEndian<uint32_t, 3>(address, 1, switchNumber);
    StoreBigEndian(address, 4, port);
    return address;
}

std::size_t
WriteRoceFrame(const Frame& frame,
               const RoceAddresses& addresses,
               uint16_t identification,
               std::span<std::byte> bytes)
{
    const unsigned trafficClass =
        unsigned{frame.mark.dscp} << DSCP_SHIFT | static_cast<unsigned>(frame.ecn);
    const PayloadBlock* payload = frame.GetPayload();
    using Bytes = std::span<const std::byte>;
    const Bytes known = payload == nullptr ? Bytes{SYNTHETIC_PAYLOAD} : Bytes{payload->bytes};
    RocePacket packet{
        .ethernet = {.destination = addresses.destinationMac, .source = addresses.sourceMac},
        .network = Ipv4Fields{.trafficClass = static_cast<uint8_t>(trafficClass),
                              .identification = identification,
                              .fragment = Ipv4Fields::DONT_FRAGMENT,
                              .timeToLive = addresses.timeToLive,
                              .source = addresses.sourceIpv4,
                              .destination = addresses.destinationIpv4},
        .udp = {.sourcePort = addresses.udpSourcePort},
        .bth = MakeBth(frame),
        .extended = CollectHeaders(frame, GetOpcodeInfo(frame.opcode)),
        .payload = known.first(frame.payloadBytes)};
    if (frame.mark.pcp != UNTAGGED_PCP)
    {
        packet.vlan = VlanTag{.priority = frame.mark.pcp};
    }
    packet.Complete();
    if (frame.isDamaged)
    {
        packet.icrc = ~packet.icrc;
    }
    packet.Emit(bytes);
    return packet.GetSize();
}

std::size_t
WritePauseFrame(const Frame& frame, const MacAddress& source, std::span<std::byte> bytes)
{
    if (frame.kind == FrameKind::PAUSE)
    {
        PauseFrame{.source = source, .quanta = frame.pfcQuanta[0]}.Emit(
            bytes.first<PauseFrame::SIZE>());
        return PauseFrame::SIZE;
    }
    PfcFrame{.source = source, .classEnable = frame.pfcClassEnable, .quanta = frame.pfcQuanta}.Emit(
        bytes.first<PfcFrame::SIZE>());
    return PfcFrame::SIZE;
}

} // namespace ns3::rdma
