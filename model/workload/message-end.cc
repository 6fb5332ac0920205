// SPDX-License-Identifier: GPL-2.0-only
#include "workload/message-end.h"

#include "base/hash.h"
#include "verbs/bring-up.h"
#include "verbs/takes-receive.h"
#include "workload/graph-thread.h"
#include "workload/message-fabric.h"
#include "workload/replay-engine.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

/** Identifier of all receive requests; those of sends have another. */
constexpr uint64_t RECEIVE_ID = 1;

} // namespace

MessageEnd::MessageEnd(ReplayEngine& engine, MessageFabric& fabric, uint32_t process)
    : m_engine{engine},
      m_fabric{fabric},
      m_process{process},
      m_interface{engine.GetInterface(process)}
{
}

std::string
MessageEnd::Create()
{
    const uint32_t most = m_interface.GetDevice().GetLimits().maxQueueRequests;
    QueuePairInit init;
    init.capabilities.maxSendRequests = most;
    init.capabilities.maxReceiveRequests = most;
    init.mark = m_engine.GetEnvironment().ReserveMark(this);
    return m_interface.MakeQueuePair(*this, init, m_qpn);
}

Psn
MessageEnd::ChoosePsn() const
{
    return Psn{Mix64(Mix64(m_interface.GetNumber()) ^ m_qpn.value)};
}

std::string
MessageEnd::Connect(MessageEnd& peer, uint8_t priority, SimTime now)
{
    m_peer = &peer;
    QueuePairAttributes attributes = m_engine.GetEnvironment().GetConnectionDefaults();
    attributes.accessFlags = ACCESS_ALL;
    attributes.maxDestReadAtomic = attributes.maxReadAtomic;
    attributes.address.destination = peer.m_interface.GetNumber();
    attributes.address.priority = priority;
    attributes.destinationQp = peer.m_qpn;
    attributes.sendPsn = ChoosePsn();
    attributes.receivePsn = peer.ChoosePsn();
    const auto refusal = BringToReadyToSend(m_interface.GetDevice(), m_qpn, attributes, now);
    return refusal ? ToString(*refusal) : "";
}

void
MessageEnd::Send(MessageUser user, MessageContent content, SimTime now)
{
    const uint64_t whole = (content.bytes + MAX_MESSAGE_BYTES - 1) / MAX_MESSAGE_BYTES;
    const uint64_t requests = std::max<uint64_t>(1, whole);
    Coming& coming = m_peer->m_coming.PushBack();
    coming.tag = content.tag;
    coming.requests = requests;
    const bool isFirst = m_waiting.IsEmpty();
    Sent& sent = isFirst ? m_sent.PushBack() : m_waiting.PushBack();
    sent.user = user;
    sent.start = now;
    sent.content = content;
    sent.unposted = content.bytes;
    sent.unacknowledged = requests;
    sent.hasReceive = false;
    if (!isFirst)
    {
        return;
    }
    const VerbsError error = PostAll(sent, now);
    if (error == VerbsError::QUEUE_FULL)
    {
        // Goes on with the next completion.
        m_waiting.PushBack() = sent;
        m_sent.PopBack();
    }
    else if (error != VerbsError::NONE)
    {
        m_fabric.OnRefused(error, now);
    }
}

VerbsError
MessageEnd::PostAll(Sent& sent, SimTime now)
{
    VerbsError error = VerbsError::NONE;
    do
    {
        error = PostNext(sent, now);
    } while (error == VerbsError::NONE && sent.unposted > 0);
    return error;
}

VerbsError
MessageEnd::PostWaiting(SimTime now)
{
    while (!m_waiting.IsEmpty())
    {
        Sent& sent = m_waiting.Front();
        const VerbsError error = PostAll(sent, now);
        if (error != VerbsError::NONE)
        {
            return error == VerbsError::QUEUE_FULL ? VerbsError::NONE : error;
        }
        m_sent.PushBack() = sent;
        m_waiting.PopFront();
    }
    return VerbsError::NONE;
}

VerbsError
MessageEnd::PostNext(Sent& sent, SimTime now)
{
    const uint64_t bytes = std::min(sent.unposted, MAX_MESSAGE_BYTES);
    const auto opcode = static_cast<SendOpcode>(sent.content.opcode);
    if (TakesReceive(opcode) && !sent.hasReceive)
    {
        const ScatterGatherElement place{
            0, static_cast<uint32_t>(bytes), m_peer->m_interface.GetAllMemory().lkey};
        const ReceiveRequest request{.wrId = RECEIVE_ID, .sgList = {&place, bytes == 0 ? 0U : 1U}};
        const VerbsError error =
            m_peer->m_interface.GetDevice().PostReceive(m_peer->m_qpn, {&request, 1}, now).error;
        if (error != VerbsError::NONE)
        {
            return error;
        }
        sent.hasReceive = true;
    }
    const ScatterGatherElement piece{
        0, static_cast<uint32_t>(bytes), m_interface.GetAllMemory().lkey};
    SendRequest request;
    request.opcode = opcode;
    request.sgList = {&piece, bytes == 0 ? 0U : 1U};
    request.rkey = m_peer->m_interface.GetAllMemory().rkey;
    const VerbsError error = m_interface.GetDevice().PostSend(m_qpn, {&request, 1}, now).error;
    if (error == VerbsError::NONE)
    {
        sent.unposted -= bytes;
        sent.hasReceive = false;
    }
    return error;
}

void
MessageEnd::OnCompletion(const WorkCompletion& completion, SimTime now)
{
    if (completion.status != CompletionStatus::SUCCESS)
    {
        m_fabric.OnFailed(*this, completion.status, now);
        return;
    }
    if (completion.wrId == RECEIVE_ID)
    {
        return;
    }
    Sent& oldest = m_sent.IsEmpty() ? m_waiting.Front() : m_sent.Front();
    if (--oldest.unacknowledged == 0)
    {
        const MessageUser user = oldest.user;
        m_engine.GetStatistics().AddMessage(
            oldest.content.opcode, oldest.content.bytes, now - oldest.start);
        m_sent.PopFront();
        user.thread->OnAcknowledged(user.operation);
    }
    const VerbsError error = PostWaiting(now);
    if (error != VerbsError::NONE)
    {
        m_fabric.OnRefused(error, now);
    }
}

void
MessageEnd::OnMemoryChanged(uint32_t, uint64_t, SimTime now)
{
    Coming& oldest = m_coming.Front();
    if (--oldest.requests == 0)
    {
        const uint32_t tag = oldest.tag;
        m_coming.PopFront();
        m_fabric.OnArrived(m_process, m_peer->m_process, tag, now);
    }
}

} // namespace ns3::rdma
