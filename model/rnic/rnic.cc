// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/rnic.h"

#include "wire/framing.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Bytes that a frame takes on the wire, preamble and gap included. */
uint32_t
WireBytes(const Frame& frame)
{
    return PREAMBLE_BYTES + frame.frameBytes + GAP_BYTES;
}

/** The bytes that a frame carries; none where they are synthetic. */
std::span<const std::byte>
PayloadOf(const Frame& frame)
{
    const PayloadBlock* block = frame.GetPayload();
    return block == nullptr ? std::span<const std::byte>{}
                            : std::span{block->bytes}.first(frame.payloadBytes);
}

DropReason
ReasonOf(RequestVerdict verdict)
{
    switch (verdict)
    {
    case RequestVerdict::DUPLICATE:
        return DropReason::DUPLICATE;
    case RequestVerdict::OUT_OF_SEQUENCE:
        return DropReason::OUT_OF_SEQUENCE;
    case RequestVerdict::NOT_READY:
        return DropReason::RECEIVER_NOT_READY;
    case RequestVerdict::IGNORED:
        return DropReason::QP_NOT_READY;
    case RequestVerdict::EXECUTED:
    case RequestVerdict::INVALID:
        break;
    }
    return DropReason::INVALID_REQUEST;
}

} // namespace

QueuePair&
Rnic::Get(Qpn qpn) const
{
    QueuePair* pair = Find(qpn.value);
    NS_ABORT_MSG_IF(pair == nullptr, m_name << ": there is no queue pair " << qpn.value);
    return *pair;
}

Frame*
Rnic::MakeNext(QueuePair& pair, SimTime start)
{
    AdvanceCongestion(pair, start);
    Frame* frame;
    if (pair.responder.HasResponse() &&
        !(pair.sentResponse && pair.requester.CanSend(pair.windowBytes))) [[unlikely]]
    {
        pair.sentResponse = true;
        const OutgoingResponse response = pair.responder.NextResponse();
        frame = m_maker->MakeResponse(pair, response);
        TellAnswer(m_transportTrace, pair.init.mark, response, start);
        if (response.fails)
        {
            FailSoon(pair);
        }
    }
    else
    {
        pair.sentResponse = false;
        const OutgoingRequest packet = pair.requester.Next(start, pair.windowBytes);
        frame = m_maker->MakeRequest(pair, packet);
        if (packet.isRetransmission) [[unlikely]]
        {
            ++pair.statistics.packetsRetransmitted;
            m_transportTrace(
                {start, TransportEventType::RETRANSMISSION, pair.init.mark, packet.psn, ""});
        }
        ArmTimer(pair);
    }
    ++m_counters.dataFramesSent;
    ++pair.statistics.packetsSent;
    if (pair.congestion)
    {
        pair.congestion->OnSent({start, frame->payloadBytes, frame->frameBytes});
        ApplyLimits(pair);
    }
    // The gap is fixed when the packet goes: a later change of rate acts from the next packet on.
    pair.nextSend =
        start + SimTime{static_cast<uint64_t>(WireBytes(*frame) * pair.paceTimePerByte)};
    if (m_host) [[unlikely]]
    {
        DelayNext(pair, *frame, start);
    }
    return frame;
}

/** The timer event comes at a time at the latest. */
void
Rnic::WakeAt(SimTime time)
{
    if (time < m_timer.GetTime())
    {
        m_events->Schedule(m_timer, time);
    }
}

void
Rnic::FailSoon(QueuePair& pair)
{
    // In the middle of a pull nobody may be told; the timer event comes next.
    pair.timerEntry = m_events->Now();
    m_timers.Push(pair.timerEntry, pair);
    WakeAt(pair.timerEntry);
}

void
Rnic::ArmTimer(QueuePair& pair)
{
    const SimTime deadline = pair.requester.GetDeadline();
    if (deadline < pair.timerEntry)
    {
        pair.timerEntry = deadline;
        m_timers.Push(deadline, pair);
        WakeAt(deadline);
    }
}

