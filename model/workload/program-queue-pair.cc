// SPDX-License-Identifier: GPL-2.0-only
#include "workload/program-queue-pair.h"

#include "verbs/bring-up.h"
#include "workload/queue-pair-change.h"
#include "workload/replay-engine.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Of connections that nothing gives a priority. @choice as flows have it */
constexpr uint8_t USUAL_PRIORITY = 3;

/** The priority within a DSCP: its class selector. @spec RFC 2474 section 4.2.2 */
constexpr unsigned CLASS_SHIFT = 5;

bool
IsSignalled(const TraceOperation& operation, bool signalsAll)
{
    return signalsAll || (operation.flags & SEND_SIGNALED) != 0;
}

} // namespace

ProgramQueuePair::ProgramQueuePair(ReplayEngine& engine, const SurveyedQueuePair& surveyed)
    : m_engine{engine},
      m_surveyed{surveyed},
      m_interface{engine.GetInterface(surveyed.process, surveyed.device)},
      m_figures{engine.GetFigures(surveyed.process)}
{
}

std::string
ProgramQueuePair::Create(SharedReceiveQueueId sharedQueue)
{
    const QueuePairDetail& detail = m_surveyed.detail;
    const DeviceLimits& limits = m_interface.GetDevice().GetLimits();
    const auto fit = [&](uint32_t asked)
    { return std::clamp<uint32_t>(asked, 1, limits.maxQueueRequests); };
    m_inlineBytes = std::min(detail.maxInlineBytes, limits.maxInlineBytes);
    QueuePairInit init;
    init.sharedReceiveQueue = sharedQueue;
    init.capabilities = {.maxSendRequests = fit(detail.maxSendRequests),
                         .maxReceiveRequests = fit(detail.maxReceiveRequests),
                         .maxSendElements = 1,
                         .maxReceiveElements = 1,
                         .maxInlineBytes = m_inlineBytes};
    init.signalsAll = detail.signalsAll;
    init.mark = m_engine.GetEnvironment().ReserveMark(this);
    return m_interface.MakeQueuePair(*this, init, m_qpn);
}

QueuePairAttributes
ProgramQueuePair::MakeAttributes() const
{
    ApplicationEnvironment& environment = m_engine.GetEnvironment();
    const QueuePairAttributes scenario = environment.GetConnectionDefaults();
    const DeviceLimits& limits = m_interface.GetDevice().GetLimits();
    QueuePairAttributes attributes = scenario;
    attributes.accessFlags = ACCESS_ALL;
    TakeOverAttributes(m_surveyed.attributes, attributes);
    const auto keep = [&](const char* key, auto member)
    {
        if (environment.IsChosen(key))
        {
            attributes.*member = scenario.*member;
        }
    };
    keep("transport.path_mtu", &QueuePairAttributes::pathMtu);
    keep("transport.timeout", &QueuePairAttributes::timeout);
    keep("transport.retry_count", &QueuePairAttributes::retryCount);
    keep("transport.rnr_retry", &QueuePairAttributes::rnrRetry);
    keep("transport.min_rnr_timer", &QueuePairAttributes::minRnrTimer);
    keep("transport.max_read_atomic", &QueuePairAttributes::maxReadAtomic);
    keep("transport.max_read_atomic", &QueuePairAttributes::maxDestReadAtomic);
    attributes.maxReadAtomic = std::min(attributes.maxReadAtomic, limits.maxReadAtomic);
    attributes.maxDestReadAtomic = std::min(attributes.maxDestReadAtomic, limits.maxReadAtomic);
    const QueuePairChange& recorded = m_surveyed.attributes;
    const auto fromClass = static_cast<uint8_t>(recorded.trafficClass >> CLASS_SHIFT);
    uint8_t priority = recorded.serviceLevel != 0 ? recorded.serviceLevel : fromClass;
    priority = priority == 0 || priority > 7 ? USUAL_PRIORITY : priority;
    attributes.address.priority = m_engine.GetSettings().priority.value_or(priority);
    attributes.address.udpSourcePort = scenario.address.udpSourcePort;
    attributes.port = scenario.port;
    return attributes;
}

