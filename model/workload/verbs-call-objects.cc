// SPDX-License-Identifier: GPL-2.0-only
#include "workload/verbs-call-objects.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

VerbsThreadOrder::VerbsThreadOrder(uint32_t firstThread, std::vector<bool> isPoller)
    : m_firstThread{firstThread},
      m_isPoller{std::move(isPoller)}
{
}

VerbsThreadOrder::ObjectKey
VerbsThreadOrder::GetObject(const TraceOperation& operation)
{
    switch (operation.kind)
    {
    case OperationKind::CONTROL:
        return {operation.control.kind, operation.object};
    case OperationKind::POST_SHARED_RECEIVE:
        return {ObjectKind::SHARED_RECEIVE_QUEUE, operation.object};
    case OperationKind::COMPLETION:
        return {ObjectKind::COMPLETION_QUEUE, operation.other};
    case OperationKind::POST_SEND:
    case OperationKind::POST_RECEIVE:
        return {ObjectKind::QUEUE_PAIR, operation.object};
    default:
        return {ObjectKind::COMPLETION_QUEUE, operation.object};
    }
}

void
VerbsThreadOrder::GrowTo(uint32_t thread)
{
    if (thread >= m_counts.size())
    {
        m_counts.resize(thread + 1);
        m_known.resize(thread + 1);
    }
}

void
VerbsThreadOrder::Wait(uint32_t thread, Place place, std::vector<Dependency>& dependencies)
{
    if (place.count == 0 || place.thread == thread)
    {
        return;
    }
    auto& known = m_known[thread];
    known.resize(std::max<std::size_t>(known.size(), place.thread + 1));
    if (known[place.thread] < place.count)
    {
        known[place.thread] = place.count;
        dependencies.push_back({.thread = m_firstThread + place.thread,
                                .event = DependencyEvent::END,
                                .operation = place.count - 1});
    }
}

void
VerbsThreadOrder::Note(uint32_t thread,
                       const TraceOperation& operation,
                       std::vector<Dependency>& dependencies)
{
    GrowTo(thread);
    const bool isControl = operation.kind == OperationKind::CONTROL;
    const bool isPost = operation.kind == OperationKind::POST_SEND ||
                        operation.kind == OperationKind::POST_RECEIVE ||
                        operation.kind == OperationKind::POST_SHARED_RECEIVE;
    const ObjectKey object = GetObject(operation);
    if (isControl)
    {
        Wait(thread, m_last.thread == thread ? m_beforeLast : m_last, dependencies);
    }
    else if (const auto change = m_changes.find(object); change != m_changes.end())
    {
        Wait(thread, change->second, dependencies);
    }
    if (isPost && (thread >= m_isPoller.size() || !m_isPoller[thread]))
    {
        Wait(thread, m_completion, dependencies);
    }

    const Place here{thread, ++m_counts[thread]};
    if (m_last.thread != thread)
    {
        m_beforeLast = m_last;
    }
    m_last = here;
    if (isControl && operation.control.verb == ControlVerb::DESTROY)
    {
        m_changes.erase(object);
    }
    else if (isControl || operation.kind == OperationKind::ARM)
    {
        m_changes[object] = here;
    }
    if (operation.kind == OperationKind::COMPLETION)
    {
        m_completion = here;
    }
}

} // namespace ns3::rdma
