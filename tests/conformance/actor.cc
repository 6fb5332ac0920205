// SPDX-License-Identifier: GPL-2.0-only
#include "tests/conformance/actor.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t REGION_ADDRESS = 0x7f0000000000;
constexpr uint64_t REGION_STEP = 0x10000000000; ///< between two regions
constexpr std::size_t RECEIVE_REGION = 2;

/** Patterns of the verbs tester's buffers: the n-th byte is this and n. */
constexpr std::array<uint8_t, 2> FIRST_BYTES{0x64, 0xa0};

/** Immediate data of the verbs tester's WRITEs and SENDs, and what it does to make a key bad. */
constexpr uint32_t WRITE_IMMEDIATE = 0xc0ffee01;
constexpr uint32_t SEND_IMMEDIATE = 0xc0ffee02;
constexpr uint32_t BAD_KEY_BITS = 0x55;

uint64_t
RegionAddress(std::size_t region)
{
    return REGION_ADDRESS + region * REGION_STEP;
}

uint64_t
CountReceives(const Actions& actions)
{
    uint64_t count = 0;
    for (const Action& action : actions)
    {
        count += action.kind == ActionKind::RECEIVE ? action.count : 0;
    }
    return count;
}

uint64_t
LongestReceive(const Actions& actions)
{
    uint64_t longest = 1;
    for (const Action& action : actions)
    {
        longest = std::max(longest, action.kind == ActionKind::RECEIVE ? action.length : 0);
    }
    return longest;
}

uint64_t
CountPosts(const Actions& actions)
{
    return static_cast<uint64_t>(std::count_if(actions.begin(),
                                               actions.end(),
                                               [](const Action& action)
                                               { return action.kind == ActionKind::POST; }));
}

} // namespace

Actor::Actor(ActorSetup setup) : m_setup{std::move(setup)}
{
    m_wake.Bind<&Actor::OnWake>(this, EventOrder::Of(EventPhase::TIMER, 1000 + m_setup.number));
    ProtectionDomainId domain;
    m_setup.device->AllocateProtectionDomain(domain);
    RegisterRegions(domain);
    CreateQueuePair(domain);
}

void
Actor::RegisterRegions(ProtectionDomainId domain)
{
    const uint64_t bytes = std::max<uint64_t>(m_setup.regionBytes, 64);
    for (std::size_t region = 0; region < m_storage.size(); ++region)
    {
        const bool isForReceives = region == RECEIVE_REGION;
        std::vector<std::byte>& storage = m_storage[region];
        storage.resize(isForReceives ? LongestReceive(m_setup.actions) : bytes);
        for (std::size_t n = 0; m_setup.knowsMemory && n < storage.size(); ++n)
        {
            storage[n] = std::byte{static_cast<uint8_t>(FIRST_BYTES[m_setup.side] + n)};
        }
        const bool isOpen = !isForReceives && m_setup.settings.grantsMemory;
        const uint8_t access = isOpen ? ACCESS_ALL : uint8_t{ACCESS_LOCAL_WRITE};
        m_setup.device->RegisterMemory({.protectionDomain = domain.value,
                                        .address = RegionAddress(region),
                                        .length = storage.size(),
                                        .access = access,
                                        .storage = storage.data()},
                                       m_regions[region]);
    }
}

void
Actor::CreateQueuePair(ProtectionDomainId domain)
{
    const auto posts = static_cast<uint32_t>(CountPosts(m_setup.actions) + 1);
    const auto receives = static_cast<uint32_t>(CountReceives(m_setup.actions) + 1);
    VerbsDevice& device = *m_setup.device;
    device.CreateCompletionQueue(posts, this, m_sendQueue);
    device.CreateCompletionQueue(receives, this, m_receiveQueue);
    device.CreateQueuePair(
        {.protectionDomain = domain,
         .sendQueue = m_sendQueue,
         .receiveQueue = m_receiveQueue,
         .capabilities = {.maxSendRequests = posts, .maxReceiveRequests = receives},
         .mark = m_setup.number},
        m_qpn);
    device.GetCompletionQueue(m_sendQueue).RequestNotify(Notify::NEXT);
    device.GetCompletionQueue(m_receiveQueue).RequestNotify(Notify::NEXT);
}

