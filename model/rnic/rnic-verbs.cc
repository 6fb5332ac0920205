// SPDX-License-Identifier: GPL-2.0-only
/*
 * The verbs of the interface: objects, states, posting, completions.
 */
#include "rnic/rnic.h"
#include "verbs/queue-pair-state.h"
#include "wire/flow-hash.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Connection identifiers of the loopback are those of the cable with this bit. */
constexpr uint64_t LOOPBACK_ID = uint64_t{1} << 48;

/** The ECN field within a traffic class. @spec RFC 3168 section 5 */
constexpr uint8_t ECN_MASK = 3;

} // namespace

const DeviceLimits&
Rnic::GetLimits() const
{
    return m_objects.GetLimits();
}

VerbsError
Rnic::AllocateProtectionDomain(ProtectionDomainId& domain)
{
    return m_objects.AllocateProtectionDomain(domain);
}

VerbsError
Rnic::DeallocateProtectionDomain(ProtectionDomainId domain)
{
    return m_objects.DeallocateProtectionDomain(domain);
}

VerbsError
Rnic::RegisterMemory(const MemoryRegionSpec& spec, MemoryRegion& region)
{
    return m_objects.RegisterMemory(spec, region);
}

VerbsError
Rnic::DeregisterMemory(const MemoryRegion& region)
{
    return m_objects.DeregisterMemory(region);
}

VerbsError
Rnic::CreateCompletionQueue(uint32_t capacity, CompletionChannel* channel, CompletionQueueId& queue)
{
    return m_objects.CreateCompletionQueue(capacity, channel, queue);
}

VerbsError
Rnic::DestroyCompletionQueue(CompletionQueueId queue)
{
    const CompletionQueue* going = m_objects.FindCompletionQueue(queue);
    const VerbsError error = m_objects.DestroyCompletionQueue(queue);
    if (error == VerbsError::NONE)
    {
        m_queueTimers.Remove(going);
    }
    return error;
}

CompletionQueue&
Rnic::GetCompletionQueue(CompletionQueueId queue)
{
    return m_objects.GetCompletionQueue(queue);
}

std::unique_ptr<QueuePair>
Rnic::NewQueuePair(Qpn qpn, const QueuePairInit& init)
{
    return std::make_unique<QueuePair>(
        QueuePairResources{.policy = &m_policy,
                           .memory = &m_objects.GetMemory(),
                           .sendCompletions = &m_objects.GetCompletionQueue(init.sendQueue),
                           .receiveCompletions = &m_objects.GetCompletionQueue(init.receiveQueue),
                           .sharedReceives =
                               m_objects.FindSharedReceiveQueue(init.sharedReceiveQueue)},
        qpn,
        init);
}

VerbsError
Rnic::CreateSharedReceiveQueue(const SharedReceiveQueueInit& init, SharedReceiveQueueId& queue)
{
    return m_objects.CreateSharedReceiveQueue(init, queue);
}

VerbsError
Rnic::DestroySharedReceiveQueue(SharedReceiveQueueId queue)
{
    return m_objects.DestroySharedReceiveQueue(queue);
}

VerbsError
Rnic::SetSharedReceiveLimit(SharedReceiveQueueId queue, uint32_t limit)
{
    SharedReceiveQueue* shared = m_objects.FindSharedReceiveQueue(queue);
    if (shared == nullptr)
    {
        return VerbsError::NOT_FOUND;
    }
    shared->SetLimit(limit);
    return VerbsError::NONE;
}

PostResult
Rnic::PostSharedReceive(SharedReceiveQueueId queue, std::span<const ReceiveRequest> requests)
{
    SharedReceiveQueue* shared = m_objects.FindSharedReceiveQueue(queue);
    return shared == nullptr ? PostResult{VerbsError::NOT_FOUND, 0}
                             : shared->GetRequests().Post(requests);
}

VerbsError
Rnic::CreateQueuePair(const QueuePairInit& init, Qpn& qpn)
{
    const VerbsError error = m_objects.AddQueuePair(init);
    if (error != VerbsError::NONE)
    {
        return error;
    }
    qpn = {FIRST_QPN + static_cast<uint32_t>(m_pairs.size())};
    m_pairs.push_back(NewQueuePair(qpn, init));
    return VerbsError::NONE;
}

VerbsError
Rnic::DestroyQueuePair(Qpn qpn, SimTime now)
{
    QueuePair* pair = Find(qpn.value);
    if (pair == nullptr)
    {
        return VerbsError::NOT_FOUND;
    }
    m_wire->GetPort().Advance(now);
    Forget(*pair);
    m_objects.RemoveQueuePair(pair->init);
    m_pairs[qpn.value - FIRST_QPN].reset();
    return VerbsError::NONE;
}

void
Rnic::Forget(QueuePair& pair)
{
    m_timers.Remove(&pair);
    if (pair.transmitter != nullptr)
    {
        pair.transmitter->GetScheduler().Forget(pair);
    }
    if (m_host)
    {
        m_host->Forget(pair.qpn);
    }
}

