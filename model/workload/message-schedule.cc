// SPDX-License-Identifier: GPL-2.0-only
#include "workload/message-schedule.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** A dependency as it is kept: of a step of this thread on one of any. */
struct Wait
{
    uint32_t step;
    uint32_t onThread;
    uint32_t onStep;
    DependencyEvent event;
};

struct Connection
{
    ObjectId number;
    ConnectionDetail detail;
};

} // namespace

struct MessageSchedule::Thread
{
    std::vector<Connection> connections;
    std::vector<ScheduleStep> steps;
    std::vector<Wait> waits; ///< ascending by step, after Take
};

namespace
{

/** Gives the operations of one thread, and gives them up at the end. */
class ScheduleStream : public OperationStream
{
  public:
    ScheduleStream(std::shared_ptr<MessageSchedule::Thread> thread,
                   std::shared_ptr<const std::vector<uint32_t>> connectionCounts)
        : m_thread{std::move(thread)},
          m_connectionCounts{std::move(connectionCounts)}
    {
    }

    bool Next(TraceOperation& operation) override
    {
        operation = {};
        if (!m_thread)
        {
            return false;
        }
        if (m_connection < m_thread->connections.size())
        {
            Connect(operation);
            return true;
        }
        if (m_step < m_thread->steps.size())
        {
            Fill(operation);
            return true;
        }
        m_thread.reset();
        return false;
    }

  private:
    void Connect(TraceOperation& operation)
    {
        const Connection& connection = m_thread->connections[m_connection++];
        operation.kind = OperationKind::CONTROL;
        operation.object = connection.number;
        operation.control = {ControlVerb::CREATE, ObjectKind::QUEUE_PAIR, connection.detail};
    }

    void Fill(TraceOperation& operation)
    {
        const ScheduleStep& step = m_thread->steps[m_step];
        operation.kind = step.kind;
        operation.opcode = step.opcode;
        operation.object = step.connection;
        operation.other = step.processor;
        operation.count = step.tag;
        operation.timeNs = step.timeNs;
        operation.dependenciesNeeded = step.enoughOf;
        if (step.kind == OperationKind::COMPUTE)
        {
            operation.durationNs = static_cast<int64_t>(step.amount);
        }
        else
        {
            operation.bytes = step.amount;
        }
        m_dependencies.clear();
        for (; m_wait < m_thread->waits.size() && m_thread->waits[m_wait].step == m_step; m_wait++)
        {
            const Wait& wait = m_thread->waits[m_wait];
            m_dependencies.push_back(
                {wait.onThread,
                 wait.event,
                 uint64_t{(*m_connectionCounts)[wait.onThread]} + wait.onStep});
        }
        operation.dependencies = m_dependencies;
        m_step++;
    }

    std::shared_ptr<MessageSchedule::Thread> m_thread;
    std::shared_ptr<const std::vector<uint32_t>> m_connectionCounts; ///< by thread
    std::size_t m_connection{0};
    std::size_t m_step{0};
    std::size_t m_wait{0};
    std::vector<Dependency> m_dependencies;
};

/** Lets the steps of a schedule begin and end in thought, to find those that never do. */
class Rehearsal
{
  public:
    using Threads = std::vector<std::shared_ptr<MessageSchedule::Thread>>;
    using Pairs = std::vector<std::pair<ScheduleStepId, ScheduleStepId>>;

    Rehearsal(const Threads& threads, const Pairs& pairs)
    {
        std::size_t count = 0;
        for (const auto& thread : threads)
        {
            m_first.push_back(count);
            count += thread->steps.size();
        }
        m_first.push_back(count);
        for (uint32_t thread = 0; thread < threads.size(); thread++)
        {
            for (const Wait& wait : threads[thread]->waits)
            {
                AddEdge({thread, wait.step}, {wait.onThread, wait.onStep});
            }
        }
        for (const auto& [receive, message] : pairs)
        {
            AddEdge(receive, message);
        }
        CountMissing(threads);
        SortDependents();
    }