void
Rnic::OnTimer(SimTime now)
{
    ++m_counters.timerEvents;
    m_wire->GetPort().Advance(now);
    while (m_timers.NextTime() <= now)
    {
        const auto entry = m_timers.Pop();
        QueuePair& pair = *entry.owner;
        if (pair.timerEntry != entry.time)
        {
            continue;
        }
        pair.timerEntry = SimTime::Never();
        if (pair.responder.IsInError() && pair.attributes.state != QueuePairState::ERR)
        {
            Tell(AsyncEventType::QP_ACCESS_ERR, pair, now);
            EnterError(pair, now);
        }
        if (pair.requester.GetDeadline() <= now)
        {
            OnRetransmissionTimeout(pair, now);
        }
        ArmTimer(pair);
    }
    OnQueueTimers(now);
    WakeAt(std::min(m_timers.NextTime(), m_queueTimers.NextTime()));
    m_wire->GetPort().OnSourceChanged(now);
}

void
Rnic::OnQueueTimers(SimTime now)
{
    while (m_queueTimers.NextTime() <= now)
    {
        CompletionQueue& queue = *m_queueTimers.Pop().owner;
        if (queue.GetDeadline() <= now)
        {
            queue.OnTimeout(now);
        }
    }
}

void
Rnic::OnRetransmissionTimeout(QueuePair& pair, SimTime now)
{
    const RequesterOutcome outcome = pair.requester.OnTimeout(now);
    if (outcome.goesBack || outcome.fails)
    {
        ++pair.statistics.timeouts;
        m_transportTrace({now, TransportEventType::TIMEOUT, pair.init.mark, std::nullopt, ""});
    }
    AdvanceCongestion(pair, now);
    if (outcome.goesBack && pair.congestion)
    {
        pair.congestion->OnLoss({now, LossEvent::Cause::TIMEOUT});
        ApplyLimits(pair);
    }
    if (outcome.completes)
    {
        CompleteSends(pair, now);
    }
    pair.transmitter->Update(pair, now);
}

void
Rnic::PrepareFrame(uint16_t, const Frame& frame) const
{
    constexpr std::size_t CACHE_LINE = 64;
    if (const QueuePair* pair = Find(frame.destinationQp))
    {
        const auto* bytes = reinterpret_cast<const std::byte*>(pair);
        for (std::size_t line = 0; line < sizeof(QueuePair); line += CACHE_LINE)
        {
            __builtin_prefetch(bytes + line);
        }
    }
}

void
Rnic::OnFrame(uint16_t, Frame* frame, SimTime now)
{
    QueuePair* pair = Find(frame->destinationQp);
    if (pair == nullptr || pair->receiving != ReceiveState::OPEN ||
        frame->destination != m_address || frame->isDamaged) [[unlikely]]
    {
        const bool isFirst = pair != nullptr && pair->receiving == ReceiveState::FIRST &&
                             frame->destination == m_address && !frame->isDamaged;
        if (!isFirst)
        {
            DiscardUnfit(pair, frame);
            return;
        }
        pair->receiving = ReceiveState::OPEN;
        if (pair->attributes.state == QueuePairState::RTR)
        {
            Tell(AsyncEventType::COMM_EST, *pair, now);
        }
    }
    pair->transmitter->GetPort().Advance(now);
    if (IsRcRequest(frame->opcode))
    {
        OnRequest(*pair, frame, now);
    }
    else if (frame->opcode == Opcode::RC_ACKNOWLEDGE)
    {
        OnAcknowledge(*pair, frame, now);
    }
    else if (frame->opcode == Opcode::CNP)
    {
        OnCnp(*pair, now);
        m_ledger->Consume(frame);
    }
    else if (GetOpcodeInfo(frame->opcode).service == TransportService::RC)
    {
        OnResponse(*pair, frame, now);
    }
    else
    {
        Discard(frame, DropReason::INVALID_REQUEST); // of another transport
    }
}

