// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-processor.h"

#include "workload/graph-thread.h"
#include "workload/replay-engine.h"

namespace ns3::rdma
{

ReplayProcessor::ReplayProcessor(ReplayEngine& engine, EventOrder order) : m_engine{engine}
{
    m_event.Bind<&ReplayProcessor::OnComputed>(this, order);
}

void
ReplayProcessor::Ask(GraphThread& thread, uint64_t operation, OperationKind kind, SimTime now)
{
    m_ready.emplace(now, kind, operation, thread.GetNumber());
    SelectLater();
}

void
ReplayProcessor::SelectLater()
{
    if (!m_isDue && !IsBusy() && !m_ready.empty())
    {
        m_isDue = true;
        m_engine.DoLater([this](SimTime now) { Select(now); });
    }
}

void
ReplayProcessor::Select(SimTime now)
{
    m_isDue = false;
    if (IsBusy() || m_ready.empty())
    {
        return;
    }
    const auto [since, kind, operation, number] = m_ready.top();
    m_ready.pop();
    auto& thread = static_cast<GraphThread&>(m_engine.GetThread(number));
    const SimTime held = thread.OnProcessor(operation, now);
    if (kind == OperationKind::COMPUTE)
    {
        m_thread = &thread;
        m_operation = operation;
        m_engine.GetEvents().Schedule(m_event, now + held);
    }
    // What this one makes ready comes before the next is chosen.
    SelectLater();
}

void
ReplayProcessor::OnComputed(SimTime)
{
    m_thread->OnComputed(m_operation);
    SelectLater();
}

} // namespace ns3::rdma
