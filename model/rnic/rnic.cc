// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/rnic.h"

#include "base/choice-attribute.h"
#include "wire/framing.h"

#include "ns3/abort.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr double PS_PER_BYTE_AT_1_BPS = 8e12; // 8 bits x 1e12 ps/s

constexpr uint16_t ACK_FRAME_BYTES = RoceFrameBytes(AETH_BYTES, 0);
constexpr uint16_t CNP_FRAME_BYTES = RoceFrameBytes(0, CNP_RESERVED_BYTES);

/** Bytes that a frame takes on the wire, preamble and gap included. */
uint32_t
WireBytes(const Frame& frame)
{
    return PREAMBLE_BYTES + frame.frameBytes + GAP_BYTES;
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(Rnic);

TypeId
Rnic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::Rnic")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<Rnic>()
            .AddAttribute("Profile",
                          "Costs of the host side: ideal has none",
                          ChoiceValue<Profile>(Profile::IDEAL),
                          MakeChoiceAccessor<Profile>(&Rnic::m_profile),
                          MakeChoiceChecker<Profile>({{Profile::IDEAL, "ideal"}}))
            .AddAttribute("CnpPriority",
                          "Priority of congestion notification packets, 0 to 7 (mlx5 default: 6)",
                          UintegerValue(6),
                          MakeUintegerAccessor(&Rnic::m_cnpPriority),
                          MakeUintegerChecker<uint8_t>(0, PRIORITY_COUNT - 1))
            .AddTraceSource("Pfc",
                            "The port has received a PFC frame: interface, port, priority, quanta, "
                            "time",
                            MakeTraceSourceAccessor(&Rnic::m_pfcTrace),
                            "ns3::rdma::Rnic::PfcTracedCallback");
    return tid;
}

void
Rnic::SetUp(const RnicSetup& setup)
{
    m_events = setup.events;
    m_ledger = setup.ledger;
    m_name = setup.name;
    m_address = setup.address;
    m_connection = setup.connection;
    m_windowBytes = setup.windowBytes == 0 ? SendLimits::NO_WINDOW : setup.windowBytes;
    m_rate = setup.port.rate;
    m_congestion = setup.congestion;
    m_isEcnCapable = m_congestion->GetFeedback() == Feedback::ECN;
    m_cnpInterval = m_congestion->GetCnpInterval();
    m_timer.Bind<&Rnic::OnTimer>(this, EventOrder::Of(EventPhase::TIMER, setup.id));
    const PortPlace place{*m_events, *m_ledger, *this, 0};
    m_port = std::make_unique<EthernetPort>(
        place, setup.port, RandomStream{setup.seed, m_name + "/port0/loss"});
    m_port->SetSource(this);
}

Qpn
Rnic::CreateQueuePair()
{
    m_pairs.emplace_back();
    return {FIRST_QPN + static_cast<uint32_t>(m_pairs.size()) - 1};
}

void
Rnic::Connect(Qpn qpn, const ConnectionAttributes& attributes, SimTime now)
{
    auto pair = std::make_unique<QueuePair>(m_connection, qpn, attributes);
    pair->congestion = m_congestion->NewController(m_rate, now);
    ApplyLimits(*pair);
    m_pairs[qpn.value - FIRST_QPN] = std::move(pair);
}

QueuePair*
Rnic::Find(uint32_t qpn) const
{
    const uint32_t index = qpn - FIRST_QPN;
    return index < m_pairs.size() ? m_pairs[index].get() : nullptr;
}

QueuePair&
Rnic::Get(Qpn qpn) const
{
    QueuePair* pair = Find(qpn.value);
    NS_ABORT_MSG_IF(pair == nullptr, m_name << ": queue pair " << qpn.value << " is not connected");
    return *pair;
}

bool
Rnic::Post(Qpn qpn, const WorkRequest& request, SimTime now)
{
    QueuePair& pair = Get(qpn);
    m_port->Advance(now);
    if (!pair.requester.Post(request))
    {
        return false;
    }
    m_scheduler.Update(pair, now);
    m_port->OnSourceChanged(now);
    return true;
}

const QueuePairCounters&
Rnic::GetCounters(Qpn qpn) const
{
    return Get(qpn).counters;
}

BitRate
Rnic::GetSendRate(Qpn qpn, SimTime now)
{
    m_port->Advance(now);
    QueuePair& pair = Get(qpn);
    AdvanceCongestion(pair, now);
    BitRate rate = pair.congestion ? pair.congestion->GetLimits().rate : m_rate;
    if (pair.attributes.rateLimit.bps != 0)
    {
        rate = std::min(rate, pair.attributes.rateLimit);
    }
    return std::min(rate, m_rate);
}

void
Rnic::AdvanceCongestion(QueuePair& pair, SimTime now)
{
    if (pair.congestion && pair.congestion->NextTimer() <= now)
    {
        pair.congestion->OnTimer(now);
        ApplyLimits(pair);
    }
}