std::string
ProgramQueuePair::Connect(ProgramQueuePair* peer, SimTime now)
{
    m_peer = peer;
    QueuePairAttributes attributes = MakeAttributes();
    attributes.state = QueuePairState::INIT;
    if (peer != nullptr)
    {
        attributes.address.destination = peer->m_interface.GetNumber();
        attributes.destinationQp = peer->m_qpn;
        MatchPsns(peer->m_surveyed.attributes, attributes);
        attributes.state = m_surveyed.sends ? QueuePairState::RTS : QueuePairState::RTR;
    }
    const auto refusal = BringUp(m_interface.GetDevice(), m_qpn, attributes, now);
    return refusal ? ToString(*refusal) : "";
}

void
ProgramQueuePair::SetReady()
{
    m_isReady = true;
    WakeWaiters();
}

void
ProgramQueuePair::MatchPsns(const QueuePairChange& peer, QueuePairAttributes& attributes) const
{
    const QueuePairChange& own = m_surveyed.attributes;
    if ((own.mask & QP_RQ_PSN) == 0)
    {
        attributes.receivePsn = Psn{(peer.mask & QP_SQ_PSN) != 0 ? peer.sendPsn : 0};
    }
    if ((own.mask & QP_SQ_PSN) == 0)
    {
        attributes.sendPsn = Psn{(peer.mask & QP_RQ_PSN) != 0 ? peer.receivePsn : 0};
    }
}

VerbsError
ProgramQueuePair::PostSend(const TraceOperation& operation,
                           const ScatterGatherElement& element,
                           uint32_t rkey,
                           SimTime now)
{
    if (m_ending == Ending::DESTROYED)
    {
        return VerbsError::NOT_FOUND;
    }
    SendRequest request;
    request.wrId = m_nextRequest;
    request.opcode = static_cast<SendOpcode>(operation.opcode);
    request.flags = operation.flags & (SEND_FENCE | SEND_SIGNALED | SEND_SOLICITED | SEND_INLINE);
    if (operation.bytes > m_inlineBytes)
    {
        request.flags &= static_cast<uint8_t>(~SEND_INLINE);
    }
    request.sgList = {&element, operation.bytes == 0 ? 0U : 1U};
    request.immediate = operation.immediate;
    request.invalidateRkey = rkey;
    request.remoteAddress = operation.remoteAddress;
    request.rkey = rkey;
    request.compareAdd = operation.compareAdd;
    request.swap = operation.swap;
    // The device may complete it at once.
    const bool isSignalled = IsSignalled(operation, m_surveyed.detail.signalsAll);
    const bool reachesPeer = request.opcode != SendOpcode::LOCAL_INV;
    m_posted.PushBack() = {now, operation.bytes, operation.opcode, isSignalled};
    ++m_nextRequest;
    m_signalled += isSignalled ? 1 : 0;
    m_reaching += reachesPeer ? 1 : 0;
    const PostResult result = m_interface.GetDevice().PostSend(m_qpn, {&request, 1}, now);
    if (!result.IsOk())
    {
        m_posted.PopBack();
        --m_nextRequest;
        m_signalled -= isSignalled ? 1 : 0;
        m_reaching -= reachesPeer ? 1 : 0;
    }
    return result.error;
}

VerbsError
ProgramQueuePair::PostReceive(const TraceOperation& operation,
                              const ScatterGatherElement& element,
                              SimTime now)
{
    if (m_ending == Ending::DESTROYED)
    {
        return VerbsError::NOT_FOUND;
    }
    const ReceiveRequest request{.wrId = RECEIVE_ID,
                                 .sgList = {&element, operation.bytes == 0 ? 0U : 1U}};
    return m_interface.GetDevice().PostReceive(m_qpn, {&request, 1}, now).error;
}

void
ProgramQueuePair::ForgetPosted(const WorkCompletion& completion, SimTime now)
{
    // Those before it that were not signalled have completed as well.
    const auto number = static_cast<uint32_t>(completion.wrId);
    while (m_oldestRequest != number + 1 && !m_posted.IsEmpty())
    {
        const Posted& posted = m_posted.Front();
        m_signalled -= posted.isSignalled ? 1 : 0;
        if (m_oldestRequest == number && completion.status == CompletionStatus::SUCCESS)
        {
            m_engine.GetStatistics().AddMessage(posted.opcode, posted.bytes, now - posted.time);
        }
        m_posted.PopFront();
        ++m_oldestRequest;
    }
}

