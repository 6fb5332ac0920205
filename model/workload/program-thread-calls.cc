// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a program's operations do on the simulated device, and what they wait for there.
 */
#include "workload/program-thread.h"
#include "workload/replay-engine.h"

namespace ns3::rdma
{

bool
ProgramThread::Begin(SimTime now)
{
    const TraceOperation& operation = Current();
    switch (operation.kind)
    {
    case OperationKind::POST_SEND:
        return BeginSend(now);
    case OperationKind::POST_RECEIVE:
        return BeginReceive(now);
    case OperationKind::POST_SHARED_RECEIVE:
        return BeginSharedReceive();
    case OperationKind::COMPLETION:
        return BeginCompletion();
    case OperationKind::CQ_EVENT:
        return BeginEvent();
    case OperationKind::CONTROL:
        m_objects->DoControl(operation);
        return true;
    case OperationKind::NONE:
    case OperationKind::EMPTY_POLLS:
    case OperationKind::ARM:
    case OperationKind::ACK_CQ_EVENTS:
    case OperationKind::MESSAGE:
    case OperationKind::MESSAGE_RECEIVE:
    case OperationKind::COMPUTE:
        return true;
    }
    return true;
}

bool
ProgramThread::WaitFor(Wait wait, ProgramQueuePair& pair)
{
    m_wait = wait;
    pair.AddWaiter(*this);
    return false;
}

bool
ProgramThread::BeginSend(SimTime now)
{
    const TraceOperation& operation = Current();
    ProgramQueuePair* pair = m_objects->FindQueuePair(operation.object);
    if (pair == nullptr || operation.result != 0)
    {
        ++m_figures.leftOut;
        return true;
    }
    ProgramQueuePair* peer = pair->GetPeer();
    const bool isRecorded = m_engine.GetSettings().mode == ReplayMode::RECORDED;
    if (peer != nullptr && !peer->IsReady() && !isRecorded)
    {
        return WaitFor(Wait::PEER, *peer);
    }
    const bool isLocal = operation.opcode == static_cast<uint8_t>(SendOpcode::LOCAL_INV);
    const SurveyedQueuePair& surveyed = pair->GetSurveyed();
    const SurveyedQueuePair& remote = isLocal || peer == nullptr ? surveyed : peer->GetSurveyed();
    ReplayProcess& owner = m_engine.GetProcess(remote.process);
    const std::optional<uint32_t> rkey =
        operation.rkey == 0 ? 0 : owner.TranslateRemote(operation.rkey, remote.device);
    if (!rkey)
    {
        m_wait = Wait::KEY;
        owner.AddKeyWaiter(*this);
        return false;
    }
    const ScatterGatherElement element = m_objects->TranslateLocal(operation, surveyed.device);
    const VerbsError error = pair->PostSend(operation, element, *rkey, now);
    if (error == VerbsError::NONE)
    {
        m_figures.bytes += operation.bytes;
    }
    return Posted(error, pair, "send request");
}

bool
ProgramThread::BeginReceive(SimTime now)
{
    const TraceOperation& operation = Current();
    ProgramQueuePair* pair = m_objects->FindQueuePair(operation.object);
    if (pair == nullptr || operation.result != 0)
    {
        ++m_figures.leftOut;
        return true;
    }
    const ScatterGatherElement element =
        m_objects->TranslateLocal(operation, pair->GetSurveyed().device);
    return Posted(pair->PostReceive(operation, element, now), pair, "receive request");
}

bool
ProgramThread::BeginSharedReceive()
{
    const TraceOperation& operation = Current();
    const ReplayProcess::SharedQueue queue = m_objects->FindSharedQueue(operation.object);
    if (queue.id == SharedReceiveQueueId{} || operation.result != 0)
    {
        ++m_figures.leftOut;
        return true;
    }
    const ScatterGatherElement element = m_objects->TranslateLocal(operation, queue.device);
    const ReceiveRequest request{.wrId = ProgramQueuePair::RECEIVE_ID,
                                 .sgList = {&element, operation.bytes == 0 ? 0U : 1U}};
    VerbsDevice& device = m_engine.GetInterface(m_process, queue.device).GetDevice();
    return Posted(device.PostSharedReceive(queue.id, {&request, 1}).error,
                  nullptr,
                  "request of a shared receive queue");
}

bool
ProgramThread::Posted(VerbsError error, ProgramQueuePair* pair, const char* what)
{
    if (error == VerbsError::NONE)
    {
        return true;
    }
    if (error == VerbsError::QUEUE_FULL && pair != nullptr)
    {
        m_figures.waitedForRoom += m_isBlocked ? 0 : 1;
        return WaitFor(Wait::ROOM, *pair);
    }
    m_engine.Refuse(m_process, std::string{what} + ": " + std::string{ToString(error)});
    return true;
}

bool
ProgramThread::BeginCompletion()
{
    const TraceOperation& operation = Current();
    ProgramQueuePair* pair = m_objects->FindQueuePair(operation.object);
    if (pair == nullptr)
    {
        ++m_figures.leftOut;
        return true;
    }
    if (pair->HasCompletion(operation))
    {
        pair->TakeCompletion(operation);
        return true;
    }
    if (m_engine.GetSettings().mode == ReplayMode::RECORDED)
    {
        pair->OweCompletion(operation);
        return true;
    }
    return WaitFor(Wait::COMPLETION, *pair);
}

const TraceOperation*
ProgramThread::FindCompletionAhead(ObjectId queue)
{
    for (uint32_t ahead = 1; ahead < m_count || ReadAhead(); ++ahead)
    {
        const TraceOperation& next = m_slots[(m_first + ahead) % WINDOW].operation;
        if (next.kind == OperationKind::CQ_EVENT && next.object == queue)
        {
            return nullptr;
        }
        if (next.kind == OperationKind::COMPLETION && next.other == queue)
        {
            return &next;
        }
    }
    return nullptr;
}

bool
ProgramThread::BeginEvent()
{
    const TraceOperation* next = FindCompletionAhead(Current().object);
    ProgramQueuePair* pair = next == nullptr ? nullptr : m_objects->FindQueuePair(next->object);
    const bool isRecorded = m_engine.GetSettings().mode == ReplayMode::RECORDED;
    if (pair == nullptr || isRecorded || pair->HasCompletion(*next))
    {
        return true;
    }
    return WaitFor(Wait::COMPLETION, *pair);
}

} // namespace ns3::rdma
