// SPDX-License-Identifier: GPL-2.0-only
/**
 * @file
 * What a responder asks of a packet with the expected PSN before it executes it.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.4.1 (inbound packet validation)
 */
#include "transport/responder.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

/** What the access flags of the queue pair must allow. */
constexpr uint8_t
NeededRight(Operation operation)
{
    switch (operation)
    {
    case Operation::RDMA_WRITE:
        return ACCESS_REMOTE_WRITE;
    case Operation::RDMA_READ_REQUEST:
        return ACCESS_REMOTE_READ;
    case Operation::COMPARE_SWAP:
    case Operation::FETCH_ADD:
        return ACCESS_REMOTE_ATOMIC;
    default:
        return 0;
    }
}

} // namespace

Responder::Refusal
Responder::Check(const Request& request)
{
    constexpr Refusal INVALID{SYNDROME_NAK_INVALID_REQUEST, CompletionStatus::REM_INV_REQ_ERR};
    if (!IsInSequence(request.info) || !IsAllowed(request.info))
    {
        return INVALID;
    }
    if (!HasResource(request))
    {
        return TakesResource(request.info.operation)
                   ? INVALID
                   : Refusal{static_cast<uint8_t>(SYNDROME_TYPE_RNR |
                                                  m_context.attributes->minRnrTimer)};
    }
    BeginPacket(request);
    if (!IsLengthRight(request))
    {
        return INVALID;
    }
    switch (request.info.operation)
    {
    case Operation::SEND:
        return CheckSend(request);
    case Operation::RDMA_WRITE:
        return CheckWrite(request);
    case Operation::RDMA_READ_REQUEST:
        return CheckRemote(request.frame.GetReth(), ACCESS_REMOTE_READ);
    default:
        return CheckAtomic(request.frame.extension->atomic);
    }
}

bool
Responder::IsInSequence(const OpcodeInfo& info) const
{
    if (info.startsMessage)
    {
        return m_message == Message::NONE;
    }
    return m_message == (info.operation == Operation::SEND ? Message::SEND : Message::WRITE);
}

bool
Responder::IsAllowed(const OpcodeInfo& info) const
{
    const uint8_t right = NeededRight(info.operation);
    return info.service == TransportService::RC && info.isRequest &&
           (m_context.attributes->accessFlags & right) == right;
}

bool
Responder::HasResource(const Request& request)
{
    if (TakesResource(request.info.operation))
    {
        return Responses().HasRoom();
    }
    return !request.TakesReceive() || !m_context.receives->IsEmpty() ||
           (m_receives && m_receives->isHeld);
}

void
Responder::BeginPacket(const Request& request)
{
    // A message that begins again has its receive request already.
    if (request.TakesReceive() && !Receives().isHeld)
    {
        ReceiveState& state = Receives();
        state.entry = m_context.receives->Take();
        state.isHeld = true;
    }
    if (!request.info.startsMessage)
    {
        return;
    }
    if (request.info.operation == Operation::SEND)
    {
        m_messageBytes = 0;
        m_remainingBytes = static_cast<uint32_t>(
            std::min(TotalBytes(m_receives->entry.sgList), MAX_MESSAGE_BYTES));
    }
    else if (request.info.operation == Operation::RDMA_WRITE)
    {
        const Reth& reth = request.frame.GetReth();
        m_messageBytes = reth.dmaLength;
        m_remainingBytes = reth.dmaLength;
        m_address = reth.virtualAddress;
        m_rkey = reth.rkey;
    }
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.7.4.1 (length of an inbound packet), 9.7.2 (2^31 bytes) */
bool
Responder::IsLengthRight(const Request& request) const
{
    const uint32_t bytes = request.frame.payloadBytes;
    const OpcodeInfo& info = request.info;
    if (!info.hasPayload)
    {
        const bool isRead = info.operation == Operation::RDMA_READ_REQUEST;
        return bytes == 0 && (!isRead || request.frame.GetReth().dmaLength <= MAX_MESSAGE_BYTES);
    }
    const bool isFull = bytes == m_pathMtu;
    const bool isLast = info.endsMessage && !info.startsMessage;
    if (bytes > m_pathMtu || (!info.endsMessage && !isFull) || (isLast && bytes == 0))
    {
        return false;
    }
    if (info.operation == Operation::SEND)
    {
        return true;
    }
    return m_messageBytes <= MAX_MESSAGE_BYTES &&
           (info.endsMessage ? bytes == m_remainingBytes : bytes < m_remainingBytes);
}

Responder::Refusal
Responder::CheckSend(const Request& request) const
{
    const RcPolicy& policy = *m_context.policy;
    if (request.frame.payloadBytes > m_remainingBytes)
    {
        return {policy.tooLongSyndrome, policy.tooLongStatus};
    }
    if (!IsPlaceable(request.frame.payloadBytes))
    {
        return {SYNDROME_NAK_REMOTE_OPERATION, CompletionStatus::LOC_PROT_ERR};
    }
    if (request.info.Has(HEADER_IETH) &&
        !m_context.memory->CanInvalidate(request.frame.GetImmediate(), m_context.protectionDomain))
    {
        return {SYNDROME_NAK_REMOTE_ACCESS, CompletionStatus::LOC_QP_OP_ERR};
    }
    return {};
}

bool
Responder::IsPlaceable(uint32_t bytes) const
{
    uint64_t offset = m_messageBytes;
    uint64_t left = bytes;
    for (const ScatterGatherElement& element : m_receives->entry.sgList)
    {
        const uint64_t skipped = std::min<uint64_t>(offset, element.length);
        const uint64_t placed = std::min(left, element.length - skipped);
        const MemoryAccess access{.key = element.lkey,
                                  .protectionDomain = m_context.protectionDomain,
                                  .address = element.address + skipped,
                                  .length = placed,
                                  .rights = ACCESS_LOCAL_WRITE};
        if (m_context.memory->Check(access) != AccessCheck::OK)
        {
            return false;
        }
        offset -= skipped;
        left -= placed;
    }
    return true;
}

Responder::Refusal
Responder::CheckWrite(const Request& request) const
{
    const uint32_t bytes = request.frame.payloadBytes;
    const bool checksWhole = request.info.startsMessage && !m_context.policy->checksEachWritePacket;
    if (m_isRangeChecked && request.payload.empty())
    {
        return {};
    }
    return CheckRemote({m_address, m_rkey, checksWhole ? m_messageBytes : bytes},
                       ACCESS_REMOTE_WRITE);
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.4.5 (atomic operations: address is a multiple of 8) */
Responder::Refusal
Responder::CheckAtomic(const AtomicEth& atomic) const
{
    const Refusal refusal =
        CheckRemote({atomic.virtualAddress, atomic.rkey, ATOMIC_BYTES}, ACCESS_REMOTE_ATOMIC);
    if (refusal.IsNone() && atomic.virtualAddress % ATOMIC_BYTES != 0)
    {
        return {SYNDROME_NAK_INVALID_REQUEST, CompletionStatus::REM_INV_REQ_ERR};
    }
    return refusal;
}

Responder::Refusal
Responder::CheckRemote(const Reth& reth, uint8_t right) const
{
    const MemoryAccess access{.key = reth.rkey,
                              .protectionDomain = m_context.protectionDomain,
                              .address = reth.virtualAddress,
                              .length = reth.dmaLength,
                              .rights = right};
    if (m_context.memory->Check(access) == AccessCheck::OK) [[likely]]
    {
        return {};
    }
    return {SYNDROME_NAK_REMOTE_ACCESS, CompletionStatus::REM_ACCESS_ERR};
}

} // namespace ns3::rdma
