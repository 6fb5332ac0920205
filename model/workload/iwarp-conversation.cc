// SPDX-License-Identifier: GPL-2.0-only
#include "workload/iwarp-conversation.h"

#include <algorithm>

namespace ns3::rdma
{

IwarpConversation::IwarpConversation(CaptureCounters& counters) : m_counters{counters} {}

void
IwarpConversation::Begin(const CapturedPacket& packet, unsigned sender)
{
    if (sender == 0 && MpaStart::IsRequest(packet.payload))
    {
        m_directions[0].segments.Start(packet.tcp.sequence);
        m_directions[1].segments.Start(packet.tcp.acknowledgement);
    }
}

void
IwarpConversation::OnPacket(const CapturedPacket& packet, unsigned sender, int64_t timeNs)
{
    if (!m_directions[0].segments.HasStarted())
    {
        Begin(packet, sender);
    }
    Direction& direction = m_directions[sender];
    if (!direction.segments.HasStarted())
    {
        return;
    }
    const auto sink = [&](const TcpReassembly::Piece& piece) { OnPiece(piece, sender, timeNs); };
    // A request that is sent with an answer comes after what it answers.
    OnAcknowledgement(packet, sender, timeNs);
    if (packet.payloadBytes > 0 &&
        direction.segments.OnSegment(packet, sink) == TcpReassembly::Outcome::REPEATED)
    {
        ++m_counters.repeatedSegments;
    }
}

void
IwarpConversation::OnAcknowledgement(const CapturedPacket& packet, unsigned sender, int64_t timeNs)
{
    const unsigned other = 1 - sender;
    Direction& acknowledged = m_directions[other];
    if ((packet.tcp.flags & TcpSegment::ACK) == 0)
    {
        return;
    }
    const uint64_t position = acknowledged.segments.Extend(packet.tcp.acknowledgement);
    // The number after a FIN counts one byte that is none.
    if (position > acknowledged.segments.GetNext() + 1)
    {
        ++m_counters.missingPackets;
        acknowledged.segments.SkipTo(
            position, [&](const TcpReassembly::Piece& piece) { OnPiece(piece, other, timeNs); });
    }
    acknowledged.acknowledged = std::max(acknowledged.acknowledged, position);
    Retire(other, timeNs);
}

void
IwarpConversation::SetOptions()
{
    const auto& request = m_directions[0].fpdus.GetStart();
    const auto& reply = m_directions[1].fpdus.GetStart();
    if (request && reply)
    {
        const bool hasCrc = request->usesCrc || reply->usesCrc;
        m_directions[0].fpdus.SetOptions(reply->needsMarkers, hasCrc);
        m_directions[1].fpdus.SetOptions(request->needsMarkers, hasCrc);
    }
}

void
IwarpConversation::OnPiece(const TcpReassembly::Piece& piece, unsigned sender, int64_t timeNs)
{
    Direction& direction = m_directions[sender];
    const bool hadStart = direction.fpdus.GetStart().has_value();
    std::vector<FpduStream::Found> found;
    direction.fpdus.OnPiece(piece, found);
    if (!hadStart && direction.fpdus.GetStart())
    {
        ++m_counters.managementDatagrams;
        SetOptions();
    }
    for (const FpduStream::Found& entry : found)
    {
        if (entry.hasWrongCrc)
        {
            ++m_counters.wrongIcrcs;
            continue;
        }
        OnFpdu(entry, sender, timeNs);
        direction.hasFpdus = true;
    }
    if (direction.fpdus.IsLost() && !direction.wasLost)
    {
        ++m_counters.lostStreams;
    }
    direction.wasLost = direction.fpdus.IsLost();
}

bool
IwarpConversation::IsOfStart(const Fpdu& fpdu, unsigned sender) const
{
    const auto& reply = m_directions[1].fpdus.GetStart();
    if (sender != 0 || m_directions[0].hasFpdus || !reply || !reply->isPeerToPeer)
    {
        return false;
    }
    switch (fpdu.opcode)
    {
    case RdmapOpcode::RDMA_WRITE:
        return reply->offersWrite && fpdu.payloadBytes == 0;
    case RdmapOpcode::READ_REQUEST:
        return reply->offersRead && fpdu.readBytes == 0;
    case RdmapOpcode::SEND:
        return reply->offersSend && fpdu.payloadBytes == 0;
    default:
        return false;
    }
}

void
IwarpConversation::OnFpdu(const FpduStream::Found& found, unsigned sender, int64_t timeNs)
{
    switch (found.fpdu.opcode)
    {
    case RdmapOpcode::RDMA_WRITE:
        OnWrite(found, sender, timeNs);
        break;
    case RdmapOpcode::SEND:
    case RdmapOpcode::SEND_INVALIDATE:
    case RdmapOpcode::SEND_SOLICITED:
    case RdmapOpcode::SEND_SOLICITED_INVALIDATE:
        OnSend(found, sender, timeNs);
        break;
    case RdmapOpcode::READ_REQUEST:
        OnReadRequest(found, sender, timeNs);
        break;
    case RdmapOpcode::READ_RESPONSE:
        OnReadResponse(found.fpdu, sender, timeNs);
        break;
    case RdmapOpcode::TERMINATE:
        ++m_counters.terminates;
        break;
    case RdmapOpcode::IMMEDIATE:
    case RdmapOpcode::IMMEDIATE_SOLICITED:
    case RdmapOpcode::ATOMIC_REQUEST:
    case RdmapOpcode::ATOMIC_RESPONSE:
        ++m_counters.otherTransports;
        break;
    }
}

void
IwarpConversation::OnWrite(const FpduStream::Found& found, unsigned sender, int64_t timeNs)
{
    const Fpdu& fpdu = found.fpdu;
    Direction& direction = m_directions[sender];
    if (IsOfStart(fpdu, sender))
    {
        ++m_counters.managementDatagrams;
        return;
    }
    if (!direction.write)
    {
        TraceOperation post = MakeCapturedPost(timeNs, WR_RDMA_WRITE);
        post.remoteAddress = fpdu.offset;
        post.rkey = fpdu.tag;
        direction.write = Open{.post = GetEnd(sender).Reserve(post)};
    }
    direction.write->bytes += fpdu.payloadBytes;
    if (fpdu.isLast)
    {
        GetEnd(sender).At(direction.write->post).bytes = direction.write->bytes;
        GetEnd(sender).Release(direction.write->post);
        AddMessage({.end = found.end, .bytes = direction.write->bytes, .opcode = WR_RDMA_WRITE},
                   sender);
        direction.write.reset();
    }
}

void
IwarpConversation::OnSend(const FpduStream::Found& found, unsigned sender, int64_t timeNs)
{
    const Fpdu& fpdu = found.fpdu;
    Direction& direction = m_directions[sender];
    if (IsOfStart(fpdu, sender))
    {
        ++m_counters.managementDatagrams;
        return;
    }
    const bool invalidates = fpdu.opcode == RdmapOpcode::SEND_INVALIDATE ||
                             fpdu.opcode == RdmapOpcode::SEND_SOLICITED_INVALIDATE;
    const bool isSolicited = fpdu.opcode == RdmapOpcode::SEND_SOLICITED ||
                             fpdu.opcode == RdmapOpcode::SEND_SOLICITED_INVALIDATE;
    if (!direction.send && fpdu.offset != 0)
    {
        m_counters.missingBeginnings += fpdu.isLast ? 1 : 0;
        return;
    }
    if (!direction.send)
    {
        TraceOperation post = MakeCapturedPost(timeNs, invalidates ? WR_SEND_WITH_INV : WR_SEND);
        post.rkey = invalidates ? fpdu.tag : 0;
        post.flags |= isSolicited ? SEND_SOLICITED : 0;
        direction.send = Open{.post = GetEnd(sender).Reserve(post)};
    }
    // Each segment says where it belongs: those that are missing count, too.
    direction.send->bytes = fpdu.offset + fpdu.payloadBytes;
    if (!fpdu.isLast)
    {
        return;
    }
    const Open send = *direction.send;
    direction.send.reset();
    GetEnd(sender).At(send.post).bytes = send.bytes;
    const uint8_t opcode = GetEnd(sender).At(send.post).opcode;
    GetEnd(sender).Release(send.post);
    TraceOperation receive = MakeCapturedCompletion(timeNs, WC_RECV, send.bytes);
    receive.flags = invalidates ? WC_WITH_INV : 0;
    receive.rkey = invalidates ? fpdu.tag : 0;
    GetEnd(1 - sender).Add(receive);
    AddMessage({.end = found.end, .bytes = send.bytes, .opcode = opcode}, sender);
}

void
IwarpConversation::OnReadRequest(const FpduStream::Found& found, unsigned sender, int64_t timeNs)
{
    const Fpdu& fpdu = found.fpdu;
    Message message{.end = found.end, .bytes = fpdu.readBytes, .opcode = WR_RDMA_READ};
    message.isOfStart = IsOfStart(fpdu, sender);
    if (message.isOfStart)
    {
        ++m_counters.managementDatagrams;
        m_directions[sender].outstanding.push_back(message);
        return;
    }
    TraceOperation post = MakeCapturedPost(timeNs, WR_RDMA_READ);
    post.bytes = fpdu.readBytes;
    post.remoteAddress = fpdu.sourceOffset;
    post.rkey = fpdu.sourceTag;
    GetEnd(sender).Add(post);
    AddMessage(message, sender);
}

void
IwarpConversation::OnReadResponse(const Fpdu& fpdu, unsigned sender, int64_t timeNs)
{
    if (!fpdu.isLast)
    {
        return;
    }
    // Responses come in the order of the requests (RFC 5040 section 5.5).
    auto& outstanding = m_directions[1 - sender].outstanding;
    const auto read =
        std::ranges::find_if(outstanding,
                             [](const Message& message)
                             { return message.opcode == WR_RDMA_READ && !message.isAnswered; });
    if (read == outstanding.end())
    {
        ++m_counters.strayResponses;
        return;
    }
    read->isAnswered = true;
    Retire(1 - sender, timeNs);
}

void
IwarpConversation::AddMessage(const Message& message, unsigned sender)
{
    constexpr std::size_t MAX_OUTSTANDING = 65536; // a bound of memory
    ++m_counters.messages;
    auto& outstanding = m_directions[sender].outstanding;
    outstanding.push_back(message);
    if (outstanding.size() > MAX_OUTSTANDING)
    {
        ++m_counters.unacknowledged;
        outstanding.pop_front();
    }
}

void
IwarpConversation::Retire(unsigned sender, int64_t timeNs)
{
    Direction& direction = m_directions[sender];
    while (!direction.outstanding.empty())
    {
        const Message& message = direction.outstanding.front();
        const bool isRead = message.opcode == WR_RDMA_READ;
        if (isRead ? !message.isAnswered : message.end > direction.acknowledged)
        {
            break;
        }
        if (!message.isOfStart)
        {
            GetEnd(sender).Add(
                MakeCapturedCompletion(timeNs, GetCompletionOpcode(message.opcode), message.bytes));
        }
        direction.outstanding.pop_front();
    }
}

void
IwarpConversation::Finish()
{
    for (unsigned sender = 0; sender < 2; ++sender)
    {
        Direction& direction = m_directions[sender];
        for (std::optional<Open>* open : {&direction.write, &direction.send})
        {
            if (*open)
            {
                ++m_counters.missingEnds;
                GetEnd(sender).Drop((*open)->post);
                open->reset();
            }
        }
        m_counters.unacknowledged += direction.outstanding.size();
        direction.outstanding.clear();
    }
}

} // namespace ns3::rdma
