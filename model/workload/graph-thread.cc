// SPDX-License-Identifier: GPL-2.0-only
/*
 * The window of a schedule: which operations have been read, and who waits for them.
 */
#include "workload/graph-thread.h"

#include "workload/message-fabric.h"
#include "workload/replay-engine.h"
#include "workload/replay-processor.h"

#include <algorithm>
#include <bit>

namespace ns3::rdma
{

GraphThread::GraphThread(ReplayEngine& engine, uint32_t thread)
    : m_engine{engine},
      m_stream{*engine.GetTrace().threads[thread].operations},
      m_thread{thread},
      m_process{engine.GetTrace().threads[thread].process},
      m_figures{engine.GetFigures(m_process)},
      m_mostAhead{std::max(MOST_AHEAD / engine.GetTrace().threads.size(), LEAST_AHEAD)},
      m_window{std::clamp(engine.GetSurvey().threads[thread].reach + 1, LEAST_AHEAD, m_mostAhead)},
      m_isSorted{engine.GetSurvey().threads[thread].isSorted},
      m_nodes(1)
{
    m_event.Bind<&GraphThread::OnTime>(this, engine.GetOrder(thread));
}

GraphThread::~GraphThread() = default;

void
GraphThread::OnTime(SimTime)
{
    // With what else becomes ready at this instant.
    m_engine.Wake(*this);
}

void
GraphThread::Run(SimTime now)
{
    if (m_hasEnded)
    {
        return;
    }
    if (m_readAt <= now || !m_unread.empty())
    {
        Fill(now);
    }
    DoDue(now);
    do
    {
        // Both lists may grow while they are gone through.
        for (std::size_t i = 0; i < m_ending.size(); ++i)
        {
            End(m_ending[i], now);
        }
        m_ending.clear();
        // What becomes ready together begins in the order of the trace.
        if (m_ready.size() > 1)
        {
            std::ranges::sort(m_ready);
        }
        for (std::size_t i = 0; i < m_ready.size(); ++i)
        {
            Start(m_ready[i], now);
        }
        m_ready.clear();
        Forget();
        Fill(now);
        DoDue(now);
    } while (!m_ready.empty() || !m_ending.empty());
    if (m_isExhausted && m_oldest == m_read)
    {
        Finish(now);
        return;
    }
    const SimTime next = m_due.empty() ? m_readAt : std::min(m_readAt, std::get<0>(m_due.top()));
    if (!next.IsNever())
    {
        m_engine.GetEvents().Schedule(m_event, next);
    }
}

bool
GraphThread::HasPlans() const
{
    return m_event.IsPending();
}

void
GraphThread::Fill(SimTime now)
{
    m_readAt = SimTime::Never();
    while (!m_isExhausted)
    {
        if (!MayReadOn())
        {
            m_hasStopped = true;
            return;
        }
        if (!m_hasNext && !m_stream.Next(m_next))
        {
            m_isExhausted = true;
            return;
        }
        m_hasNext = true;
        const SimTime earliest = GetEarliest(m_next);
        if (m_isSorted && earliest > now)
        {
            m_readAt = earliest;
            return;
        }
        Insert(earliest);
        m_hasNext = false;
    }
}

bool
GraphThread::MayReadOn()
{
    // Somebody may wait for what stands behind: then it has to be read, whatever that takes.
    if (m_read - m_oldest < m_window || !m_unread.empty())
    {
        return true;
    }
    if (m_endedAhead <= m_window / ENDED_PART || m_window == m_mostAhead)
    {
        return false;
    }
    m_window = std::min(2 * m_window, m_mostAhead);
    return true;
}

GraphThread::Node&
GraphThread::Append()
{
    if (m_read - m_oldest == m_nodes.size())
    {
        std::vector<Node> larger(2 * m_nodes.size());
        for (uint64_t number = m_oldest; number < m_read; ++number)
        {
            larger[number & (larger.size() - 1)] = At(number);
        }
        m_nodes = std::move(larger);
        m_mask = m_nodes.size() - 1;
    }
    return At(m_read++);
}

void
GraphThread::Insert(SimTime earliest)
{
    const uint64_t number = m_read;
    Append() = {.kind = m_next.kind,
                .opcode = m_next.opcode,
                .object = m_next.object,
                .processor = m_next.other,
                .tag = m_next.count,
                .bytes = m_next.bytes,
                .durationNs = m_next.durationNs,
                .earliest = earliest};
    if (!m_unread.empty())
    {
        const auto range = m_unread.equal_range(number);
        for (auto it = range.first; it != range.second; ++it)
        {
            AddEdge(At(number), it->second.event, {it->second.waiter, it->second.operation, NONE});
        }
        m_unread.erase(range.first, range.second);
    }
    const auto* connection = std::get_if<ConnectionDetail>(&m_next.control.detail);
    if (m_next.kind == OperationKind::CONTROL && connection != nullptr)
    {
        m_engine.GetMessages().Connect(m_process, m_next.object, *connection);
    }
    CountCauses(number);
}

void
GraphThread::CountCauses(uint64_t number)
{
    const auto& dependencies = m_next.dependencies;
    const std::size_t asked = m_next.dependenciesNeeded;
    Node& node = At(number);
    node.causesLeft = static_cast<uint32_t>(asked == 0 ? dependencies.size()
                                                       : std::min(asked, dependencies.size()));
    bool isFree = node.causesLeft == 0;
    for (auto it = dependencies.begin(); it != dependencies.end() && node.causesLeft > 0; ++it)
    {
        ReplayThread& other = m_engine.GetThread(it->thread);
        if (!other.HasReached(it->operation, it->event))
        {
            other.Await(*it, *this, number); // It may be told at once.
        }
        else
        {
            isFree = --node.causesLeft == 0;
        }
    }
    if (isFree)
    {
        const bool isStep = m_next.kind != OperationKind::CONTROL;
        m_wasCrowded = m_wasCrowded || (m_hasStopped && isStep);
        m_ready.push_back(number);
    }
}

bool
GraphThread::HasReached(uint64_t operation, DependencyEvent event) const
{
    if (operation < m_oldest)
    {
        return true;
    }
    if (operation >= m_read)
    {
        return m_hasEnded;
    }
    const Node& node = At(operation);
    return event == DependencyEvent::END ? node.hasEnded : node.hasBegun;
}

void
GraphThread::Await(const Dependency& what, ReplayThread& waiter, uint64_t operation)
{
    if (what.operation < m_read)
    {
        AddEdge(At(what.operation), what.event, {&waiter, operation, NONE});
        return;
    }
    m_unread.emplace(what.operation, Unread{what.event, &waiter, operation});
    m_engine.Wake(*this);
}

void
GraphThread::AddEdge(Node& node, DependencyEvent event, const Edge& edge)
{
    uint32_t& list = event == DependencyEvent::END ? node.onEnd : node.onStart;
    uint32_t place = m_freeEdge;
    if (place == NONE)
    {
        place = static_cast<uint32_t>(m_edges.size());
        m_edges.emplace_back();
    }
    else
    {
        m_freeEdge = m_edges[place].next;
    }
    m_edges[place] = edge;
    m_edges[place].next = list;
    list = place;
}

void
GraphThread::TellAll(uint32_t& list)
{
    while (list != NONE)
    {
        const uint32_t place = list;
        const Edge edge = m_edges[place];
        list = edge.next;
        m_edges[place].next = m_freeEdge;
        m_freeEdge = place;
        edge.waiter->OnReached(edge.operation);
    }
}

void
GraphThread::OnReached(uint64_t operation)
{
    // Of several causes some may have been enough.
    if (operation < m_oldest || At(operation).causesLeft == 0)
    {
        return;
    }
    if (--At(operation).causesLeft == 0)
    {
        m_ready.push_back(operation);
        m_engine.Wake(*this);
    }
}

void
GraphThread::Forget()
{
    while (m_oldest < m_read && At(m_oldest).hasEnded)
    {
        ++m_oldest;
        --m_endedAhead;
    }
}

void
GraphThread::Finish(SimTime now)
{
    m_hasEnded = true;
    // What stands behind the end does not exist: nothing waits for it.
    auto unread = std::move(m_unread);
    m_unread.clear();
    for (const auto& [number, waiting] : unread)
    {
        waiting.waiter->OnReached(waiting.operation);
    }
    m_engine.OnThreadEnded(m_process, now);
}

std::string
GraphThread::DescribeWait() const
{
    const TraceThread& thread = m_engine.GetTrace().threads[m_thread];
    std::string text = "thread " + thread.name + " of " +
                       m_engine.GetTrace().processes[m_process].name + ": operation " +
                       std::to_string(m_oldest);
    if (m_oldest == m_read)
    {
        return text + " is to be read";
    }
    const Node& node = At(m_oldest);
    if (node.hasBegun)
    {
        return text + (node.kind == OperationKind::MESSAGE_RECEIVE
                           ? " waits for a message with tag " + std::to_string(node.tag)
                           : " has begun and not ended");
    }
    return text + " waits for " + std::to_string(node.causesLeft) + " other operations";
}

} // namespace ns3::rdma
