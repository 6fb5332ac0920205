// SPDX-License-Identifier: GPL-2.0-only
/*
 * The order in which a program's operations are read, begun and left.
 */
#include "workload/program-thread.h"

#include "workload/replay-engine.h"

#include <algorithm>

namespace ns3::rdma
{

ProgramThread::ProgramThread(ReplayEngine& engine, uint32_t thread)
    : m_engine{engine},
      m_stream{*engine.GetTrace().threads[thread].operations},
      m_thread{thread},
      m_process{engine.GetTrace().threads[thread].process},
      m_objects{&engine.GetProcess(m_process)},
      m_figures{engine.GetFigures(m_process)}
{
    m_event.Bind<&ProgramThread::OnDue>(this, engine.GetOrder(thread));
    m_last.replayed = engine.GetStart();
}

void
ProgramThread::OnDue(SimTime now)
{
    m_engine.RunNow(*this, now);
}

void
ProgramThread::Run(SimTime now)
{
    while (Advance(now))
    {
    }
}

bool
ProgramThread::Advance(SimTime now)
{
    switch (m_step)
    {
    case Step::FETCH:
        if (!Fetch(now))
        {
            return false;
        }
        m_step = Step::CAUSES;
        [[fallthrough]];
    case Step::CAUSES:
        if (!AreCausesMet())
        {
            return false;
        }
        m_due = ComputeDue(now);
        m_step = Step::DUE;
        [[fallthrough]];
    case Step::DUE:
        if (now < m_due)
        {
            m_engine.GetEvents().Schedule(m_event, m_due);
            return false;
        }
        m_step = Step::BEGIN;
        m_hasBegun = true;
        [[fallthrough]];
    case Step::BEGIN:
        if (!Begin(now))
        {
            m_blocked = m_isBlocked ? m_blocked : now;
            m_isBlocked = true;
            return false;
        }
        Leave(now);
        return true;
    case Step::ENDED:
        break;
    }
    return false;
}

bool
ProgramThread::ReadAhead()
{
    if (m_isExhausted || m_count == WINDOW)
    {
        return false;
    }
    Slot& slot = m_slots[(m_first + m_count) % WINDOW];
    if (!m_stream.Next(slot.operation))
    {
        m_isExhausted = true;
        return false;
    }
    // The stream keeps dependencies until it is asked for the next operation only.
    slot.dependencies.clear();
    if (!slot.operation.dependencies.empty())
    {
        slot.dependencies.assign(slot.operation.dependencies.begin(),
                                 slot.operation.dependencies.end());
    }
    ++m_count;
    return true;
}

bool
ProgramThread::Fetch(SimTime now)
{
    if (m_count == 0 && !ReadAhead())
    {
        Finish(now);
        return false;
    }
    m_hasCauses = false;
    m_hasBegun = false;
    m_recordedNs = m_engine.Align(m_process, Current().timeNs);
    WakeFollowers();
    return true;
}

void
ProgramThread::WakeFollowers()
{
    for (ReplayThread* follower : m_followers)
    {
        m_engine.Wake(*follower);
    }
    m_followers.clear();
}

void
ProgramThread::Leave(SimTime now)
{
    if (m_isBlocked)
    {
        m_figures.waiting += now - m_blocked;
        m_isBlocked = false;
    }
    m_wait = Wait::NONE;
    const TraceOperation& operation = Current();
    const bool isPolling = operation.kind == OperationKind::EMPTY_POLLS;
    m_figures.operations += isPolling ? 0 : 1;
    Remember(now);
    m_isPolling = isPolling;
    m_first = (m_first + 1) % WINDOW;
    m_current = &m_slots[m_first];
    --m_count;
    ++m_number;
    m_step = Step::FETCH;
    if (!m_waiters.empty())
    {
        TellWaiters();
    }
}

void
ProgramThread::TellWaiters()
{
    std::erase_if(m_waiters,
                  [this](const Waiter& waiter)
                  {
                      const bool isReached = HasReached(waiter.what.operation, waiter.what.event);
                      if (isReached)
                      {
                          waiter.thread->OnReached(waiter.operation);
                      }
                      return isReached;
                  });
}

void
ProgramThread::Finish(SimTime now)
{
    m_step = Step::ENDED;
    WakeFollowers();
    // What it would have done is in no trace: nothing waits for it.
    for (const Waiter& waiter : m_waiters)
    {
        waiter.thread->OnReached(waiter.operation);
    }
    m_waiters.clear();
    m_engine.OnThreadEnded(m_process, now);
}

void
ProgramThread::Await(const Dependency& what, ReplayThread& waiter, uint64_t operation)
{
    if (m_step == Step::ENDED)
    {
        waiter.OnReached(operation);
        return;
    }
    m_waiters.push_back({what, &waiter, operation});
}

void
ProgramThread::OnReached(uint64_t operation)
{
    if (operation == m_number && m_causesLeft > 0 && --m_causesLeft == 0)
    {
        m_engine.Wake(*this);
    }
}

std::string
ProgramThread::DescribeWait() const
{
    const TraceThread& thread = m_engine.GetTrace().threads[m_thread];
    std::string text = "thread " + thread.name + " of " +
                       m_engine.GetTrace().processes[m_process].name + " stands at operation " +
                       std::to_string(m_number) + " and waits for ";
    if (m_step != Step::BEGIN)
    {
        return text + (m_step == Step::CAUSES ? "other threads" : "its time");
    }
    const std::string number = std::to_string(Current().object);
    switch (m_wait)
    {
    case Wait::COMPLETION:
        return text + "a completion of queue pair " + number;
    case Wait::PEER:
        return text + "the peer of queue pair " + number + " to be connected";
    case Wait::KEY:
        return text + "the peer to register memory with key " + std::to_string(Current().rkey);
    case Wait::ROOM:
        return text + "room in queue pair " + number;
    case Wait::NONE:
        break;
    }
    return text + "its turn";
}

} // namespace ns3::rdma