std::optional<Diagnostic>
Rnic::ModifyQueuePair(Qpn qpn, const QueuePairAttributes& attributes, uint32_t mask, SimTime now)
{
    QueuePair& pair = Get(qpn);
    const QueuePairState from = pair.attributes.state;
    if (auto error = CheckModify({pair.init.type, from, attributes, mask}, m_objects.GetLimits()))
    {
        return error;
    }
    m_wire->GetPort().Advance(now);
    if (pair.transmitter != nullptr)
    {
        pair.transmitter->GetScheduler().Forget(pair); // the priority may change
    }
    ApplyModify(pair.attributes, attributes, mask);
    if ((mask & QP_STATE) != 0)
    {
        EnterState(pair, from, now);
    }
    else if (pair.transmitter != nullptr)
    {
        ApplyLimits(pair);
        pair.requester.OnModified();
        pair.transmitter->Update(pair, now);
    }
    return std::nullopt;
}

void
Rnic::EnterState(QueuePair& pair, QueuePairState from, SimTime now)
{
    switch (pair.attributes.state)
    {
    case QueuePairState::RESET:
    {
        // Everything is forgotten, without completions.
        const Qpn qpn = pair.qpn;
        const QueuePairInit init = pair.init;
        Forget(pair);
        m_pairs[qpn.value - FIRST_QPN] = NewQueuePair(qpn, init);
        break;
    }
    case QueuePairState::RTR:
        Connect(pair, now);
        break;
    case QueuePairState::RTS:
        if (from == QueuePairState::RTR)
        {
            pair.requester.Start(pair.attributes.sendPsn);
        }
        ApplyLimits(pair);
        pair.requester.OnModified();
        pair.transmitter->Update(pair, now);
        break;
    case QueuePairState::SQD:
        // Requests that were begun end; no other begins. @spec IBTA section 10.3.1.5
        pair.requester.OnModified();
        pair.transmitter->Update(pair, now);
        CompleteSends(pair, now);
        break;
    case QueuePairState::ERR:
        EnterError(pair, now);
        break;
    case QueuePairState::INIT:
    case QueuePairState::SQE:
        break;
    }
}

void
Rnic::Connect(QueuePair& pair, SimTime now)
{
    AddressVector& address = pair.attributes.address;
    if (address.udpSourcePort == 0)
    {
        address.udpSourcePort = ChooseUdpSourcePort(pair.qpn, pair.attributes.destinationQp);
    }
    pair.flowHash = FlowHash(m_address, address.destination, address.udpSourcePort);
    pair.answerEcn = static_cast<Ecn>(address.trafficClass & ECN_MASK);
    const bool isControlled = pair.init.hasCongestionControl;
    pair.ecn = isControlled && m_isEcnCapable ? Ecn::ECT_0 : pair.answerEcn;
    pair.transmitter = &GetTransmitter(address.destination);
    if (auto* pace = m_notifications->FindPace(cnpScope, address.destination); pace != nullptr)
    {
        pair.notification.ShareWith(*pace);
    }
    pair.congestion = isControlled ? m_congestion->NewController(m_rate, now) : nullptr;
    ApplyLimits(pair);
    pair.responder.Start(pair.attributes.receivePsn);
    pair.receiving = ReceiveState::FIRST;
}

Transmitter&
Rnic::GetTransmitter(uint32_t destination)
{
    if (destination != m_address)
    {
        return *m_wire;
    }
    if (!m_loopback)
    {
        const PortConfig& cable = m_wire->GetPort().GetConfig();
        m_loopback = std::make_unique<Transmitter>(
            *this,
            PortPlace{*m_events, *m_ledger, GetFrameOwner(), 0},
            PortConfig{.id = cable.id | LOOPBACK_ID, .rate = cable.rate, .isEager = true},
            RandomStream{0, m_name + "/loopback"});
        EthernetPort::Connect(m_loopback->GetPort(), m_loopback->GetPort());
    }
    return *m_loopback;
}

QueuePairInfo
Rnic::QueryQueuePair(Qpn qpn) const
{
    const QueuePair& pair = Get(qpn);
    QueuePairInfo info{pair.attributes, pair.init};
    if (pair.transmitter != nullptr)
    {
        info.attributes.receivePsn = pair.responder.GetExpectedPsn();
    }
    if (pair.attributes.state == QueuePairState::RTS)
    {
        info.attributes.sendPsn = pair.requester.GetNextPsn();
    }
    return info;
}

