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
      m_mostAhead{std::clamp<uint64_t>(MOST_AHEAD / engine.GetTrace().threads.size(),
                                       LEAST_OF_THREAD,
                                       MOST_OF_THREAD)},
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
    bool hasDone = true;
    while (hasDone)
    {
        DoDue(now);
        hasDone = Fill(now) || !m_ready.empty() || !m_ending.empty();
        // Both lists may grow while they are gone through.
        for (std::size_t i = 0; i < m_ending.size(); ++i)
        {
            End(m_ending[i], now);
        }
        m_ending.clear();
        // What becomes ready together begins in the order of the trace.
        std::ranges::sort(m_ready);
        for (std::size_t i = 0; i < m_ready.size(); ++i)
        {
            Start(m_ready[i], now);
        }
        m_ready.clear();
        Forget(now);
    }
    const SimTime next = m_due.empty() ? m_readAt : std::min(m_readAt, std::get<0>(m_due.top()));
    if (!next.IsNever())
    {
        m_engine.GetEnvironment().GetEvents().Schedule(m_event, next);
    }
}

bool
GraphThread::HasPlans() const
{
    return m_event.IsPending();
}

bool
GraphThread::Fill(SimTime now)
{
    const bool isSorted = m_engine.GetSurvey().threads[m_thread].isSorted;
    bool hasRead = false;
    m_readAt = SimTime::Never();
    while (!m_isExhausted)
    {
        // Somebody may wait for what stands behind: then it has to be read, whatever that takes.
        const bool isCrowded = m_read - m_oldest >= m_mostAhead;
        if (isCrowded && m_unread.empty())
        {
            m_hasStopped = true;
            return hasRead;
        }
        if (!m_hasNext && !m_stream.Next(m_next))
        {
            m_isExhausted = true;
            return true;
        }
        m_hasNext = true;
        if (isSorted && GetEarliest(m_next) > now)
        {
            m_readAt = GetEarliest(m_next);
            return hasRead;
        }
        Insert(now);
        m_hasNext = false;
        hasRead = true;
    }
    return hasRead;
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
    }
    Node& node = At(m_read++);
    node = Node{};
    return node;
}

void
GraphThread::Insert(SimTime)
{
    const uint64_t number = m_read;
    Node& node = Append();
    node.kind = m_next.kind;
    node.opcode = m_next.opcode;
    node.object = m_next.object;
    node.processor = m_next.other;
    node.tag = m_next.count;
    node.bytes = m_next.bytes;
    node.durationNs = m_next.durationNs;
    node.earliest = GetEarliest(m_next);
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
    auto needed = static_cast<uint32_t>(asked == 0 ? dependencies.size()
                                                   : std::min(asked, dependencies.size()));
    for (const Dependency& dependency : dependencies)
    {
        ReplayThread& other = m_engine.GetThread(dependency.thread);
        if (other.HasReached(dependency.operation, dependency.event))
        {
            needed -= needed > 0 ? 1 : 0;
        }
    }
    At(number).causesLeft = needed;
    if (needed == 0)
    {
        const bool isStep = m_next.kind != OperationKind::CONTROL;
        m_wasCrowded = m_wasCrowded || (m_hasStopped && isStep);
        m_ready.push_back(number);
        return;
    }
    for (const Dependency& dependency : dependencies)
    {
        ReplayThread& other = m_engine.GetThread(dependency.thread);
        if (!other.HasReached(dependency.operation, dependency.event))
        {
            other.Await(dependency, *this, number);
        }
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
GraphThread::Forget(SimTime now)
{
    while (m_oldest < m_read && At(m_oldest).hasEnded)
    {
        ++m_oldest;
    }
    if (m_isExhausted && m_oldest == m_read && !m_hasEnded)
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
