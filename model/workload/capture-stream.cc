// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-stream.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

CaptureStream::CaptureStream(const CaptureFile& file,
                             PacketDissector dissector,
                             CaptureStreamPlan plan)
    : m_file{file},
      m_dissector{dissector},
      m_plan{std::move(plan)},
      m_conversation{MakeConversation(m_plan.conversation, m_counters)},
      m_receivesLeft{m_plan.receives}
{
    m_router.Add(m_plan.conversation, 0);
}

bool
CaptureStream::Next(TraceOperation& operation)
{
    while (m_queue.empty() && !m_hasEnded)
    {
        if (m_nextOfPrologue < m_plan.prologue.size())
        {
            m_queue.push_back(m_plan.prologue[m_nextOfPrologue++]);
            ++m_queued;
        }
        else if (!std::exchange(m_hasBegun, true))
        {
            for (uint64_t i = std::min(m_plan.receives, MAX_POSTED_RECEIVES); i > 0; --i)
            {
                QueueReceive(0);
            }
        }
        else
        {
            ReadOn();
        }
    }
    if (m_queue.empty())
    {
        return false;
    }
    operation = m_queue.front();
    m_queue.pop_front();
    operation.dependencies = {};
    if (!m_dependencies.empty() && m_dependencies.front().first == m_yielded)
    {
        m_dependency = m_dependencies.front().second;
        m_dependencies.pop_front();
        operation.dependencies = {&m_dependency, 1};
    }
    ++m_yielded;
    return true;
}

void
CaptureStream::ReadOn()
{
    CaptureRecord record;
    CapturedPacket packet;
    const bool hasRecord = m_file.Next(record);
    if (!hasRecord || record.number > m_plan.conversation.lastRecord)
    {
        m_hasEnded = true;
        m_conversation->Finish();
        if (m_file.GetDamage())
        {
            SetDamage(*m_file.GetDamage());
        }
    }
    else
    {
        const CapturedKind kind = m_dissector.Dissect(record, packet);
        const auto timeNs = static_cast<int64_t>(record.timeNs - m_plan.startNs);
        for (const CaptureRouter::Route& route : m_router.Find(kind, packet))
        {
            m_conversation->OnPacket(packet, route.sender, timeNs);
        }
    }
    TraceOperation operation;
    while (m_conversation->GetEnd(m_plan.end).Pop(operation))
    {
        Queue(operation);
    }
    TraceOperation ofTheOther;
    while (m_conversation->GetEnd(1 - m_plan.end).Pop(ofTheOther))
    {
    }
}

void
CaptureStream::Queue(const TraceOperation& operation)
{
    const bool isCompletion = operation.kind == OperationKind::COMPLETION;
    if (isCompletion && operation.timeNs > m_lastTimeNs)
    {
        TraceOperation polls;
        polls.kind = OperationKind::EMPTY_POLLS;
        polls.object = m_plan.thread;
        polls.timeNs = m_lastTimeNs;
        polls.count = 1;
        m_queue.push_back(polls);
        ++m_queued;
    }
    QueuePosted(operation);
    m_lastTimeNs = std::max(m_lastTimeNs, operation.timeNs);
    if (isCompletion && (operation.opcode & WC_RECV) != 0)
    {
        m_lastReceive = m_queued - 1;
        if (m_receivesLeft > 0)
        {
            QueueReceive(operation.timeNs);
        }
    }
}

void
CaptureStream::QueuePosted(TraceOperation operation)
{
    if (operation.kind == OperationKind::CONTROL || operation.other != NO_OBJECT)
    {
        constexpr int HANDLE_SHIFT = 16; // handles of several threads are of one process
        ObjectId& handle =
            operation.kind == OperationKind::CONTROL ? operation.object : operation.other;
        handle |= m_plan.thread << HANDLE_SHIFT;
    }
    if (operation.kind != OperationKind::CONTROL)
    {
        operation.object = m_plan.thread;
    }
    if (operation.kind == OperationKind::COMPLETION)
    {
        const bool isReceive = (operation.opcode & WC_RECV) != 0;
        operation.other = m_plan.thread;
        operation.wrId = isReceive ? m_completedReceives++ : m_completedPosts++;
    }
    if (operation.kind == OperationKind::POST_SEND)
    {
        operation.wrId = m_nextPost++;
        operation.localAddress = BUFFER_ADDRESS;
        operation.localKey = m_plan.localKey;
        if (m_lastReceive)
        {
            m_dependencies.push_back({m_queued,
                                      {.thread = m_plan.thread,
                                       .event = DependencyEvent::END,
                                       .operation = *std::exchange(m_lastReceive, {})}});
        }
    }
    m_queue.push_back(operation);
    ++m_queued;
}

void
CaptureStream::QueueReceive(int64_t timeNs)
{
    TraceOperation receive;
    receive.kind = OperationKind::POST_RECEIVE;
    receive.object = m_plan.thread;
    receive.timeNs = timeNs;
    receive.wrId = m_nextReceive++;
    receive.elements = 1;
    receive.bytes = m_plan.receiveBytes;
    receive.localAddress = BUFFER_ADDRESS;
    receive.localKey = m_plan.localKey;
    m_queue.push_back(receive);
    ++m_queued;
    --m_receivesLeft;
}

} // namespace ns3::rdma