void
Rnic::DiscardUnfit(QueuePair* pair, Frame* frame)
{
    if (frame->kind == FrameKind::FOREIGN)
    {
        m_foreign->Receive(frame);
        return;
    }
    // A wrong ICRC comes first: nothing in such a packet can be relied upon.
    const DropReason other = pair == nullptr || frame->destination != m_address
                                 ? DropReason::UNKNOWN_QP
                                 : DropReason::QP_NOT_READY;
    Discard(frame, frame->isDamaged ? DropReason::BAD_ICRC : other);
}

inline void
Rnic::NoteMark(QueuePair& pair, const Frame& frame, SimTime now)
{
    const bool isMarked = frame.ecn == Ecn::CE;
    m_counters.ceArrivals += isMarked;
    pair.statistics.ceArrivals += isMarked;
    // Without congestion control on ECN nobody notifies: the network was asked for no marks.
    if (pair.notification.OnPacket(isMarked && m_isEcnCapable, now, m_cnpInterval)) [[unlikely]]
    {
        DrawCnp(pair, now);
    }
}

void
Rnic::DrawCnp(QueuePair& pair, SimTime now)
{
    if (cnpDelay.ps != 0)
    {
        m_notifications->SendAfter(cnpDelay, pair.qpn, now);
        return;
    }
    SendCnp(pair, now);
}

void
Rnic::SendCnp(QueuePair& pair, SimTime now)
{
    ++pair.statistics.cnpsSent;
    ++m_counters.cnpFramesSent;
    pair.transmitter->GetPort().Enqueue(m_maker->MakeNotification(pair, cnpPriority), now);
}

void
Rnic::SendDelayedCnp(Qpn qpn, SimTime now)
{
    QueuePair* pair = Find(qpn.value);
    if (pair != nullptr && pair->receiving == ReceiveState::OPEN)
    {
        pair->transmitter->GetPort().Advance(now);
        SendCnp(*pair, now);
    }
}

void
Rnic::OnRequest(QueuePair& pair, Frame* frame, SimTime now)
{
    NoteMark(pair, *frame, now);
    const ResponderOutcome outcome = pair.responder.OnRequest(*frame, PayloadOf(*frame));
    if (outcome.answer)
    {
        SendAnswer(pair, *outcome.answer, now);
    }
    const bool isWriteOrSend = GetOpcodeInfo(frame->opcode).hasPayload;
    if (outcome.verdict == RequestVerdict::EXECUTED) [[likely]]
    {
        m_ledger->Consume(frame);
    }
    else
    {
        if (outcome.answer)
        {
            TellAnswer(m_transportTrace, pair.init.mark, *outcome.answer, now);
        }
        const bool isLossNak = outcome.verdict == RequestVerdict::OUT_OF_SEQUENCE && outcome.answer;
        if (isLossNak && sendsCnpWithNak && m_isEcnCapable &&
            pair.notification.OnPacket(true, now, m_cnpInterval))
        {
            DrawCnp(pair, now);
        }
        Discard(frame, ReasonOf(outcome.verdict));
    }
    if (outcome.completesMessage && isWriteOrSend && m_observer != nullptr)
    {
        TellDelivered(pair.init.mark, outcome.deliveredMessageBytes, now);
    }
    if (outcome.completes) [[unlikely]]
    {
        CompleteReceives(pair, outcome.isSolicited, now);
    }
    if (outcome.hasResponses) [[unlikely]]
    {
        pair.transmitter->Update(pair, now);
    }
    if (outcome.fails) [[unlikely]]
    {
        const bool isAccess =
            outcome.answer && outcome.answer->aeth.syndrome == SYNDROME_NAK_REMOTE_ACCESS;
        Tell(isAccess ? AsyncEventType::QP_ACCESS_ERR : AsyncEventType::QP_REQ_ERR, pair, now);
        EnterError(pair, now);
    }
}

