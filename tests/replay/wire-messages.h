// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "wire/pcap-file.h"
#include "wire/roce-packet.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace ns3::rdma
{

/** Packets of any host. */
constexpr uint32_t ANY = 0;

/** A request message on the wire: its operation and length. */
using WireMessage = std::pair<Operation, uint64_t>;

/**
 * Messages of one host's requests, by connection in the order of the queue pairs' numbers.
 *
 * Read from a capture with nothing but the headers of its packets: a message begins with the opcode
 * that says so, its length is the sum of its packets' payload, of a READ that of the RETH. Packets
 * seen before, by queue pair and PSN, are repetitions and not looked at.
 */
inline std::vector<std::vector<WireMessage>>
ReadWireMessages(const std::string& path, uint32_t source)
{
    auto file = PcapReader::Open(path);
    if (!file)
    {
        return {};
    }
    std::map<uint32_t, std::vector<WireMessage>> messages;
    std::set<std::pair<uint32_t, uint32_t>> seen;
    while (true)
    {
        const auto record = file->Next();
        if (!record || !*record)
        {
            break;
        }
        const auto parsed = RocePacket::Parse((*record)->bytes);
        const auto* packet = std::get_if<RocePacket>(&parsed);
        const auto* network =
            packet == nullptr ? nullptr : std::get_if<Ipv4Fields>(&packet->network);
        if (network == nullptr || (source != ANY && network->source != source) ||
            packet->GetInfo().service != TransportService::RC || !packet->GetInfo().isRequest)
        {
            continue;
        }
        const OpcodeInfo& info = packet->GetInfo();
        const uint32_t pair = packet->bth.destinationQp;
        if (!seen.emplace(pair, packet->bth.psn.Get()).second)
        {
            continue;
        }
        auto& list = messages[pair];
        if (info.startsMessage)
        {
            const bool isRead = info.operation == Operation::RDMA_READ_REQUEST;
            list.emplace_back(info.operation, isRead ? packet->extended.reth.dmaLength : 0);
        }
        list.back().second += info.Has(HEADER_ATOMIC_ETH) ? 8 : packet->payload.size();
    }
    std::vector<std::vector<WireMessage>> ordered;
    for (auto& [pair, list] : messages)
    {
        ordered.push_back(std::move(list));
    }
    return ordered;
}

} // namespace ns3::rdma
