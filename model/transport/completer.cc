// SPDX-License-Identifier: GPL-2.0-only
#include "transport/requester.h"
#include "transport/retransmission-timer.h"
#include "transport/send-operation.h"
#include "verbs/rnr-timer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

// The completer: what answers, timeouts and errors do to the requester.

namespace ns3::rdma
{
namespace
{

constexpr uint8_t ENDLESS_RNR_RETRY = 7; ///< section 9.7.5.2.8 (RNR NAK)
constexpr uint8_t ENDLESS_RETRY_COUNT = 7;

/** How a request ends whose NAK says so. @spec section 9.9.2, table of requester errors */
CompletionStatus
StatusOfNak(uint8_t syndrome)
{
    switch (syndrome)
    {
    case SYNDROME_NAK_INVALID_REQUEST:
        return CompletionStatus::REM_INV_REQ_ERR;
    case SYNDROME_NAK_REMOTE_ACCESS:
        return CompletionStatus::REM_ACCESS_ERR;
    case SYNDROME_NAK_REMOTE_OPERATION:
        return CompletionStatus::REM_OP_ERR;
    default:
        return CompletionStatus::REM_INV_RD_REQ_ERR;
    }
}

/** Whether a syndrome is an RNR NAK or a NAK with a code that is not reserved. */
bool
IsKnownNak(uint8_t syndrome)
{
    const uint8_t type = syndrome & SYNDROME_TYPE_MASK;
    return type == SYNDROME_TYPE_RNR ||
           (type == SYNDROME_TYPE_NAK && syndrome <= SYNDROME_NAK_INVALID_RD);
}

/** A queue's messages before a packet, whole ones only; from an entry and its first packet on. */
uint64_t
EndOfWholeMessages(const SendQueue& queue, uint32_t entry, uint64_t packet)
{
    uint64_t whole = queue.At(entry).firstPacket;
    for (; entry != queue.GetEnd(); ++entry)
    {
        const SendEntry& message = queue.At(entry);
        if (message.firstPacket + message.packetCount > packet)
        {
            break;
        }
        whole = message.firstPacket + message.packetCount;
    }
    return whole;
}

} // namespace

uint64_t
Requester::Locate(Psn psn) const
{
    const uint64_t distance = Psn{psn.Get() - m_oldestPacket}.Get();
    const bool isOutstanding = distance < m_newPacket - m_oldestPacket && m_state == State::READY;
    return isOutstanding ? m_oldestPacket + distance : NOT_OUTSTANDING;
}

RequesterOutcome
Requester::OnAcknowledge(const Aeth& aeth, Psn psn, SimTime now)
{
    const uint8_t type = aeth.syndrome & SYNDROME_TYPE_MASK;
    const bool isAck = type == SYNDROME_TYPE_ACK;
    const uint64_t oldest = m_oldestPacket;
    const uint64_t packet = Locate(psn);
    if (packet == NOT_OUTSTANDING || !(isAck || IsKnownNak(aeth.syndrome)))
    {
        OnGhost(aeth, psn);
        return {.isDuplicate = true};
    }
    // An ACK acknowledges its PSN and all before it; a NAK all before its PSN (section 9.7.5).
    uint64_t beyond = packet + (isAck ? 1 : 0);
    if (m_policy->goBack == RcPolicy::GoBack::TO_FIRST_PACKET) [[unlikely]]
    {
        if (isAck && m_nextPacket != m_oldestPacket)
        {
            // The peer is there and goes on, though nothing counts before the message is whole.
            m_retries = 0;
            m_deadline = DeadlineFrom(now);
        }
        beyond = std::max(EndOfWholeMessages(m_queue, m_oldest, beyond), m_oldestPacket);
    }
    const bool isImpliedNak = beyond > m_barrier;
    m_credits.Update(aeth);
    RequesterOutcome outcome = Acknowledge(isImpliedNak ? m_barrier : beyond, now);
    if (isImpliedNak) [[unlikely]]
    {
        RetryImplied(outcome);
    }
    else if (type == SYNDROME_TYPE_RNR)
    {
        WaitForReceiver(aeth.syndrome & SYNDROME_VALUE_MASK, now, outcome);
    }
    else if (!isAck)
    {
        OnNak(aeth.syndrome, outcome);
    }
    return Finish(outcome, oldest);
}

void
Requester::OnGhost(const Aeth& aeth, Psn psn)
{
    // An ACK of what was acknowledged last may bring a new credit (section 9.7.7.2).
    if (m_credits.IsLimited() && psn == Psn{m_oldestPacket + Psn::MASK})
    {
        m_credits.Update(aeth);
        PrepareHead();
    }
}

void
Requester::OnNak(uint8_t syndrome, RequesterOutcome& outcome)
{
    if (syndrome != SYNDROME_NAK_SEQUENCE)
    {
        Fail(StatusOfNak(syndrome));
    }
    // One that finds sending already at its PSN costs nothing: there is nothing to go back over.
    else if (m_nextPacket != m_oldestPacket)
    {
        Retry(outcome);
    }
}

void
Requester::WaitForReceiver(uint8_t timerCode, SimTime now, RequesterOutcome& outcome)
{
    if (m_nextPacket == m_oldestPacket)
    {
        return; // answers a packet that was already refused
    }
    const uint8_t allowed = m_attributes->rnrRetry;
    if (allowed != ENDLESS_RNR_RETRY && m_rnrRetries == allowed)
    {
        Fail(CompletionStatus::RNR_RETRY_EXC_ERR);
        return;
    }
    m_rnrRetries += allowed == ENDLESS_RNR_RETRY ? 0 : 1;
    m_isReceiverNotReady = true;
    GoBack();
    m_deadline = now + RnrTimerTime(timerCode);
    outcome.goesBack = true;
}

RequesterOutcome
Requester::Acknowledge(uint64_t packet, SimTime now)
{
    if (packet == m_oldestPacket)
    {
        return {};
    }
    const RequesterOutcome outcome{.ackedBytes = AcknowledgeBefore(packet)};
    m_retries = 0;
    m_rnrRetries = 0;
    m_expiries = 0;
    m_hasRetriedImplied = false;
    m_isReceiverNotReady = false;
    m_deadline = m_nextPacket != m_oldestPacket ? DeadlineFrom(now) : SimTime::Never();
    if (m_barrier != NO_BARRIER) [[unlikely]]
    {
        MoveBarrier();
    }
    if (m_isBlocked)
    {
        PrepareHead();
    }
    return outcome;
}

uint64_t
Requester::AcknowledgeBefore(uint64_t packet)
{
    uint64_t ackedBytes = 0;
    uint64_t requestBytes = 0;
    const uint32_t end = m_queue.GetEnd();
    bool isRead = false;
    while (m_oldest != end)
    {
        const SendEntry& entry = m_queue.At(m_oldest);
        isRead = GetSendOperation(entry.opcode).awaitsResponse;
        const bool isWhole = entry.firstPacket + entry.packetCount <= packet;
        if (!isWhole && entry.firstPacket >= packet)
        {
            break;
        }
        // Packets before the last of a message are full.
        const auto upTo =
            isWhole ? entry.bytes : static_cast<uint32_t>((packet - entry.firstPacket) * m_mtu);
        ackedBytes += upTo - m_ackedBytes;
        requestBytes += isRead ? 0 : upTo - m_ackedBytes;
        m_ackedBytes = isWhole ? 0 : upTo;
        if (!isWhole)
        {
            break;
        }
        m_signalledDone += entry.Has(SEND_SIGNALED) ? 1 : 0;
        m_awaiting -= isRead ? 1 : 0; // set anew below, if it was to be sent again
        ++m_oldest;
    }
    m_oldestPacket = packet;
    if (packet > m_nextPacket)
    {
        // Sending went back, but what was sent before has arrived: it need not be sent again.
        GoBack();
    }
    else
    {
        m_inFlightBytes -= requestBytes;
    }
    return ackedBytes;
}

void
Requester::MoveBarrier()
{
    m_barrier = NO_BARRIER;
    for (uint32_t number = m_oldest; number != m_queue.GetEnd(); ++number)
    {
        const SendEntry& entry = m_queue.At(number);
        if (entry.firstPacket >= m_newPacket)
        {
            return;
        }
        if (GetSendOperation(entry.opcode).awaitsResponse)
        {
            m_barrier = std::max(entry.firstPacket, m_oldestPacket);
            return;
        }
    }
}

RequesterOutcome
Requester::OnReadResponse(const Frame& frame, std::span<const std::byte> payload, SimTime now)
{
    const uint64_t oldest = m_oldestPacket;
    const uint64_t packet = Locate(frame.psn);
    if (packet == NOT_OUTSTANDING)
    {
        return {.isDuplicate = true};
    }
    RequesterOutcome outcome = AcknowledgeBeforeResponse(packet, now);
    if (IsInError() || packet != m_barrier)
    {
        return Finish(outcome, oldest);
    }
    const CompletionStatus status = JudgeReadResponse(packet, frame);
    if (status != CompletionStatus::SUCCESS)
    {
        Fail(status);
        return Finish(outcome, oldest);
    }
    if (GetOpcodeInfo(frame.opcode).Has(HEADER_AETH))
    {
        m_credits.Update(frame.GetAeth());
    }
    if (!payload.empty())
    {
        m_memory->Scatter(m_queue.GetList(m_oldest), m_ackedBytes, payload);
    }
    outcome.ackedBytes += Acknowledge(packet + 1, now).ackedBytes;
    return Finish(outcome, oldest);
}

RequesterOutcome
Requester::OnAtomicAcknowledge(const Aeth& aeth, Psn psn, uint64_t original, SimTime now)
{
    const uint64_t oldest = m_oldestPacket;
    const uint64_t packet = Locate(psn);
    if (packet == NOT_OUTSTANDING)
    {
        return {.isDuplicate = true};
    }
    RequesterOutcome outcome = AcknowledgeBeforeResponse(packet, now);
    if (IsInError() || packet != m_barrier)
    {
        return Finish(outcome, oldest);
    }
    if (!IsAtomic(m_queue.At(m_oldest).opcode))
    {
        Fail(CompletionStatus::BAD_RESP_ERR);
        return Finish(outcome, oldest);
    }
    m_credits.Update(aeth);
    StoreOriginal(original);
    outcome.ackedBytes += Acknowledge(packet + 1, now).ackedBytes;
    return Finish(outcome, oldest);
}

RequesterOutcome
Requester::AcknowledgeBeforeResponse(uint64_t packet, SimTime now)
{
    // A response acknowledges every request before it (section 9.7.5), but those that wait for a
    // response of their own.
    RequesterOutcome outcome = Acknowledge(std::min(packet, m_barrier), now);
    if (packet < m_barrier)
    {
        // It answers a request that has no such response.
        Fail(CompletionStatus::BAD_RESP_ERR);
    }
    else if (packet > m_barrier)
    {
        const SendEntry& missing = m_queue.At(m_oldest);
        const bool isHole = packet < missing.firstPacket + missing.packetCount;
        if (!isHole || m_policy->retriesReadGapAtOnce)
        {
            RetryImplied(outcome);
        }
    }
    return outcome;
}

CompletionStatus
Requester::JudgeReadResponse(uint64_t packet, const Frame& frame) const
{
    const SendEntry& entry = m_queue.At(m_oldest);
    const OpcodeInfo& info = GetOpcodeInfo(frame.opcode);
    // After a restart the response may begin anew, or go on as it would have done: the captured
    // rxe does that. @choice both are taken.
    const bool mayStart = packet == entry.firstPacket || packet == m_restartPacket;
    const bool mayContinue = packet != entry.firstPacket;
    const bool isInOrder = info.startsMessage ? mayStart : mayContinue;
    if (entry.opcode != SendOpcode::RDMA_READ || !isInOrder)
    {
        return CompletionStatus::BAD_RESP_ERR;
    }
    const bool isLast = packet + 1 == entry.firstPacket + entry.packetCount;
    const uint32_t expectedBytes = std::min(m_mtu, entry.bytes - m_ackedBytes);
    const bool hasLength = frame.payloadBytes == expectedBytes && info.endsMessage == isLast;
    return hasLength ? CompletionStatus::SUCCESS : CompletionStatus::LOC_LEN_ERR;
}

void
Requester::StoreOriginal(uint64_t original)
{
    // In host order (ibv_post_send); a word stays whole in synthetic memory.
    const ScatterGatherList list = m_queue.GetList(m_oldest);
    if (list.size() == 1)
    {
        m_memory->StoreWord(list.front().lkey, list.front().address, original);
        return;
    }
    const auto bytes = std::bit_cast<std::array<std::byte, ATOMIC_BYTES>>(original);
    m_memory->Scatter(list, 0, bytes);
}

RequesterOutcome
Requester::Finish(RequesterOutcome outcome, uint64_t oldestBefore) const
{
    outcome.completes = HasCompletion();
    outcome.fails = IsInError();
    outcome.isDuplicate = m_oldestPacket == oldestBefore && !outcome.goesBack && !outcome.fails;
    return outcome;
}

void
Requester::GoBack()
{
    m_nextPacket = m_oldestPacket;
    m_restartPacket = m_oldestPacket;
    m_sending = m_oldest;
    m_sentBytes = m_ackedBytes;
    m_inFlightBytes = 0;
    m_sinceAckRequest = 0;
    m_awaiting = 0;
    m_deadline = SimTime::Never();
    PrepareHead();
}

RequesterOutcome
Requester::OnTimeout(SimTime now)
{
    RequesterOutcome outcome;
    if (now < m_deadline)
    {
        return outcome;
    }
    if (m_isReceiverNotReady)
    {
        m_isReceiverNotReady = false;
        m_deadline = SimTime::Never();
        PrepareHead();
    }
    else
    {
        Expire(now, outcome);
    }
    outcome.completes = HasCompletion();
    outcome.fails = IsInError();
    return outcome;
}

void
Requester::Expire(SimTime now, RequesterOutcome& outcome)
{
    const TimerStep step =
        GetTimerStep(*m_policy, {m_attributes->timeout, m_attributes->retryCount}, m_expiries);
    m_expiries += m_expiries != std::numeric_limits<uint8_t>::max() ? 1 : 0;
    m_hasRetriedImplied = false;
    switch (step.action)
    {
    case ExpiryAction::RETRY:
        Retry(outcome);
        break;
    case ExpiryAction::REPEAT:
        GoBack();
        outcome.goesBack = !IsInError();
        break;
    case ExpiryAction::WAIT:
        m_deadline = DeadlineFrom(now);
        break;
    case ExpiryAction::FAIL:
        Fail(CompletionStatus::RETRY_EXC_ERR);
        break;
    }
}

void
Requester::Retry(RequesterOutcome& outcome)
{
    const uint8_t allowed = m_attributes->retryCount;
    const bool isEndless = allowed == ENDLESS_RETRY_COUNT && m_policy->isRetryCountSevenEndless;
    if (!isEndless && m_retries >= allowed)
    {
        Fail(CompletionStatus::RETRY_EXC_ERR);
        return;
    }
    m_retries += isEndless ? 0 : 1;
    GoBack();
    outcome.goesBack = !IsInError();
}

void
Requester::RetryImplied(RequesterOutcome& outcome)
{
    // Answers to what was sent before the retry keep coming; they imply nothing new.
    if (!m_hasRetriedImplied && m_nextPacket != m_oldestPacket)
    {
        Retry(outcome);
        m_hasRetriedImplied = true;
    }
}

} // namespace ns3::rdma