PeerRegions
Actor::GetRegions() const
{
    return {{RegionAddress(0), RegionAddress(1)}, {m_regions[0].rkey, m_regions[1].rkey}};
}

void
Actor::Start(const PeerRegions& peer, Qpn destinationQp, Psn sendPsn, Psn receivePsn)
{
    m_peer = peer;
    const SideSettings& settings = m_setup.settings;
    const uint8_t limit = m_setup.device->GetLimits().maxReadAtomic;
    QueuePairAttributes attributes;
    attributes.pathMtu = settings.pathMtu;
    attributes.accessFlags = settings.grantsQp ? ACCESS_ALL : 0;
    attributes.address.destination = 1 - m_setup.side;
    attributes.address.trafficClass = settings.trafficClass;
    attributes.destinationQp = destinationQp;
    attributes.receivePsn = receivePsn;
    attributes.sendPsn = sendPsn;
    attributes.timeout = settings.timeout;
    attributes.retryCount = settings.retryCount;
    attributes.rnrRetry = settings.rnrRetry;
    attributes.minRnrTimer = settings.minRnrTimer;
    attributes.maxReadAtomic = std::min(settings.maxReadAtomic, limit);
    attributes.maxDestReadAtomic = std::min(settings.maxReadAtomic, limit);
    Modify(QueuePairState::INIT, QP_PKEY_INDEX | QP_PORT | QP_ACCESS_FLAGS, attributes);
    Modify(QueuePairState::RTR,
           QP_AV | QP_PATH_MTU | QP_DEST_QPN | QP_RQ_PSN | QP_MAX_DEST_RD_ATOMIC | QP_MIN_RNR_TIMER,
           attributes);
    Modify(QueuePairState::RTS,
           QP_SQ_PSN | QP_TIMEOUT | QP_RETRY_CNT | QP_RNR_RETRY | QP_MAX_QP_RD_ATOMIC,
           attributes);
    Wake();
}

void
Actor::Modify(QueuePairState state, uint32_t mask, QueuePairAttributes attributes)
{
    attributes.state = state;
    const SimTime now = m_setup.events->Now();
    if (const auto wrong = m_setup.device->ModifyQueuePair(m_qpn, attributes, mask | QP_STATE, now))
    {
        throw std::logic_error{ToString(*wrong)};
    }
}

void
Actor::Wake()
{
    if (!m_wake.IsPending())
    {
        m_setup.events->Schedule(m_wake, m_setup.events->Now() + m_setup.reaction);
    }
}

void
Actor::OnFrame()
{
    ++m_frames;
    if (!m_setup.gates.empty())
    {
        Wake();
    }
}

bool
Actor::IsGated(const Action& action) const
{
    return action.kind == ActionKind::POST && m_posted < m_setup.gates.size() &&
           m_frames < m_setup.gates[m_posted];
}

void
Actor::OnExecuted()
{
    ++m_executed;
    Wake();
}

void
Actor::OnCompletionEvent(CompletionQueue& queue, SimTime)
{
    const bool isSend = queue.GetNumber() == m_sendQueue.value;
    std::array<WorkCompletion, 16> some;
    for (std::size_t count = queue.Poll(some); count > 0; count = queue.Poll(some))
    {
        std::vector<WorkCompletion>& all = isSend ? m_output.sends : m_output.receives;
        all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    }
    queue.RequestNotify(Notify::NEXT);
    Wake();
}

void
Actor::OnWake(SimTime now)
{
    while (m_next < m_setup.actions.size())
    {
        const Action& action = m_setup.actions[m_next];
        if (!m_isStarted && IsGated(action))
        {
            return;
        }
        if (!m_isStarted)
        {
            m_isStarted = true;
            Do(action, now);
        }
        if (IsBlocked(action, now))
        {
            return;
        }
        m_isStarted = false;
        ++m_next;
    }
}