void
Rnic::SendAnswer(QueuePair& pair, const OutgoingResponse& answer, SimTime now)
{
    ++m_counters.ackFramesSent;
    Frame* frame = answer.opcode == Opcode::RC_ACKNOWLEDGE
                       ? m_maker->MakeAcknowledge(pair, answer.psn, answer.aeth)
                       : m_maker->MakeResponse(pair, answer);
    pair.transmitter->GetPort().Enqueue(frame, now);
}

inline void
Rnic::OnAnswered(QueuePair& pair, const RequesterOutcome& outcome, bool isLoss, SimTime now)
{
    pair.statistics.bytesAcked += outcome.ackedBytes;
    m_counters.bytesAcked += outcome.ackedBytes;
    if (pair.congestion)
    {
        AdvanceCongestion(pair, now);
        if (outcome.ackedBytes != 0)
        {
            pair.congestion->OnAck({now, outcome.ackedBytes, pair.requester.GetInFlightBytes()});
        }
        if (isLoss)
        {
            pair.congestion->OnLoss({now, LossEvent::Cause::NAK});
        }
        ApplyLimits(pair);
    }
    if (outcome.completes)
    {
        CompleteSends(pair, now);
    }
    ArmTimer(pair);
    pair.transmitter->Update(pair, now);
}

void
Rnic::OnAcknowledge(QueuePair& pair, Frame* frame, SimTime now)
{
    const Aeth aeth = frame->GetAeth();
    const RequesterOutcome outcome = pair.requester.OnAcknowledge(aeth, frame->psn, now);
    const uint8_t type = aeth.syndrome & SYNDROME_TYPE_MASK;
    if (type != SYNDROME_TYPE_ACK) [[unlikely]]
    {
        const bool isRnr = type == SYNDROME_TYPE_RNR;
        if (isRnr ? !outcome.isDuplicate : outcome.goesBack || outcome.fails)
        {
            ++(isRnr ? pair.statistics.rnrNaksReceived : pair.statistics.naksReceived);
            TellNak(m_transportTrace, pair.init.mark, {.psn = frame->psn, .aeth = aeth}, now);
        }
    }
    m_ledger->Consume(frame);
    // A receiver that is not ready says nothing of the network.
    OnAnswered(pair, outcome, outcome.goesBack && type != SYNDROME_TYPE_RNR, now);
}

void
Rnic::OnResponse(QueuePair& pair, Frame* frame, SimTime now)
{
    NoteMark(pair, *frame, now);
    const RequesterOutcome outcome =
        frame->opcode == Opcode::RC_ATOMIC_ACKNOWLEDGE
            ? pair.requester.OnAtomicAcknowledge(
                  frame->GetAeth(), frame->psn, frame->extension->atomicOriginal, now)
            : pair.requester.OnReadResponse(*frame, PayloadOf(*frame), now);
    if (outcome.isDuplicate)
    {
        Discard(frame, DropReason::DUPLICATE);
    }
    else
    {
        m_ledger->Consume(frame);
    }
    OnAnswered(pair, outcome, outcome.goesBack, now);
}

void
Rnic::OnCnp(QueuePair& pair, SimTime now)
{
    ++pair.statistics.cnpsReceived;
    if (!pair.congestion)
    {
        return;
    }
    AdvanceCongestion(pair, now);
    pair.congestion->OnCnp({now});
    ApplyLimits(pair);
    pair.transmitter->Update(pair, now);
}

void
Rnic::Discard(Frame* frame, DropReason reason)
{
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    m_ledger->Drop(frame, reason, m_wire->GetPort().GetConfig().id);
}

void
Rnic::OnLinkChanged(uint16_t, SimTime)
{
    m_rate = GetPort().GetConfig().rate; // of connections that are made from now on
}

void
Rnic::OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
{
    if (!m_pfcTrace.IsEmpty())
    {
        m_pfcTrace(m_name, port, priority, quanta, now);
    }
}

} // namespace ns3::rdma