void
Rnic::ApplyLimits(QueuePair& pair)
{
    BitRate rate = m_rate;
    pair.windowBytes = m_windowBytes;
    if (pair.congestion)
    {
        const SendLimits limits = pair.congestion->GetLimits();
        rate = std::min(rate, limits.rate);
        pair.windowBytes = std::min(pair.windowBytes, limits.windowBytes);
    }
    if (pair.attributes.rateLimit.bps != 0)
    {
        rate = std::min(rate, pair.attributes.rateLimit);
    }
    pair.paceTimePerByte =
        rate == m_rate ? 0.0 : PS_PER_BYTE_AT_1_BPS / static_cast<double>(rate.bps);
}

SimTime
Rnic::NextReady(SimTime from, PriorityMask open)
{
    return m_scheduler.NextReady(from, open);
}

int
Rnic::ReadyPriority(SimTime start, PriorityMask open)
{
    return m_scheduler.ReadyPriority(start, open);
}

Frame*
Rnic::Pull(SimTime start, uint8_t priority)
{
    QueuePair& pair = m_scheduler.Front(priority);
    AdvanceCongestion(pair, start);
    const RequestPacket packet = pair.requester.Next(start, pair.windowBytes);
    const auto headerBytes = GetOpcodeInfo(packet.opcode).extendedHeaderBytes;
    Frame* frame = m_ledger->Create(
        FrameKind::ROCE, static_cast<uint16_t>(RoceFrameBytes(headerBytes, packet.payloadBytes)));
    frame->flow = pair.attributes.flow;
    frame->flowHash = pair.attributes.flowHash;
    frame->destination = pair.attributes.destination;
    frame->destinationQp = pair.attributes.destinationQp.value;
    frame->psn = packet.psn;
    frame->payloadBytes = static_cast<uint16_t>(packet.payloadBytes);
    frame->opcode = packet.opcode;
    frame->priority = priority;
    frame->ecn = m_isEcnCapable ? Ecn::ECT_0 : Ecn::NOT_ECT;
    frame->ackRequest = packet.ackRequest;
    frame->reth = packet.reth;

    ++m_counters.dataFramesSent;
    ++pair.counters.packetsSent;
    pair.counters.packetsRetransmitted += packet.isRetransmission ? 1 : 0;
    if (pair.congestion)
    {
        pair.congestion->OnSent({start, packet.payloadBytes, frame->frameBytes});
        ApplyLimits(pair);
    }
    // The gap is fixed when the packet goes: a later change of rate acts from the next packet on.
    pair.nextSend =
        start + SimTime{static_cast<uint64_t>(WireBytes(*frame) * pair.paceTimePerByte)};
    m_scheduler.AfterSend(pair);
    ArmTimer(pair);
    return frame;
}

void
Rnic::ArmTimer(QueuePair& pair)
{
    const SimTime deadline = pair.requester.GetDeadline();
    if (deadline < pair.timerEntry)
    {
        pair.timerEntry = deadline;
        m_timers.Push(deadline, pair);
        if (deadline < m_timer.GetTime())
        {
            m_events->Schedule(m_timer, deadline);
        }
    }
}

void
Rnic::OnTimer(SimTime now)
{
    ++m_counters.timerEvents;
    m_port->Advance(now);
    while (m_timers.NextTime() <= now)
    {
        const auto entry = m_timers.Pop();
        QueuePair& pair = *entry.owner;
        if (pair.timerEntry != entry.time)
        {
            continue;
        }
        pair.timerEntry = SimTime::Never();
        if (pair.requester.GetDeadline() <= now)
        {
            OnRetransmissionTimeout(pair, now);
        }
        ArmTimer(pair);
    }
    if (!m_timers.IsEmpty())
    {
        m_events->Schedule(m_timer, m_timers.NextTime());
    }
    m_port->OnSourceChanged(now);
}

void
Rnic::OnRetransmissionTimeout(QueuePair& pair, SimTime now)
{
    ++pair.counters.timeouts;
    const RequesterOutcome outcome = pair.requester.OnTimeout(now);
    AdvanceCongestion(pair, now);
    if (outcome.goesBack && pair.congestion)
    {
        pair.congestion->OnLoss({now, LossEvent::Cause::TIMEOUT});
        ApplyLimits(pair);
    }
    if (outcome.completes)
    {
        Complete(pair, now);
    }
    m_scheduler.Update(pair, now);
}

void
Rnic::OnFrame(uint16_t, Frame* frame, SimTime now)
{
    QueuePair* pair = Find(frame->destinationQp);
    if (pair == nullptr || frame->destination != m_address)
    {
        Discard(frame, DropReason::UNKNOWN_QP);
        return;
    }
    m_port->Advance(now);
    if (frame->opcode == Opcode::RC_ACKNOWLEDGE)
    {
        OnAcknowledge(*pair, *frame, now);
        m_ledger->Consume(frame);
    }
    else if (frame->opcode == Opcode::CNP)
    {
        OnCnp(*pair, now);
        m_ledger->Consume(frame);
    }
    else
    {
        OnRequest(*pair, frame, now);
    }
}