bool
Actor::IsBlocked(const Action& action, SimTime now)
{
    const auto received = static_cast<uint64_t>(m_output.receives.size());
    switch (action.kind)
    {
    case ActionKind::POST:
        return action.waits && m_output.sends.size() < m_signalled;
    case ActionKind::DRAIN:
        return m_output.sends.size() < m_signalled;
    case ActionKind::AWAIT_RECEIVE:
        return received < m_received;
    case ActionKind::AWAIT_MESSAGE:
        return m_executed < m_awaited;
    case ActionKind::SLEEP:
        return now < m_until;
    case ActionKind::RECEIVE:
        break;
    }
    return false;
}

void
Actor::Do(const Action& action, SimTime now)
{
    switch (action.kind)
    {
    case ActionKind::POST:
        Post(action, now);
        break;
    case ActionKind::RECEIVE:
        PostReceives(action, now);
        break;
    case ActionKind::AWAIT_RECEIVE:
        m_received += action.count;
        break;
    case ActionKind::AWAIT_MESSAGE:
        m_awaited += action.count;
        break;
    case ActionKind::SLEEP:
        m_until = now + action.duration;
        m_setup.events->Schedule(m_wake, m_until);
        break;
    case ActionKind::DRAIN:
        break;
    }
}

void
Actor::Post(const Action& action, SimTime now)
{
    const ScatterGatherElement local{
        RegionAddress(0), static_cast<uint32_t>(action.length), m_regions[0].lkey};
    const bool isAtomic = action.opcode == SendOpcode::ATOMIC_CMP_AND_SWP ||
                          action.opcode == SendOpcode::ATOMIC_FETCH_AND_ADD;
    // What an atomic operation brings back must not change what is sent later.
    const ScatterGatherElement result{RegionAddress(1), ATOMIC_BYTES, m_regions[1].lkey};
    const uint32_t key = m_peer.rkeys[action.region] ^ (action.hasBadKey ? BAD_KEY_BITS : 0);
    SendRequest request;
    request.wrId = ++m_posted;
    request.opcode = action.opcode;
    request.flags = action.flags;
    request.sgList = {isAtomic ? &result : &local, 1};
    request.immediate =
        action.opcode == SendOpcode::SEND_WITH_IMM ? SEND_IMMEDIATE : WRITE_IMMEDIATE;
    request.invalidateRkey = key;
    request.remoteAddress = m_peer.addresses[action.region] + static_cast<uint64_t>(action.offset);
    request.rkey = key;
    request.compareAdd = action.compareAdd;
    request.swap = action.swap;
    const bool isTaken = m_setup.device->PostSend(m_qpn, {&request, 1}, now).IsOk();
    m_refused += isTaken ? 0 : 1;
    m_signalled += isTaken && (action.flags & SEND_SIGNALED) != 0 ? 1 : 0;
}

void
Actor::PostReceives(const Action& action, SimTime now)
{
    constexpr uint64_t FIRST_NUMBER = 1000;
    const ScatterGatherElement element{RegionAddress(RECEIVE_REGION),
                                       static_cast<uint32_t>(action.length),
                                       m_regions[RECEIVE_REGION].lkey};
    for (uint64_t n = 0; n < action.count; ++n)
    {
        const ReceiveRequest request{.wrId = FIRST_NUMBER + m_receives++, .sgList = {&element, 1}};
        m_refused += m_setup.device->PostReceive(m_qpn, {&request, 1}, now).IsOk() ? 0 : 1;
    }
}

ProgramOutput
Actor::GetOutput() const
{
    ProgramOutput output = m_output;
    for (std::size_t n = 0; n < 8; ++n)
    {
        std::array<char, 3> digits;
        std::snprintf(
            digits.data(), digits.size(), "%02x", std::to_integer<unsigned>(m_storage[0][n]));
        output.buffer += digits.data();
    }
    return output;
}

std::string
Actor::GetPending() const
{
    return m_next < m_setup.actions.size() ? m_setup.actions[m_next].word : "";
}

} // namespace ns3::rdma
