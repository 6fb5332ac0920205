// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "transport/requester.h"
#include "transport/responder.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** A packet between requester and responder. */
struct ConnectionPacket
{
    bool isRequest{true};
    uint32_t index{0}; ///< of its direction, from 0, as sent
    Opcode opcode{};
    Psn psn{};
    bool ackRequest{false};
    bool isSolicited{false};
    uint32_t payloadBytes{0};
    FrameExtension headers{};
    std::vector<std::byte> payload;

    Frame ToFrame()
    {
        Frame frame;
        frame.opcode = opcode;
        frame.psn = psn;
        frame.ackRequest = ackRequest;
        frame.isSolicited = isSolicited;
        frame.payloadBytes = static_cast<uint16_t>(payloadBytes);
        frame.isExtended = true;
        frame.extension = &headers;
        return frame;
    }

    std::string Describe() const
    {
        const OpcodeInfo& info = GetOpcodeInfo(opcode);
        std::ostringstream line;
        line << (isRequest ? "-> " : "<- ") << info.name << " psn " << psn.Get();
        if (info.Has(HEADER_AETH))
        {
            line << std::hex << " syndrome 0x" << int{headers.aeth.syndrome} << std::dec << " msn "
                 << headers.aeth.msn;
        }
        line << ' ' << payloadBytes << " B" << (ackRequest ? " A" : "");
        return line.str();
    }
};

/** What a connection under test is made of. */
struct ConnectionSettings
{
    RcPolicy policy{};
    QueuePairAttributes client{.state = QueuePairState::RTS, .pathMtu = 256, .timeout = 4};
    QueuePairAttributes server{.state = QueuePairState::RTS, .pathMtu = 256};
    QueuePairCapabilities capabilities{.maxSendRequests = 64,
                                       .maxReceiveRequests = 64,
                                       .maxSendElements = 4,
                                       .maxReceiveElements = 4};
    Psn firstPsn{0};
    uint64_t windowBytes{Requester::NO_WINDOW};
};

/** What the channel does to a packet. */
struct Fate
{
    uint32_t copies{1}; ///< 0: lost, or damaged and thrown away
    SimTime delay{};    ///< over the cable's; a packet that is late arrives behind later ones
};

/** A request packet with its headers and its bytes. */
inline ConnectionPacket
MakePacket(const OutgoingRequest& request, const Requester& requester)
{
    ConnectionPacket packet;
    packet.opcode = request.opcode;
    packet.psn = request.psn;
    packet.ackRequest = request.ackRequest;
    packet.isSolicited = request.isSolicited;
    packet.payloadBytes = request.payloadBytes;
    packet.payload.resize(request.payloadBytes);
    packet.headers.reth = request.reth;
    packet.headers.immediate = request.immediate;
    if (GetOpcodeInfo(request.opcode).Has(HEADER_ATOMIC_ETH))
    {
        packet.headers.atomic = requester.GetAtomic(request);
    }
    if (request.payloadBytes > 0)
    {
        requester.Gather(request, packet.payload);
    }
    return packet;
}

/** An answer with its headers, and the bytes that it reads. */
inline ConnectionPacket
MakePacket(const OutgoingResponse& response, const MemoryTable& memory)
{
    ConnectionPacket packet;
    packet.isRequest = false;
    packet.opcode = response.opcode;
    packet.psn = response.psn;
    packet.payloadBytes = response.payloadBytes;
    packet.payload.resize(response.payloadBytes);
    packet.headers.aeth = response.aeth;
    packet.headers.atomicOriginal = response.atomicOriginal;
    memory.Read(response.rkey, response.address, packet.payload);
    return packet;
}

} // namespace ns3::rdma