    std::vector<ScheduleStepId> FindCircle()
    {
        Run();
        const std::vector<std::size_t> blockers = FindBlockers();
        const auto stuck = std::ranges::find_if(m_missing, [](int64_t count) { return count > 0; });
        std::vector<std::size_t> way;
        std::vector<bool> isOnWay(m_missing.size());
        auto step = static_cast<std::size_t>(stuck - m_missing.begin());
        while (step < m_missing.size() && !isOnWay[step])
        {
            isOnWay[step] = true;
            way.push_back(step);
            step = m_missing[step] == NEVER ? step : blockers[step];
        }
        way.erase(way.begin(), std::ranges::find(way, step));
        std::vector<ScheduleStepId> circle;
        for (const std::size_t i : way)
        {
            circle.push_back(GetId(i));
        }
        return circle;
    }

  private:
    /** That one step waits for another; numbers among all steps. */
    struct Edge
    {
        std::size_t step;
        std::size_t on;
    };

    void AddEdge(ScheduleStepId step, ScheduleStepId on)
    {
        m_edges.push_back({m_first[step.thread] + step.step, m_first[on.thread] + on.step});
    }

    /** How many dependencies each step waits for; one that cannot have enough waits for ever. */
    void CountMissing(const Threads& threads)
    {
        m_missing.assign(m_first.back(), 0);
        for (const Edge& edge : m_edges)
        {
            m_missing[edge.step]++;
        }
        std::size_t step = 0;
        for (const auto& thread : threads)
        {
            for (const ScheduleStep& content : thread->steps)
            {
                int64_t& missing = m_missing[step++];
                const int64_t enough = content.enoughOf;
                missing = enough == 0 ? missing : enough <= missing ? enough : NEVER;
            }
        }
    }

    void SortDependents()
    {
        m_dependentsOf.assign(m_missing.size() + 1, 0);
        for (const Edge& edge : m_edges)
        {
            m_dependentsOf[edge.on + 1]++;
        }
        for (std::size_t step = 1; step < m_dependentsOf.size(); step++)
        {
            m_dependentsOf[step] += m_dependentsOf[step - 1];
        }
        m_dependents.resize(m_dependentsOf.back());
        std::vector<std::size_t> next(m_dependentsOf.begin(), m_dependentsOf.end() - 1);
        for (const Edge& edge : m_edges)
        {
            m_dependents[next[edge.on]++] = edge.step;
        }
    }

    void Run()
    {
        std::deque<std::size_t> ready;
        for (std::size_t step = 0; step < m_missing.size(); step++)
        {
            if (m_missing[step] == 0)
            {
                ready.push_back(step);
            }
        }
        for (; !ready.empty(); ready.pop_front())
        {
            const std::size_t step = ready.front();
            for (std::size_t i = m_dependentsOf[step]; i < m_dependentsOf[step + 1]; i++)
            {
                int64_t& missing = m_missing[m_dependents[i]];
                missing -= missing == NEVER ? 0 : 1;
                if (missing == 0)
                {
                    ready.push_back(m_dependents[i]);
                }
            }
        }
    }

    /** For each step that has not begun, one that it waits for and that has not begun either. */
    std::vector<std::size_t> FindBlockers() const
    {
        std::vector<std::size_t> blockers(m_missing.size(), 0);
        for (const Edge& edge : m_edges)
        {
            if (m_missing[edge.on] > 0)
            {
                blockers[edge.step] = edge.on;
            }
        }
        return blockers;
    }

    ScheduleStepId GetId(std::size_t step) const
    {
        const auto after = std::ranges::upper_bound(m_first, step);
        const auto thread = static_cast<uint32_t>(after - m_first.begin() - 1);
        return {thread, static_cast<uint32_t>(step - m_first[thread])};
    }

    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    std::vector<Edge> m_edges;
    std::vector<std::size_t> m_first;        ///< number of a thread's first step in all steps
    std::vector<int64_t> m_missing;          ///< dependencies that a step still waits for
    std::vector<std::size_t> m_dependents;   ///< steps, grouped by what they wait for
    std::vector<std::size_t> m_dependentsOf; ///< where a step's group begins
};

} // namespace