void
Rnic::OnRequest(QueuePair& pair, Frame* frame, SimTime now)
{
    const bool isMarked = frame->ecn == Ecn::CE;
    m_counters.ceArrivals += isMarked;
    pair.counters.ceArrivals += isMarked;
    if (pair.notification.OnPacket(isMarked, now, m_cnpInterval))
    {
        SendCnp(pair, now);
    }
    const ResponderOutcome outcome = pair.responder.OnRequest(
        {frame->opcode, frame->psn, frame->payloadBytes, frame->ackRequest, frame->reth});
    if (outcome.answer)
    {
        Frame* answer =
            MakeAnswer(pair, Opcode::RC_ACKNOWLEDGE, ACK_FRAME_BYTES, pair.attributes.priority);
        answer->psn = outcome.answer->psn;
        answer->aeth = outcome.answer->aeth;
        ++m_counters.ackFramesSent;
        m_port->Enqueue(answer, now);
    }
    switch (outcome.verdict)
    {
    case RequestVerdict::EXECUTED:
        m_ledger->Consume(frame);
        break;
    case RequestVerdict::DUPLICATE:
        Discard(frame, DropReason::DUPLICATE);
        break;
    case RequestVerdict::OUT_OF_SEQUENCE:
        Discard(frame, DropReason::OUT_OF_SEQUENCE);
        break;
    case RequestVerdict::INVALID:
        Discard(frame, DropReason::INVALID_REQUEST);
        break;
    }
    if (outcome.completesMessage)
    {
        m_listener->OnDelivered(pair.attributes.flow, outcome.deliveredMessageBytes, now);
    }
}

Frame*
Rnic::MakeAnswer(const QueuePair& pair, Opcode opcode, uint16_t bytes, uint8_t priority)
{
    Frame* frame = m_ledger->Create(FrameKind::ROCE, bytes);
    frame->flow = pair.attributes.flow;
    frame->flowHash = pair.attributes.flowHash;
    frame->destination = pair.attributes.destination;
    frame->destinationQp = pair.attributes.destinationQp.value;
    frame->psn = Psn{};
    frame->payloadBytes = 0;
    frame->opcode = opcode;
    frame->priority = priority;
    frame->ecn = Ecn::NOT_ECT;
    frame->ackRequest = false;
    frame->aeth = {};
    return frame;
}

void
Rnic::SendCnp(QueuePair& pair, SimTime now)
{
    ++pair.counters.cnpsSent;
    ++m_counters.cnpFramesSent;
    m_port->Enqueue(MakeAnswer(pair, Opcode::CNP, CNP_FRAME_BYTES, m_cnpPriority), now);
}

void
Rnic::OnAcknowledge(QueuePair& pair, const Frame& frame, SimTime now)
{
    const RequesterOutcome outcome = pair.requester.OnAcknowledge(frame.aeth, frame.psn, now);
    pair.counters.bytesAcked += outcome.ackedBytes;
    m_counters.bytesAcked += outcome.ackedBytes;
    if (pair.congestion)
    {
        AdvanceCongestion(pair, now);
        if (outcome.ackedBytes != 0)
        {
            pair.congestion->OnAck({now, outcome.ackedBytes, pair.requester.GetInFlightBytes()});
        }
        if (outcome.goesBack)
        {
            pair.congestion->OnLoss({now, LossEvent::Cause::NAK});
        }
        ApplyLimits(pair);
    }
    pair.counters.naksReceived += outcome.goesBack ? 1 : 0;
    if (outcome.completes)
    {
        Complete(pair, now);
    }
    m_scheduler.Update(pair, now);
    ArmTimer(pair);
    m_port->OnSourceChanged(now);
}

void
Rnic::OnCnp(QueuePair& pair, SimTime now)
{
    ++pair.counters.cnpsReceived;
    if (!pair.congestion)
    {
        return;
    }
    AdvanceCongestion(pair, now);
    pair.congestion->OnCnp({now});
    ApplyLimits(pair);
    m_scheduler.Update(pair, now);
    m_port->OnSourceChanged(now);
}

void
Rnic::Complete(QueuePair& pair, SimTime now)
{
    while (const auto completion = pair.requester.PopCompletion())
    {
        m_listener->OnCompletion(pair.attributes.flow, *completion, now);
    }
}

void
Rnic::Discard(Frame* frame, DropReason reason)
{
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    m_ledger->Drop(frame, reason);
}

void
Rnic::OnPause(uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
{
    if (!m_pfcTrace.IsEmpty())
    {
        m_pfcTrace(m_name, port, priority, quanta, now);
    }
}

void
Rnic::DoDispose()
{
    m_port.reset();
    m_pairs.clear();
    m_congestion = nullptr;
    Object::DoDispose();
}

} // namespace ns3::rdma
