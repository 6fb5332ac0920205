// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/frame-maker.h"

#include "wire/framing.h"

namespace ns3::rdma
{

std::span<std::byte>
FrameMaker::AddPayload(Frame& frame, uint32_t payloadBytes)
{
    return std::span{m_ledger.AddPayload(frame).bytes}.first(payloadBytes);
}

inline Frame*
FrameMaker::Make(const QueuePair& pair, Shape shape, uint32_t payloadBytes)
{
    const uint32_t bytes =
        RoceFrameBytes(shape.headerBytes, payloadBytes) + (m_style.isTagged ? VLAN_TAG_BYTES : 0);
    Frame* frame = m_ledger.Create(FrameKind::ROCE, static_cast<uint16_t>(bytes));
    frame->flow = pair.init.mark;
    frame->flowHash = pair.flowHash;
    frame->destination = pair.attributes.address.destination;
    frame->destinationQp = pair.attributes.destinationQp.value;
    frame->payloadBytes = static_cast<uint16_t>(payloadBytes);
    frame->opcode = shape.opcode;
    SetPriority(*frame, pair.attributes.address.priority);
    return frame;
}

Frame*
FrameMaker::MakeRequest(const QueuePair& pair, const OutgoingRequest& packet)
{
    const OpcodeInfo& info = GetOpcodeInfo(packet.opcode);
    Frame* frame = Make(pair, ShapeOf(info), packet.payloadBytes);
    frame->psn = packet.psn;
    frame->ecn = pair.ecn;
    frame->ackRequest = packet.ackRequest;
    frame->isSolicited = packet.isSolicited;
    const bool hasPayload = m_style.hasRealPayload && packet.payloadBytes != 0;
    if ((info.headers & ~HEADER_RETH) == 0 && !hasPayload) [[likely]]
    {
        frame->reth = packet.reth;
        return frame;
    }
    const bool isOneHeader = (info.headers & (HEADER_RETH | HEADER_ATOMIC_ETH)) == 0;
    if (isOneHeader && !hasPayload)
    {
        frame->immediate = packet.immediate;
        return frame;
    }
    FrameExtension& extension = m_ledger.Extend(*frame);
    extension.reth = packet.reth;
    extension.immediate = packet.immediate;
    if (info.Has(HEADER_ATOMIC_ETH))
    {
        extension.atomic = pair.requester.GetAtomic(packet);
    }
    if (hasPayload)
    {
        pair.requester.Gather(packet, AddPayload(*frame, packet.payloadBytes));
    }
    return frame;
}

Frame*
FrameMaker::MakeAcknowledge(const QueuePair& pair, Psn psn, const Aeth& aeth)
{
    Frame* frame = Make(pair, {Opcode::RC_ACKNOWLEDGE, AETH_BYTES}, 0);
    frame->psn = psn;
    frame->ecn = pair.answerEcn;
    frame->aeth = aeth;
    return frame;
}

Frame*
FrameMaker::MakeResponse(const QueuePair& pair, const OutgoingResponse& packet)
{
    const OpcodeInfo& info = GetOpcodeInfo(packet.opcode);
    Frame* frame = Make(pair, ShapeOf(info), packet.payloadBytes);
    frame->psn = packet.psn;
    const bool hasPayload = m_style.hasRealPayload && packet.payloadBytes != 0;
    frame->ecn = info.hasPayload ? pair.ecn : pair.answerEcn;
    if (!hasPayload && !info.Has(HEADER_ATOMIC_ACK_ETH)) [[likely]]
    {
        frame->aeth = packet.aeth;
        return frame;
    }
    FrameExtension& extension = m_ledger.Extend(*frame);
    extension.aeth = packet.aeth;
    extension.atomicOriginal = packet.atomicOriginal;
    if (hasPayload)
    {
        pair.resources.memory->Read(
            packet.rkey, packet.address, AddPayload(*frame, packet.payloadBytes));
    }
    return frame;
}

Frame*
FrameMaker::MakeNotification(const QueuePair& pair, uint8_t priority)
{
    Frame* frame = Make(pair, ShapeOf(GetOpcodeInfo(Opcode::CNP)), 0);
    SetPriority(*frame, priority);
    return frame;
}

} // namespace ns3::rdma