MessageSchedule::MessageSchedule(TraceTiming timing)
{
    m_trace.timing = timing;
}

MessageSchedule::~MessageSchedule() = default;

uint32_t
MessageSchedule::AddProcess(std::string name, std::string host)
{
    m_trace.processes.push_back({std::move(name), std::move(host), {}, 0});
    m_connectionCounts.push_back(0);
    return static_cast<uint32_t>(m_trace.processes.size() - 1);
}

uint32_t
MessageSchedule::AddThread(uint32_t process, std::string name)
{
    m_trace.threads.push_back({process, std::move(name), ThreadOrder::GRAPH, nullptr});
    m_threads.push_back(std::make_shared<Thread>());
    return static_cast<uint32_t>(m_threads.size() - 1);
}

void
MessageSchedule::AddProcesses(const std::string& prefix, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
    {
        AddThread(AddProcess(prefix + std::to_string(i)), std::to_string(i));
    }
}

ObjectId
MessageSchedule::Connect(uint32_t thread, const ConnectionDetail& detail)
{
    const ObjectId number = m_connectionCounts[m_trace.threads[thread].process]++;
    m_threads[thread]->connections.push_back({number, detail});
    return number;
}

ScheduleStepId
MessageSchedule::Add(uint32_t thread, const ScheduleStep& step)
{
    auto& steps = m_threads[thread]->steps;
    steps.push_back(step);
    return {thread, static_cast<uint32_t>(steps.size() - 1)};
}

void
MessageSchedule::Depend(ScheduleStepId step, ScheduleStepId on, DependencyEvent event)
{
    m_threads[step.thread]->waits.push_back({step.step, on.thread, on.step, event});
}

const ScheduleStep&
MessageSchedule::Get(ScheduleStepId id) const
{
    return m_threads[id.thread]->steps[id.step];
}

void
MessageSchedule::SetEnough(ScheduleStepId id, uint32_t enoughOf)
{
    m_threads[id.thread]->steps[id.step].enoughOf = enoughOf;
}

uint32_t
MessageSchedule::CountSteps(uint32_t thread) const
{
    return static_cast<uint32_t>(m_threads[thread]->steps.size());
}

std::vector<ScheduleStepId>
MessageSchedule::FindCircle() const
{
    return Rehearsal{m_threads, m_pairs}.FindCircle();
}

std::string
MessageSchedule::DescribeCircle(std::span<const ScheduleStepId> circle, const char* noun) const
{
    constexpr std::size_t SHOWN = 8;
    const auto name = [&](ScheduleStepId id)
    { return std::string{noun} + " " + std::to_string(Get(id).place); };
    std::string way = name(circle.front());
    for (const ScheduleStepId id : circle.subspan(1, std::min(circle.size(), SHOWN) - 1))
    {
        way += " waits for " + name(id);
    }
    if (circle.size() > SHOWN)
    {
        way += " waits for " + std::to_string(circle.size() - SHOWN) + " more";
    }
    return way + " waits for " + name(circle.front());
}

Trace
MessageSchedule::Take()
{
    auto counts = std::make_shared<std::vector<uint32_t>>();
    for (const auto& thread : m_threads)
    {
        counts->push_back(static_cast<uint32_t>(thread->connections.size()));
    }
    for (std::size_t i = 0; i < m_threads.size(); i++)
    {
        std::ranges::stable_sort(m_threads[i]->waits, {}, &Wait::step);
        m_trace.threads[i].operations =
            std::make_unique<ScheduleStream>(std::move(m_threads[i]), counts);
    }
    m_threads.clear();
    return std::move(m_trace);
}

} // namespace ns3::rdma
