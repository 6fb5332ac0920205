// SPDX-License-Identifier: GPL-2.0-only
#include "transport/requester.h"

#include "transport/retransmission-timer.h"
#include "transport/send-operation.h"
#include "verbs/access.h"

#include <algorithm>

namespace ns3::rdma
{

Requester::Requester(const RequesterContext& context)
    : m_policy{context.policy},
      m_attributes{context.attributes},
      m_signalsAll{context.signalsAll},
      m_qpn{context.qpn},
      m_protectionDomain{context.protectionDomain},
      m_credits{context.policy->hasEndToEndCredits},
      m_memory{context.memory},
      m_queue{context.capabilities}
{
}

void
Requester::Start(Psn initialPsn)
{
    m_mtu = m_attributes->pathMtu;
    m_nextPacket = initialPsn.Get();
    m_oldestPacket = m_nextPacket;
    m_newPacket = m_nextPacket;
    m_postedPacket = m_nextPacket;
    m_restartPacket = m_nextPacket;
}

PostResult
Requester::Post(std::span<const SendRequest> requests, bool isHeld)
{
    PostResult result;
    const bool hasHeld = isHeld || m_released != m_queue.GetEnd();
    for (const SendRequest& request : requests)
    {
        result.error = m_queue.IsFull() ? VerbsError::QUEUE_FULL : Validate(request);
        if (!result.IsOk())
        {
            break;
        }
        Append(request);
        ++result.badRequest;
    }
    if (result.IsOk())
    {
        result.badRequest = 0;
    }
    if (!hasHeld)
    {
        m_released = m_queue.GetEnd();
    }
    if (m_isBlocked)
    {
        PrepareHead();
    }
    return result;
}

VerbsError
Requester::Validate(const SendRequest& request) const
{
    if (!IsSendOperation(request.opcode) || request.sgList.size() > m_queue.GetMaxElements())
    {
        return VerbsError::INVALID_ARGUMENT;
    }
    const uint64_t bytes = TotalBytes(request.sgList);
    const bool awaitsResponse = GetSendOperation(request.opcode).awaitsResponse;
    // Inline data are copied out, so nothing can be read into them (ibv_post_send).
    const bool isBadInline = (request.flags & SEND_INLINE) != 0 &&
                             (awaitsResponse || bytes > m_queue.GetMaxInlineBytes());
    const bool isBadAtomic = IsAtomic(request.opcode) && bytes != ATOMIC_BYTES;
    // @choice one that could never be sent is refused, where it would stop the queue for ever
    const bool isNeverSent = awaitsResponse && m_attributes->maxReadAtomic == 0;
    if (bytes > MAX_MESSAGE_BYTES || isBadInline || isBadAtomic || isNeverSent)
    {
        return VerbsError::INVALID_ARGUMENT;
    }
    return VerbsError::NONE;
}

void
Requester::Append(const SendRequest& request)
{
    DropUnsignalled();
    const uint32_t number = m_queue.GetEnd();
    SendEntry& entry = m_queue.Push(request);
    entry.flags |= m_signalsAll ? SEND_SIGNALED : 0;
    if (entry.Has(SEND_INLINE))
    {
        const std::span<std::byte> place = m_queue.GetInline(number);
        if (request.inlineData)
        {
            std::copy_n(request.inlineData, place.size(), place.begin());
        }
        else
        {
            m_memory->Gather(request.sgList, 0, place);
        }
    }
    entry.firstPacket = m_postedPacket;
    if (entry.opcode == SendOpcode::LOCAL_INV)
    {
        entry.bytes = 0;
        return; // takes no PSN
    }
    entry.ssn = m_credits.TakeSsn();
    // A message without payload is one packet all the same (section 9.7.2); a READ takes the PSNs
    // of its response, an atomic one.
    if (!IsAtomic(entry.opcode) && entry.bytes > m_mtu)
    {
        entry.packetCount = entry.bytes / m_mtu + (entry.bytes % m_mtu != 0 ? 1 : 0);
    }
    m_postedPacket += entry.packetCount;
}

void
Requester::Release(uint32_t count)
{
    m_released += std::min(count, m_queue.GetEnd() - m_released);
    OnModified();
}

void
Requester::OnModified()
{
    if (m_isBlocked || m_sentBytes == 0)
    {
        PrepareHead();
    }
}

bool
Requester::HasHead() const
{
    return HasUnsent() && !m_isReceiverNotReady;
}

void
Requester::PrepareHead()
{
    m_isBlocked = true;
    // A local operation begins when all requests before it have completed (section 10.6.5.1).
    while (HasHead() && m_oldest == m_sending && m_attributes->state != QueuePairState::SQD &&
           m_queue.At(m_sending).opcode == SendOpcode::LOCAL_INV)
    {
        InvalidateLocally();
    }
    if (!HasHead())
    {
        return;
    }
    const SendEntry& entry = m_queue.At(m_sending);
    if (MustWait(entry))
    {
        return;
    }
    // @choice local memory is checked when the request before it has been sent, and again when it
    // is sent again; no packet of a request that fails goes out, and it fails in its turn.
    if (!HasLocalMemory(entry))
    {
        if (m_oldest == m_sending)
        {
            Fail(CompletionStatus::LOC_PROT_ERR);
        }
        return;
    }
    // Less than half of the PSN space is in flight (section 9.7.1); a READ of the longest message
    // with the smallest MTU takes just the half, alone.
    m_maxDistance = m_policy->maxPacketsInFlight - 1;
    m_nextBytes = std::min(m_mtu, entry.bytes - m_sentBytes);
    if (GetSendOperation(entry.opcode).awaitsResponse)
    {
        m_maxDistance = std::min<uint64_t>(m_maxDistance, Psn::HALF_WINDOW - entry.packetCount);
        m_nextBytes = 0;
    }
    m_isBlocked = false;
}

bool
Requester::MustWait(const SendEntry& entry) const
{
    const SendOperation& operation = GetSendOperation(entry.opcode);
    if (m_attributes->state == QueuePairState::SQD && entry.firstPacket >= m_newPacket)
    {
        return true; // begins nothing new (section 10.3.1, queue pair states)
    }
    if (entry.opcode == SendOpcode::LOCAL_INV)
    {
        return true;
    }
    if (m_awaiting != 0 && (entry.Has(SEND_FENCE) || (operation.awaitsResponse &&
                                                      m_awaiting >= m_attributes->maxReadAtomic)))
    {
        return true;
    }
    if (!operation.takesReceive || m_credits.Covers(entry.ssn))
    {
        return false;
    }
    // Beyond the credits one packet goes, as a probe. @choice when that is acknowledged, the
    // responder has given the message a receive request, and the rest of it may follow.
    return m_sentBytes == 0 ? !m_credits.MayBegin(entry.ssn) : entry.firstPacket >= m_oldestPacket;
}

bool
Requester::HasLocalMemory(const SendEntry& entry) const
{
    const uint8_t rights =
        GetSendOperation(entry.opcode).awaitsResponse ? uint8_t{ACCESS_LOCAL_WRITE} : uint8_t{0};
    return entry.Has(SEND_INLINE) ||
           m_memory->CheckList(m_queue.GetList(m_sending), m_protectionDomain, rights) ==
               AccessCheck::OK;
}

void
Requester::InvalidateLocally()
{
    const SendEntry& entry = m_queue.At(m_sending);
    if (!m_memory->CanInvalidate(entry.immediate, m_protectionDomain))
    {
        Fail(CompletionStatus::MW_BIND_ERR); // memory management operation error (section 11.6.2)
        return;
    }
    m_memory->Invalidate(entry.immediate);
    m_signalledDone += entry.Has(SEND_SIGNALED) ? 1 : 0;
    ++m_oldest;
    ++m_sending;
}

OutgoingRequest
Requester::Next(SimTime now, uint64_t windowBytes)
{
    if (m_deadline.IsNever()) [[unlikely]]
    {
        m_deadline = DeadlineFrom(now);
    }
    const SendEntry& entry = m_queue.At(m_sending);
    return GetSendOperation(entry.opcode).awaitsResponse ? NextAwaiting(entry)
                                                         : NextWithPayload(entry, windowBytes);
}

OutgoingRequest
Requester::NextWithPayload(const SendEntry& entry, uint64_t windowBytes)
{
    const SendOperation& operation = GetSendOperation(entry.opcode);
    const uint32_t payloadBytes = m_nextBytes;
    const bool isFirst = m_sentBytes == 0;
    const bool isLast = m_sentBytes + payloadBytes == entry.bytes;
    OutgoingRequest packet{.opcode = operation.opcodes[isFirst][isLast],
                           .psn = Psn{m_nextPacket},
                           .payloadBytes = payloadBytes,
                           .isRetransmission = m_nextPacket < m_newPacket,
                           .entry = m_sending,
                           .offset = m_sentBytes};
    if (isFirst && operation.hasReth)
    {
        packet.reth = {entry.remoteAddress, entry.rkey, entry.bytes};
    }
    if (isLast)
    {
        packet.immediate = entry.immediate;
        packet.isSolicited = operation.takesReceive && entry.Has(SEND_SOLICITED);
    }
    m_inFlightBytes += payloadBytes;
    m_sentBytes += payloadBytes;
    ++m_nextPacket;
    if (m_credits.IsLimited()) [[unlikely]]
    {
        SpendCredit(entry, packet);
    }
    m_newPacket = std::max(m_newPacket, m_nextPacket);
    if (isLast)
    {
        m_sentBytes = 0;
        ++m_sending;
        PrepareHead();
    }
    else
    {
        m_nextBytes = std::min(m_mtu, entry.bytes - m_sentBytes);
    }
    packet.ackRequest = NeedsAck(isLast, windowBytes) || packet.ackRequest;
    return packet;
}

OutgoingRequest
Requester::NextAwaiting(const SendEntry& entry)
{
    // After a hole in its response a READ asks for what is missing only (section 9.7.6).
    const SendOperation& operation = GetSendOperation(entry.opcode);
    OutgoingRequest packet{.opcode = operation.opcodes[1][1],
                           .psn = Psn{m_nextPacket},
                           .ackRequest = true,
                           .isRetransmission = m_nextPacket < m_newPacket,
                           .entry = m_sending,
                           .offset = m_sentBytes};
    if (operation.hasReth)
    {
        packet.reth = {entry.remoteAddress + m_sentBytes, entry.rkey, entry.bytes - m_sentBytes};
    }
    if (m_credits.IsLimited())
    {
        SpendCredit(entry, packet);
    }
    m_barrier = std::min(m_barrier, m_nextPacket);
    m_nextPacket = entry.firstPacket + entry.packetCount;
    m_newPacket = std::max(m_newPacket, m_nextPacket);
    m_sentBytes = 0;
    m_sinceAckRequest = 0;
    ++m_awaiting;
    ++m_sending;
    PrepareHead();
    return packet;
}

void
Requester::SpendCredit(const SendEntry& entry, OutgoingRequest& packet)
{
    if (!GetSendOperation(entry.opcode).takesReceive)
    {
        if (packet.psn == Psn{entry.firstPacket} && !packet.isRetransmission)
        {
            m_credits.OnFreeRequest();
        }
    }
    else if (packet.offset == 0 && !m_credits.Covers(entry.ssn))
    {
        packet.ackRequest = true;
        m_isBlocked = true; // the probe; its acknowledgement or a credit looks again
    }
}

bool
Requester::NeedsAck(bool isLast, uint64_t windowBytes)
{
    ++m_sinceAckRequest;
    // Without the third and fourth condition a QP would wait for an acknowledgement that nobody
    // asked for: the window is full; or the PSN space is, and nothing in it has asked.
    const uint64_t distance = m_nextPacket - m_oldestPacket;
    if (isLast || m_sinceAckRequest == m_policy->ackEvery ||
        m_inFlightBytes + m_nextBytes > windowBytes ||
        (distance > m_maxDistance && m_sinceAckRequest >= distance))
    {
        m_sinceAckRequest = 0;
        return true;
    }
    return false;
}

SimTime
Requester::DeadlineFrom(SimTime now) const
{
    const SimTime period =
        m_policy->timer == RcPolicy::Timer::EXACT
            ? LocalAckTimeout(m_attributes->timeout)
            : GetTimerStep(*m_policy, {m_attributes->timeout, m_attributes->retryCount}, m_expiries)
                  .period;
    return period.IsNever() ? period : now + period;
}

AtomicEth
Requester::GetAtomic(const OutgoingRequest& packet) const
{
    const SendEntry& entry = m_queue.At(packet.entry);
    const AtomicOperands& operands = m_queue.GetOperands(packet.entry);
    const bool isSwap = entry.opcode == SendOpcode::ATOMIC_CMP_AND_SWP;
    return {.virtualAddress = entry.remoteAddress,
            .rkey = entry.rkey,
            .swapOrAdd = isSwap ? operands.swap : operands.compareAdd,
            .compare = isSwap ? operands.compareAdd : 0};
}

void
Requester::Gather(const OutgoingRequest& packet, std::span<std::byte> to) const
{
    if (m_queue.At(packet.entry).Has(SEND_INLINE))
    {
        std::ranges::copy(m_queue.GetInline(packet.entry).subspan(packet.offset, to.size()),
                          to.begin());
    }
    else
    {
        m_memory->Gather(m_queue.GetList(packet.entry), packet.offset, to);
    }
}

bool
Requester::IsDrained() const
{
    return m_oldestPacket == m_newPacket && m_sentBytes == 0;
}

Psn
Requester::GetNextPsn() const
{
    return Psn{m_newPacket};
}

uint64_t
Requester::GetHeapBytes() const
{
    return m_queue.GetHeapBytes();
}

} // namespace ns3::rdma
