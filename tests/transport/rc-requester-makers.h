// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/transport/rc-script.h"

namespace ns3::rdma
{
inline namespace rc
{

/** Path MTU of the scripts. */
constexpr uint32_t MTU = 1024;

inline RequestPacket
Packet(Opcode opcode, uint64_t psn, uint32_t payloadBytes)
{
    return {.opcode = opcode, .psn = Psn{psn}, .payloadBytes = payloadBytes};
}

inline RequestPacket
First(uint64_t psn, uint32_t messageBytes)
{
    RequestPacket packet = Packet(Opcode::RC_RDMA_WRITE_FIRST, psn, MTU);
    packet.reth = {RequesterScript::ADDRESS, RequesterScript::RKEY, messageBytes};
    return packet;
}

inline RequestPacket
Middle(uint64_t psn)
{
    return Packet(Opcode::RC_RDMA_WRITE_MIDDLE, psn, MTU);
}

inline RequestPacket
Last(uint64_t psn, uint32_t payloadBytes)
{
    RequestPacket packet = Packet(Opcode::RC_RDMA_WRITE_LAST, psn, payloadBytes);
    packet.ackRequest = true;
    return packet;
}

inline RequestPacket
Only(uint64_t psn, uint32_t payloadBytes)
{
    RequestPacket packet = Packet(Opcode::RC_RDMA_WRITE_ONLY, psn, payloadBytes);
    packet.ackRequest = true;
    packet.reth = {RequesterScript::ADDRESS, RequesterScript::RKEY, payloadBytes};
    return packet;
}

inline RequestPacket
Asking(RequestPacket packet)
{
    packet.ackRequest = true;
    return packet;
}

inline RequestPacket
Again(RequestPacket packet)
{
    packet.isRetransmission = true;
    return packet;
}

/** Acknowledgements only where a message ends: the shortest scripts. */
inline RcConfig
AckLast()
{
    return {.pathMtu = MTU, .ackEvery = RcConfig::ACK_LAST_OF_MESSAGE};
}

inline RequesterOutcome
Acked(uint64_t bytes)
{
    return {.ackedBytes = bytes};
}

inline RequesterOutcome
Completes(uint64_t bytes)
{
    return {.ackedBytes = bytes, .completes = true};
}

inline RequesterOutcome
GoesBack(uint64_t ackedBytes)
{
    return {.ackedBytes = ackedBytes, .goesBack = true};
}

inline RequesterOutcome
Duplicate()
{
    return {.isDuplicate = true};
}

} // namespace rc
} // namespace ns3::rdma
