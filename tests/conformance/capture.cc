// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/capture.h"

#include "tests/conformance/decoded-file.h"
#include "wire/pcap-file.h"
#include "wire/roce-packet.h"

#include <algorithm>
#include <fstream>
#include <optional>

namespace ns3::rdma
{

namespace
{

/** A source address as bytes, so that two of them can be ordered. */
std::string
SourceAddress(std::span<const std::byte> frame, const RocePacket& packet)
{
    const bool isIpv4 = std::holds_alternative<Ipv4Fields>(packet.network);
    const std::size_t network = EthernetFields::SIZE + (packet.vlan ? VlanTag::SIZE : 0);
    const auto bytes = frame.subspan(network + (isIpv4 ? 12 : 8), isIpv4 ? 4 : 16);
    std::string address;
    for (const std::byte byte : bytes)
    {
        address += static_cast<char>(byte);
    }
    return address;
}

Packet
ToPacket(const RocePacket& roce)
{
    Packet packet;
    packet.destinationQp = roce.bth.destinationQp;
    packet.opcode = static_cast<Opcode>(roce.bth.opcode);
    packet.psn = roce.bth.psn;
    packet.ackRequest = roce.bth.ackRequest;
    packet.isSolicited = roce.bth.isSolicited;
    packet.isDamaged = !roce.isIcrcGood;
    packet.padBytes = roce.bth.padCount;
    packet.payloadBytes = static_cast<uint32_t>(roce.payload.size());
    packet.reth = roce.extended.reth;
    packet.atomic = roce.extended.atomicEth;
    packet.aeth = roce.extended.aeth;
    packet.atomicOriginal = roce.extended.atomicAckEth.original;
    const bool hasKey = roce.GetInfo().Has(HEADER_IETH);
    packet.immediate = hasKey ? roce.extended.ieth.rkey : roce.extended.immediate.data;
    return packet;
}

/** A packet of a reliable connection, with its source address behind it. */
struct Seen
{
    Packet packet;
    std::string address;
};

std::optional<Seen>
ReadFrame(const PcapRecord& record)
{
    std::vector<std::byte> bytes{record.bytes.begin(), record.bytes.end()};
    bytes.resize(std::max<std::size_t>(bytes.size(), record.originalBytes));
    const auto parsed = RocePacket::Parse(bytes);
    const auto* roce = std::get_if<RocePacket>(&parsed);
    if (roce == nullptr || roce->GetInfo().service != TransportService::RC)
    {
        return std::nullopt;
    }
    Seen seen{ToPacket(*roce), SourceAddress(bytes, *roce)};
    seen.packet.isDamaged = seen.packet.isDamaged && !record.IsCut();
    return seen;
}

Expected<Packets>
ReadPcap(const std::filesystem::path& file)
{
    Expected<PcapReader> reader = PcapReader::Open(file.string());
    if (!reader)
    {
        return reader.Errors();
    }
    std::vector<Seen> all;
    std::optional<uint64_t> start;
    uint32_t number = 0;
    while (true)
    {
        const Expected<std::optional<PcapRecord>> record = reader->Next();
        if (!record)
        {
            return record.Errors();
        }
        if (!*record)
        {
            break;
        }
        ++number;
        start = start.value_or((*record)->timeNs);
        if (std::optional<Seen> seen = ReadFrame(**record))
        {
            seen->packet.number = number;
            seen->packet.time = static_cast<double>((*record)->timeNs - *start) * 1e-9;
            all.push_back(*seen);
        }
    }
    std::string smallest;
    for (const Seen& seen : all)
    {
        smallest = smallest.empty() ? seen.address : std::min(smallest, seen.address);
    }
    Packets packets;
    for (const Seen& seen : all)
    {
        packets.push_back(seen.packet);
        packets.back().sender = seen.address == smallest ? 0 : 1;
    }
    return packets;
}

} // namespace

Expected<Packets>
ReadCapture(const std::filesystem::path& file)
{
    if (file.extension() == ".pcap")
    {
        return ReadPcap(file);
    }
    std::ifstream text{file};
    return ReadDecoded(text, file.string());
}

} // namespace ns3::rdma
