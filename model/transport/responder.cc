// SPDX-License-Identifier: GPL-2.0-only
#include "transport/responder.h"

#include "wire/credit-code.h"

namespace ns3::rdma
{
namespace
{

/** @spec IBTA Vol 1 Rel 1.7 section 9.3.5 (MSN, 24 bits) */
constexpr uint32_t MSN_MASK = (1U << 24) - 1;

/** @spec IBTA Vol 1 Rel 1.7 section 9.4.5 (atomic operations) */
uint64_t
AtomicResult(Opcode opcode, const AtomicEth& atomic, uint64_t original)
{
    if (opcode == Opcode::RC_FETCH_ADD)
    {
        return original + atomic.swapOrAdd;
    }
    return original == atomic.compare ? atomic.swapOrAdd : original;
}

ReadAtomicRequest
MakeReadAtomicRequest(const Frame& frame)
{
    ReadAtomicRequest request{.opcode = frame.opcode, .psn = frame.psn};
    if (frame.opcode == Opcode::RC_RDMA_READ_REQUEST)
    {
        const Reth& reth = frame.GetReth();
        request.address = reth.virtualAddress;
        request.rkey = reth.rkey;
        request.bytes = reth.dmaLength;
    }
    else
    {
        request.address = frame.extension->atomic.virtualAddress;
        request.rkey = frame.extension->atomic.rkey;
    }
    return request;
}

} // namespace

Responder::Responder(const ResponderContext& context) : m_context{context} {}

void
Responder::Start(Psn initialPsn)
{
    *this = Responder{m_context};
    m_expected = initialPsn;
    m_pathMtu = m_context.attributes->pathMtu;
}

OutgoingResponse
Responder::NextResponse()
{
    const OutgoingResponse response = m_responses->Pop(AckSyndrome());
    const Reth reth{response.address, response.rkey, response.payloadBytes};
    if (CheckRemote(reth, ACCESS_REMOTE_READ).IsNone())
    {
        return response;
    }
    // The region has gone since the request was executed.
    m_responses->Clear();
    EnterError(CompletionStatus::WR_FLUSH_ERR);
    return {.psn = response.psn, .aeth = {SYNDROME_NAK_REMOTE_ACCESS, m_msn}, .fails = true};
}

std::optional<WorkCompletion>
Responder::PopCompletion()
{
    if (!HasCompletion())
    {
        return std::nullopt;
    }
    ReceiveState& state = Receives();
    if (state.popped == state.completions.size())
    {
        return WorkCompletion{.wrId = m_context.receives->Take().wrId,
                              .status = CompletionStatus::WR_FLUSH_ERR,
                              .qpn = m_context.qpn};
    }
    const WorkCompletion completion = state.completions[state.popped++];
    if (state.popped == state.completions.size())
    {
        state.completions.clear();
        state.popped = 0;
    }
    return completion;
}

bool
Responder::Flush()
{
    if (!m_isInError)
    {
        EnterError(CompletionStatus::WR_FLUSH_ERR);
        if (m_responses)
        {
            m_responses->Clear();
        }
    }
    return HasCompletion();
}

uint32_t
Responder::GetMsn() const
{
    return m_msn;
}

Psn
Responder::GetExpectedPsn() const
{
    return m_expected;
}

bool
Responder::BeginPlainWrite(const Frame& frame)
{
    const bool isOnly = frame.opcode == Opcode::RC_RDMA_WRITE_ONLY;
    const uint32_t bytes = frame.payloadBytes;
    const Reth& reth = frame.GetReth();
    if ((!isOnly && frame.opcode != Opcode::RC_RDMA_WRITE_FIRST) || m_isInError ||
        m_message != Message::NONE || m_context.policy->checksEachWritePacket ||
        (m_context.attributes->accessFlags & ACCESS_REMOTE_WRITE) == 0 ||
        (isOnly ? bytes != reth.dmaLength || bytes > m_pathMtu
                : bytes != m_pathMtu || bytes >= reth.dmaLength) ||
        reth.dmaLength > MAX_MESSAGE_BYTES || !CheckRemote(reth, ACCESS_REMOTE_WRITE).IsNone())
    {
        return false;
    }
    m_messageBytes = reth.dmaLength;
    m_remainingBytes = reth.dmaLength;
    m_address = reth.virtualAddress;
    m_rkey = reth.rkey;
    return true;
}

ResponderOutcome
Responder::TakePlainWrite(const Frame& frame)
{
    m_hasSentNak = false;
    m_expected = m_expected.Plus(1);
    m_remainingBytes -= frame.payloadBytes;
    m_address += frame.payloadBytes;
    ResponderOutcome outcome;
    m_isRangeChecked = m_remainingBytes > 0;
    m_message = m_isRangeChecked ? Message::WRITE : Message::NONE;
    if (!m_isRangeChecked)
    {
        CountMessage(m_messageBytes, outcome);
    }
    if (frame.ackRequest)
    {
        Acknowledge(outcome);
    }
    return outcome;
}

ResponderOutcome
Responder::OnOther(const Frame& frame, std::span<const std::byte> payload)
{
    if (m_isInError)
    {
        return {.verdict = RequestVerdict::IGNORED};
    }
    const OpcodeInfo* info = FindOpcode(static_cast<uint8_t>(frame.opcode));
    const int32_t distance = Psn::Distance(m_expected, frame.psn);
    if (distance > 0)
    {
        return OnGap();
    }
    if (distance < 0)
    {
        return OnDuplicate(frame, info);
    }
    if (!info)
    {
        ResponderOutcome outcome;
        Refuse({SYNDROME_NAK_INVALID_REQUEST, CompletionStatus::REM_INV_REQ_ERR}, outcome);
        return outcome;
    }
    return OnExpected({frame, *info, payload});
}

ResponderOutcome
Responder::OnExpected(const Request& request)
{
    m_hasSentNak = false;
    ResponderOutcome outcome;
    const Refusal refusal = Check(request);
    if (refusal.IsNone()) [[likely]]
    {
        Execute(request, outcome);
    }
    else
    {
        Refuse(refusal, outcome);
    }
    return outcome;
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.7.5.1.3 (acknowledging duplicate requests) */
ResponderOutcome
Responder::OnDuplicate(const Frame& frame, const OpcodeInfo* info)
{
    if (!info || info->service != TransportService::RC || !info->isRequest)
    {
        return {.verdict = RequestVerdict::IGNORED};
    }
    ResponderOutcome outcome{.verdict = RequestVerdict::DUPLICATE};
    if (!TakesResource(info->operation))
    {
        if (frame.ackRequest || m_context.policy->acksEveryDuplicate)
        {
            // The acknowledgement names the last packet in order, not the duplicate.
            Acknowledge(outcome);
        }
        return outcome;
    }
    const bool isAlone = !HasResponse();
    if (!m_responses || !m_responses->Repeat(MakeReadAtomicRequest(frame), m_msn))
    {
        return {.verdict = RequestVerdict::IGNORED};
    }
    AnswerReadAtomic(frame.opcode, isAlone, outcome);
    return outcome;
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.7.4 (inbound requests, PSN sequence error) */
ResponderOutcome
Responder::OnGap()
{
    ResponderOutcome outcome{.verdict = RequestVerdict::OUT_OF_SEQUENCE};
    if (!m_hasSentNak)
    {
        // One NAK a gap: silence until the expected packet comes.
        m_hasSentNak = true;
        if (m_context.policy->goBack == RcPolicy::GoBack::TO_FIRST_PACKET)
        {
            ForgetMessage();
        }
        Nak(SYNDROME_NAK_SEQUENCE, outcome);
    }
    return outcome;
}

void
Responder::ForgetMessage()
{
    if (m_message == Message::NONE)
    {
        return;
    }
    const bool isWrite = m_message == Message::WRITE;
    const uint32_t arrived = isWrite ? m_messageBytes - m_remainingBytes : m_messageBytes;
    // All packets before the last of a message are full.
    m_expected = m_expected.Plus(Psn::MASK + 1 - arrived / m_pathMtu);
    m_message = Message::NONE;
    m_isRangeChecked = false;
}

void
Responder::Execute(const Request& request, ResponderOutcome& outcome)
{
    switch (request.info.operation)
    {
    case Operation::RDMA_READ_REQUEST:
        ExecuteRead(request.frame, outcome);
        return;
    case Operation::COMPARE_SWAP:
    case Operation::FETCH_ADD:
        ExecuteAtomic(request.frame, outcome);
        return;
    default:
        break;
    }
    Place(request);
    m_expected = m_expected.Plus(1);
    if (request.info.endsMessage)
    {
        EndMessage(request, outcome);
    }
    if (request.frame.ackRequest)
    {
        Acknowledge(outcome);
    }
}

void
Responder::Place(const Request& request)
{
    const uint32_t bytes = request.frame.payloadBytes;
    m_remainingBytes -= bytes;
    if (request.info.operation == Operation::SEND)
    {
        if (!request.payload.empty())
        {
            m_context.memory->Scatter(m_receives->entry.sgList, m_messageBytes, request.payload);
        }
        m_messageBytes += bytes;
        m_message = Message::SEND;
        return;
    }
    if (!request.payload.empty())
    {
        m_context.memory->Write(m_rkey, m_address, request.payload);
    }
    m_address += bytes;
    m_message = Message::WRITE;
    m_isRangeChecked = !m_context.policy->checksEachWritePacket;
}

void
Responder::EndMessage(const Request& request, ResponderOutcome& outcome)
{
    m_message = Message::NONE;
    m_isRangeChecked = false;
    CountMessage(m_messageBytes, outcome);
    const bool isSend = request.info.operation == Operation::SEND;
    if (!isSend && !request.info.Has(HEADER_IMMEDIATE))
    {
        return;
    }
    m_receives->isHeld = false;
    WorkCompletion completion{.wrId = m_receives->entry.wrId,
                              .qpn = m_context.qpn,
                              .byteLength = m_messageBytes,
                              .opcode = isSend ? CompletionOpcode::RECV
                                               : CompletionOpcode::RECV_RDMA_WITH_IMM};
    if (request.info.Has(HEADER_IMMEDIATE) || request.info.Has(HEADER_IETH))
    {
        completion.flags = request.info.Has(HEADER_IETH) ? WC_WITH_INV : WC_WITH_IMM;
        completion.immediate = request.frame.GetImmediate();
    }
    if (request.info.Has(HEADER_IETH))
    {
        m_context.memory->Invalidate(request.frame.GetImmediate());
    }
    m_receives->completions.push_back(completion);
    outcome.completes = true;
    outcome.isSolicited = request.frame.isSolicited;
}

void
Responder::CountMessage(uint64_t bytes, ResponderOutcome& outcome)
{
    // The MSN stands already raised in the message's acknowledgement.
    m_msn = (m_msn + 1) & MSN_MASK;
    outcome.completesMessage = true;
    outcome.deliveredMessageBytes = bytes;
}

void
Responder::ExecuteRead(const Frame& frame, ResponderOutcome& outcome)
{
    const ReadAtomicRequest request = MakeReadAtomicRequest(frame);
    CountMessage(request.bytes, outcome);
    m_expected = m_expected.Plus(ReadResponsePackets(request.bytes, m_pathMtu));
    m_responses->Push(request, m_msn);
    outcome.hasResponses = true;
}

void
Responder::ExecuteAtomic(const Frame& frame, ResponderOutcome& outcome)
{
    const AtomicEth& atomic = frame.extension->atomic;
    const uint64_t original = m_context.memory->LoadWord(atomic.rkey, atomic.virtualAddress);
    m_context.memory->StoreWord(
        atomic.rkey, atomic.virtualAddress, AtomicResult(frame.opcode, atomic, original));
    CountMessage(ATOMIC_BYTES, outcome);
    m_expected = m_expected.Plus(1);
    const bool isAlone = !HasResponse();
    m_responses->Push(MakeReadAtomicRequest(frame), m_msn, original);
    AnswerReadAtomic(frame.opcode, isAlone, outcome);
}

void
Responder::AnswerReadAtomic(Opcode opcode, bool isAlone, ResponderOutcome& outcome)
{
    if (isAlone && opcode != Opcode::RC_RDMA_READ_REQUEST)
    {
        outcome.answer = m_responses->Pop(AckSyndrome());
        return;
    }
    outcome.hasResponses = true;
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.9 (error detection and handling: the responder) */
void
Responder::Refuse(const Refusal& refusal, ResponderOutcome& outcome)
{
    Nak(refusal.syndrome, outcome);
    if ((refusal.syndrome & SYNDROME_TYPE_MASK) == SYNDROME_TYPE_RNR)
    {
        outcome.verdict = RequestVerdict::NOT_READY;
        m_hasSentNak = !m_context.policy->answersBehindRnr;
        return;
    }
    outcome.verdict = RequestVerdict::INVALID;
    outcome.fails = true;
    EnterError(refusal.status);
    outcome.completes = HasCompletion();
}

void
Responder::EnterError(CompletionStatus status)
{
    m_isInError = true;
    m_message = Message::NONE;
    m_isRangeChecked = false;
    if (m_receives && m_receives->isHeld)
    {
        m_receives->isHeld = false;
        m_receives->completions.push_back(
            {.wrId = m_receives->entry.wrId, .status = status, .qpn = m_context.qpn});
    }
}

bool
Responder::HasCompletion() const
{
    const bool isFlushing =
        m_isInError && !m_context.isReceiveQueueShared && !m_context.receives->IsEmpty();
    return isFlushing || (m_receives && !m_receives->completions.empty());
}

void
Responder::Acknowledge(ResponderOutcome& outcome)
{
    const Psn last = m_expected.Plus(Psn::MASK);
    const Aeth aeth{AckSyndrome(), m_msn};
    if (HasResponse()) [[unlikely]]
    {
        m_responses->PushAck(last, aeth);
        outcome.hasResponses = true;
        return;
    }
    outcome.answer = OutgoingResponse{.psn = last, .aeth = aeth};
}

void
Responder::Nak(uint8_t syndrome, ResponderOutcome& outcome)
{
    const Aeth aeth{syndrome, m_msn};
    if (HasResponse())
    {
        m_responses->PushNak(m_expected, aeth);
        outcome.hasResponses = true;
        return;
    }
    outcome.answer = OutgoingResponse{.psn = m_expected, .aeth = aeth};
}

/** @spec IBTA Vol 1 Rel 1.7 section 9.7.7.2 (end-to-end credits) */
uint8_t
Responder::AckSyndrome() const
{
    if (!m_context.policy->hasEndToEndCredits || m_context.isReceiveQueueShared)
    {
        return SYNDROME_ACK_UNLIMITED;
    }
    return SYNDROME_TYPE_ACK | CreditCode(m_context.receives->GetCount());
}

ResponseQueue&
Responder::Responses()
{
    if (!m_responses)
    {
        m_responses =
            std::make_unique<ResponseQueue>(m_context.attributes->maxDestReadAtomic, m_pathMtu);
    }
    return *m_responses;
}

Responder::ReceiveState&
Responder::Receives()
{
    if (!m_receives)
    {
        m_receives = std::make_unique<ReceiveState>();
    }
    return *m_receives;
}

} // namespace ns3::rdma