PostResult
Rnic::PostSend(Qpn qpn, std::span<const SendRequest> requests, SimTime now)
{
    QueuePair& pair = Get(qpn);
    const QueuePairState state = pair.attributes.state;
    if (state != QueuePairState::RTS && state != QueuePairState::SQD &&
        state != QueuePairState::ERR)
    {
        return {VerbsError::INVALID_ARGUMENT, 0};
    }
    if (pair.transmitter == nullptr)
    {
        // In error before it was ever connected.
        const PostResult result = pair.requester.Post(requests);
        CompleteSends(pair, now);
        return result;
    }
    pair.transmitter->GetPort().Advance(now);
    const PostResult result = pair.requester.Post(requests, m_host != nullptr);
    if (m_host) [[unlikely]]
    {
        m_host->OnPost(qpn, result.IsOk() ? requests : requests.first(result.badRequest), now);
    }
    CompleteSends(pair, now);
    pair.transmitter->Update(pair, now);
    return result;
}

PostResult
Rnic::PostReceive(Qpn qpn, std::span<const ReceiveRequest> requests, SimTime now)
{
    QueuePair& pair = Get(qpn);
    if (pair.attributes.state == QueuePairState::RESET)
    {
        return {VerbsError::INVALID_ARGUMENT, 0};
    }
    if (pair.resources.sharedReceives != nullptr)
    {
        return {VerbsError::INVALID_ARGUMENT, 0};
    }
    const PostResult result = pair.receives.Post(requests);
    if (pair.attributes.state == QueuePairState::ERR)
    {
        pair.responder.Flush();
        CompleteReceives(pair, false, now);
    }
    return result;
}

const QueuePairStatistics&
Rnic::GetStatistics(Qpn qpn) const
{
    return Get(qpn).statistics;
}

void
Rnic::CompleteSends(QueuePair& pair, SimTime now)
{
    while (const auto completion = pair.requester.PopCompletion())
    {
        Complete({pair.qpn, pair.resources.sendCompletions, *completion, false}, now);
    }
    if (pair.requester.IsInError() && pair.attributes.state != QueuePairState::ERR)
    {
        EnterError(pair, now);
    }
    if (pair.attributes.state == QueuePairState::SQD && pair.attributes.wantsDrainEvent &&
        pair.requester.IsDrained())
    {
        pair.attributes.wantsDrainEvent = false;
        Tell(AsyncEventType::SQ_DRAINED, pair, now);
    }
}

void
Rnic::CompleteReceives(QueuePair& pair, bool isSolicited, SimTime now)
{
    while (const auto completion = pair.responder.PopCompletion())
    {
        Complete({pair.qpn, pair.resources.receiveCompletions, *completion, isSolicited}, now);
    }
    SharedReceiveQueue* shared = pair.resources.sharedReceives;
    if (shared != nullptr && shared->TakeLimitEvent() && m_observer != nullptr)
    {
        m_observer->OnAsyncEvent({.type = AsyncEventType::SRQ_LIMIT_REACHED,
                                  .sharedReceiveQueue = pair.init.sharedReceiveQueue},
                                 now);
    }
}

void
Rnic::Complete(const HostCompletion& completion, SimTime now)
{
    if (completion.completion.status != CompletionStatus::SUCCESS) [[unlikely]]
    {
        m_transportTrace({now,
                          TransportEventType::ERROR_COMPLETION,
                          Get(completion.qpn).init.mark,
                          std::nullopt,
                          ToString(completion.completion.status)});
    }
    if (m_host) [[unlikely]]
    {
        m_host->OnCompletion(completion, now);
        return;
    }
    OnCompletionVisible(completion, now);
}

void
Rnic::OnCompletionVisible(const HostCompletion& entry, SimTime now)
{
    CompletionQueue& queue = *entry.queue;
    const bool hadOverflowed = queue.HasOverflowed();
    const SimTime deadlineBefore = queue.GetDeadline();
    const bool hasRoom = queue.Push(entry.completion, entry.isSolicited, now);
    if (queue.GetDeadline() < deadlineBefore) [[unlikely]]
    {
        m_queueTimers.Push(queue.GetDeadline(), queue);
        WakeAt(queue.GetDeadline());
    }
    if (hasRoom) [[likely]]
    {
        return;
    }
    if (!hadOverflowed && m_observer != nullptr)
    {
        m_observer->OnAsyncEvent({.type = AsyncEventType::CQ_ERR, .queue = {queue.GetNumber()}},
                                 now);
    }
    QueuePair& pair = Get(entry.qpn);
    if (pair.attributes.state != QueuePairState::ERR)
    {
        Tell(AsyncEventType::QP_FATAL, pair, now);
        EnterError(pair, now);
    }
}

void
Rnic::EnterError(QueuePair& pair, SimTime now)
{
    pair.attributes.state = QueuePairState::ERR;
    pair.receiving = ReceiveState::CLOSED;
    pair.requester.Flush();
    pair.responder.Flush();
    CompleteSends(pair, now);
    CompleteReceives(pair, false, now);
    if (pair.transmitter != nullptr)
    {
        pair.transmitter->Update(pair, now);
    }
}

void
Rnic::Tell(AsyncEventType type, const QueuePair& pair, SimTime now)
{
    if (m_observer != nullptr)
    {
        m_observer->OnAsyncEvent({.type = type, .qpn = pair.qpn}, now);
    }
}

} // namespace ns3::rdma