void
ProgramQueuePair::OnCompletion(const WorkCompletion& completion, SimTime now)
{
    const bool isReceive = completion.wrId == RECEIVE_ID;
    Side& side = isReceive ? m_receives : m_sends;
    if (!isReceive)
    {
        ForgetPosted(completion, now);
    }
    if (!side.owed.IsEmpty())
    {
        ++m_figures.late;
        Compare(side.owed.Front(), completion);
        side.owed.PopFront();
        m_engine.OnOwedCompletion();
    }
    else
    {
        side.arrived.PushBack() = {completion, m_arrivals++};
    }
    WakeWaiters();
    TryToEnd();
}

void
ProgramQueuePair::Compare(const Owed& entry, const WorkCompletion& completion)
{
    const auto status = static_cast<uint8_t>(completion.status);
    if (entry.status != status)
    {
        ++m_figures.otherStatus;
        return;
    }
    if (status != 0)
    {
        return; // Nothing else means anything.
    }
    m_figures.otherOpcode += entry.opcode != static_cast<uint8_t>(completion.opcode) ? 1 : 0;
    // Devices fill in the length of what was sent, or not. @spec ibv_poll_cq(3)
    const bool isSent = completion.opcode == CompletionOpcode::SEND ||
                        completion.opcode == CompletionOpcode::RDMA_WRITE ||
                        completion.opcode == CompletionOpcode::LOCAL_INV;
    const bool isTold = !isSent || entry.bytes != 0;
    m_figures.otherLength += isTold && entry.bytes != completion.byteLength ? 1 : 0;
}

void
ProgramQueuePair::TakeCompletion(const TraceOperation& entry)
{
    Side* side = &SideOf(entry);
    if (entry.status != 0)
    {
        const bool isSend = !m_sends.arrived.IsEmpty() &&
                            (m_receives.arrived.IsEmpty() ||
                             m_sends.arrived.Front().number < m_receives.arrived.Front().number);
        side = isSend ? &m_sends : &m_receives;
    }
    Compare({entry.status, entry.opcode, entry.bytes}, side->arrived.Front().completion);
    side->arrived.PopFront();
}

void
ProgramQueuePair::OweCompletion(const TraceOperation& entry)
{
    // The opcode of an error means nothing: it is a send's if one is on its way.
    const bool isSend = entry.status != 0 && m_signalled > m_sends.owed.GetCount();
    Side& side = entry.status == 0 ? SideOf(entry) : isSend ? m_sends : m_receives;
    side.owed.PushBack() = {entry.status, entry.opcode, entry.bytes};
}

void
ProgramQueuePair::OnMemoryChanged(uint32_t, uint64_t, SimTime)
{
    ++m_delivered;
    if (m_ending != Ending::NONE)
    {
        TryToEnd();
    }
    if (m_peer != nullptr && m_peer->m_ending != Ending::NONE)
    {
        m_peer->TryToEnd();
    }
}

void
ProgramQueuePair::End(Ending ending)
{
    m_ending = std::max(m_ending, ending);
    TryToEnd();
}

void
ProgramQueuePair::OnPeerEnded()
{
    m_hasPeerEnded = true;
    TryToEnd();
}

bool
ProgramQueuePair::IsQuiet() const
{
    if (m_peer == nullptr || m_peer->m_ended != Ending::NONE)
    {
        return true;
    }
    const bool hasAll = m_hasPeerEnded || m_delivered >= m_peer->m_surveyed.requests;
    // Requests that the trace flushes would wait for ever.
    const bool isSent =
        m_surveyed.flushedSends > 0 || (m_signalled == 0 && m_peer->m_delivered >= m_reaching);
    return hasAll && isSent;
}

void
ProgramQueuePair::TryToEnd()
{
    if (m_ending > m_ended && !m_isEndDue && IsQuiet())
    {
        m_isEndDue = true;
        m_engine.DoLater([this](SimTime now) { DoEnd(now); });
    }
}

void
ProgramQueuePair::DoEnd(SimTime now)
{
    m_isEndDue = false;
    m_ended = m_ending;
    if (m_ended == Ending::DESTROYED)
    {
        m_interface.DestroyQueuePair(m_qpn, now);
    }
    else
    {
        QueuePairAttributes attributes;
        attributes.state = QueuePairState::ERR;
        m_interface.GetDevice().ModifyQueuePair(m_qpn, attributes, QP_STATE, now);
    }
    if (m_peer != nullptr)
    {
        m_peer->TryToEnd();
    }
}

void
ProgramQueuePair::WakeWaiters()
{
    for (ReplayThread* waiter : m_waiters)
    {
        m_engine.Wake(*waiter);
    }
    m_waiters.clear();
}

} // namespace ns3::rdma
