// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a program's operation begins: after what was between, counted from its last cause.
 */
#include "workload/program-thread.h"
#include "workload/replay-engine.h"

#include <algorithm>
#include <limits>

namespace ns3::rdma
{

namespace
{

bool
IsWaiting(const TraceOperation& operation)
{
    return operation.kind == OperationKind::COMPLETION || operation.kind == OperationKind::CQ_EVENT;
}

} // namespace

int64_t
ProgramThread::GetCursorNs() const
{
    if (m_step == Step::ENDED)
    {
        return std::numeric_limits<int64_t>::max();
    }
    if (m_count == 0)
    {
        return m_last.recordedNs;
    }
    // What waits may have begun to wait long before.
    const TraceOperation& operation = Current();
    const int64_t wait = IsWaiting(operation) ? operation.durationNs : 0;
    return m_engine.Align(m_process, operation.timeNs + wait);
}

bool
ProgramThread::AreCausesMet()
{
    if (m_engine.GetSettings().mode == ReplayMode::RECORDED)
    {
        return true;
    }
    const auto& dependencies = m_current->dependencies;
    if (!m_hasCauses && !dependencies.empty())
    {
        const uint32_t asked = Current().dependenciesNeeded;
        const std::size_t needed = asked == 0 ? dependencies.size() : asked;
        m_causesLeft = needed;
        for (const Dependency& dependency : dependencies)
        {
            ReplayThread& other = m_engine.GetThread(dependency.thread);
            const bool isOwn = &other == this;
            if (isOwn || other.HasReached(dependency.operation, dependency.event))
            {
                m_causesLeft -= m_causesLeft > 0 ? 1 : 0;
            }
            else
            {
                other.Await(dependency, *this, m_number);
            }
        }
    }
    m_hasCauses = true;
    if (m_causesLeft > 0)
    {
        return false;
    }
    if (m_followed.empty())
    {
        return true;
    }
    for (ProgramThread* other : m_followed)
    {
        if (other->GetCursorNs() <= m_recordedNs)
        {
            other->m_followers.push_back(this);
            return false;
        }
    }
    return true;
}

const ProgramThread::Moment*
ProgramThread::FindTaken(int64_t beforeNs) const
{
    const uint64_t kept = std::min<uint64_t>(m_takenCount, MOMENTS);
    for (uint64_t i = 1; i <= kept; ++i)
    {
        const Moment& moment = m_taken[(m_takenCount - i) % MOMENTS];
        if (moment.recordedNs <= beforeNs)
        {
            return &moment;
        }
    }
    return nullptr;
}

SimTime
ProgramThread::ComputeDue(SimTime now)
{
    const TraceOperation& operation = Current();
    const ReplayMode mode = m_engine.GetSettings().mode;
    if (mode == ReplayMode::RECORDED)
    {
        const int64_t since = std::max<int64_t>(m_recordedNs, 0);
        return std::max(now,
                        m_engine.GetStart() + SimTime::Nanoseconds(static_cast<uint64_t>(since)));
    }
    const int64_t lasts = operation.kind == OperationKind::COMPUTE ? operation.durationNs : 0;
    const bool hasWaited = (operation.kind == OperationKind::COMPLETION && m_isPolling) ||
                           (operation.kind == OperationKind::CQ_EVENT && operation.durationNs == 0);
    if (mode == ReplayMode::FAST || hasWaited)
    {
        return now;
    }
    Moment cause = m_last;
    for (const ProgramThread* other : m_followed)
    {
        const Moment* taken = other->FindTaken(m_recordedNs);
        if (taken != nullptr && taken->recordedNs > cause.recordedNs)
        {
            cause = *taken;
        }
    }
    const SimTime gap =
        m_engine.Scale(std::max<int64_t>(m_recordedNs - cause.recordedNs, 0) + lasts);
    const SimTime due = std::max(cause.replayed + gap, std::max(now, m_last.replayed));
    m_figures.compute += due - std::max(now, cause.replayed);
    return due;
}

void
ProgramThread::Remember(SimTime now)
{
    const TraceOperation& operation = Current();
    // If no completion follows empty polls, the program went on with something else after them.
    const bool isShort = operation.durationNs == 0 || operation.kind == OperationKind::EMPTY_POLLS;
    m_last.recordedNs =
        isShort ? m_recordedNs : m_engine.Align(m_process, operation.timeNs + operation.durationNs);
    m_last.replayed = now;
    if (operation.kind == OperationKind::COMPLETION)
    {
        m_taken[m_takenCount++ % MOMENTS] = m_last;
    }
}

} // namespace ns3::rdma
