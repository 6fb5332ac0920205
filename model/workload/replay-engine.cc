// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-engine.h"

#include "workload/graph-thread.h"
#include "workload/message-fabric.h"
#include "workload/program-thread.h"
#include "workload/replay-processor.h"

#include <algorithm>
#include <utility>

namespace ns3::rdma
{

namespace
{

/**
 * Numbers of the replay's events: behind all others of one time, those of each replay apart.
 *
 * A replay's first are its threads', then come those of processors, then the one that runs what was
 * woken.
 */
constexpr uint64_t FIRST_ID = uint64_t{1} << 54;
constexpr unsigned REPLAY_SHIFT = 26;
constexpr uint64_t PROCESSOR_ID = uint64_t{1} << 24;
constexpr uint64_t LAST_ID = (uint64_t{1} << REPLAY_SHIFT) - 1;

} // namespace

ReplayEngine::ReplayEngine(Setup setup, Trace trace, ApplicationEnvironment& environment)
    : m_setup{std::move(setup)},
      m_trace{std::move(trace)},
      m_environment{environment},
      m_events{environment.GetEvents()},
      m_figures(m_trace.processes.size()),
      m_running(m_trace.processes.size()),
      // A number that no other application of the run has.
      m_order{FIRST_ID + (uint64_t{environment.ReserveMark(nullptr)} << REPLAY_SHIFT)}
{
    m_event.Bind<&ReplayEngine::OnEvent>(this,
                                         EventOrder::Of(EventPhase::TIMER, m_order + LAST_ID));
}

ReplayEngine::~ReplayEngine() = default;

EventOrder
ReplayEngine::GetOrder(uint32_t thread) const
{
    return EventOrder::Of(EventPhase::TIMER, m_order + thread);
}

std::string
ReplayEngine::MakeInterface(const ReplayPlace& place, ReplayInterface*& made)
{
    const std::vector<ApplicationHost> hosts = m_environment.GetInterfaces(place.node);
    const ApplicationHost& host = hosts[place.interface % hosts.size()];
    auto& interface = m_interfaces[host.interface];
    std::string refusal;
    if (!interface)
    {
        interface = std::make_unique<ReplayInterface>(host);
        refusal = interface->SetUp();
    }
    made = interface.get();
    return refusal;
}

std::string
ReplayEngine::MakeInterfaces()
{
    for (const auto& places : m_setup.places)
    {
        auto& interfaces = m_interfaceOf.emplace_back();
        for (const ReplayPlace& place : places)
        {
            std::string refusal = MakeInterface(place, interfaces.emplace_back());
            if (!refusal.empty())
            {
                return refusal;
            }
        }
    }
    return "";
}

void
ReplayEngine::MakeThreads()
{
    std::vector<std::vector<ProgramThread*>> takers(m_trace.processes.size());
    std::vector<std::pair<uint32_t, ProgramThread*>> others;
    for (uint32_t number = 0; number < m_trace.threads.size(); ++number)
    {
        const TraceThread& thread = m_trace.threads[number];
        ++m_running[thread.process];
        if (thread.order == ThreadOrder::GRAPH)
        {
            m_threads.push_back(std::make_unique<GraphThread>(*this, number));
            continue;
        }
        auto program = std::make_unique<ProgramThread>(*this, number);
        if (GetSurvey().threads[number].completions > 0)
        {
            takers[thread.process].push_back(program.get());
        }
        else
        {
            others.emplace_back(thread.process, program.get());
        }
        m_threads.push_back(std::move(program));
    }
    for (const auto& [process, thread] : others)
    {
        thread->Follow(takers[process]);
    }
    m_left = static_cast<uint32_t>(m_threads.size());
}

std::string
ReplayEngine::Start(SimTime now)
{
    m_start = now;
    std::string refusal = MakeInterfaces();
    m_messages = std::make_unique<MessageFabric>(*this);
    for (uint32_t process = 0; process < m_trace.processes.size() && refusal.empty(); ++process)
    {
        m_processes.push_back(std::make_unique<ReplayProcess>(*this, process));
        refusal = m_processes.back()->Create();
    }
    for (std::size_t i = 0; i < m_processes.size() && refusal.empty(); ++i)
    {
        refusal = m_processes[i]->Connect(now);
    }
    if (!refusal.empty())
    {
        return refusal;
    }
    MakeThreads();
    for (uint32_t process = 0; process < m_running.size(); ++process)
    {
        if (m_running[process] == 0)
        {
            m_figures[process].end = SimTime{};
            m_processes[process]->OnEnded();
        }
    }
    for (const auto& thread : m_threads)
    {
        Wake(*thread);
    }
    return "";
}

ReplayProcessor&
ReplayEngine::GetProcessor(uint32_t process, ObjectId number)
{
    ReplayProcessor*& processor = m_processorOf[uint64_t{process} << 32 | number];
    if (processor == nullptr)
    {
        const uint64_t id = m_order + PROCESSOR_ID + m_processors.size();
        m_processors.push_back(
            std::make_unique<ReplayProcessor>(*this, EventOrder::Of(EventPhase::TIMER, id)));
        processor = m_processors.back().get();
    }
    return *processor;
}

void
ReplayEngine::Wake(ReplayThread& thread)
{
    if (thread.isQueued)
    {
        return;
    }
    thread.isQueued = true;
    m_runnable.push_back(&thread);
    Plan();
}

void
ReplayEngine::DoLater(std::function<void(SimTime)> what)
{
    m_later.push_back(std::move(what));
    Plan();
}

void
ReplayEngine::Plan()
{
    if (!m_isRunning && !m_event.IsPending())
    {
        m_events.Schedule(m_event, m_events.Now());
    }
}

void
ReplayEngine::RunNow(ReplayThread& thread, SimTime now)
{
    if (m_isDone)
    {
        return;
    }
    m_isRunning = true;
    thread.Run(now);
    m_isRunning = false;
    if (!m_runnable.empty() || !m_later.empty())
    {
        m_events.Schedule(m_event, now);
    }
}

void
ReplayEngine::OnEvent(SimTime now)
{
    m_isRunning = true;
    RunAll(now);
    m_isRunning = false;
}

void
ReplayEngine::RunAll(SimTime now)
{
    while (!m_isDone && (!m_runnable.empty() || !m_later.empty()))
    {
        // Threads wake others, and themselves again, while they run.
        for (std::size_t i = 0; i < m_runnable.size(); ++i)
        {
            ReplayThread& thread = *m_runnable[i];
            thread.isQueued = false;
            thread.Run(now);
        }
        m_runnable.clear();
        if (!m_later.empty())
        {
            m_laterRound.swap(m_later);
            for (const auto& what : m_laterRound)
            {
                what(now);
            }
            m_laterRound.clear();
        }
    }
}

SimTime
ReplayEngine::Scale(int64_t ns) const
{
    using Wide = unsigned __int128;
    constexpr uint64_t PS_PER_NS = 1000;
    const Fraction scale = m_setup.settings.computeScale;
    const Wide whole = static_cast<Wide>(std::max<int64_t>(ns, 0)) * PS_PER_NS;
    const bool isWhole =
        scale.numerator == scale.denominator; // No division then: it is most of it.
    const Wide scaled = isWhole ? whole : whole * scale.numerator / scale.denominator;
    return {static_cast<uint64_t>(std::min<Wide>(scaled, SimTime::Never().ps / 2))};
}

int64_t
ReplayEngine::Align(uint32_t process, int64_t timeNs) const
{
    const SurveyedProcess& surveyed = m_setup.survey->processes[process];
    return surveyed.clock.Apply(m_trace.processes[process].originNs + timeNs) -
           m_setup.survey->originNs;
}

void
ReplayEngine::OnThreadEnded(uint32_t process, SimTime now)
{
    --m_left;
    if (--m_running[process] == 0)
    {
        m_figures[process].end = now - m_start;
        m_processes[process]->OnEnded();
    }
    if (m_left > 0)
    {
        return;
    }
    // Completions that recorded times did not wait for.
    for (const auto& owner : m_processes)
    {
        if (owner->OwesCompletions())
        {
            return;
        }
    }
    Finish(now);
}

void
ReplayEngine::OnOwedCompletion()
{
    const bool owes = std::ranges::any_of(
        m_processes, [](const auto& owner) { return owner->OwesCompletions(); });
    if (m_left == 0 && !owes)
    {
        DoLater([this](SimTime later) { Finish(later); });
    }
}

void
ReplayEngine::Finish(SimTime now)
{
    if (!m_isDone)
    {
        m_isDone = true;
        m_setup.onDone(now, "");
    }
}

void
ReplayEngine::Refuse(uint32_t process, const std::string& why)
{
    ReplayFigures& figures = m_figures[process];
    figures.firstRefusal = figures.refused == 0 ? why : figures.firstRefusal;
    ++figures.refused;
}

void
ReplayEngine::Fail(SimTime now, const std::string& why)
{
    if (!m_isDone)
    {
        m_isDone = true;
        m_setup.onDone(now, why);
    }
}

bool
ReplayEngine::HasPlans() const
{
    const bool computes = std::ranges::any_of(
        m_processors, [](const auto& processor) { return processor->IsBusy(); });
    return !m_isDone &&
           (computes ||
            std::ranges::any_of(m_threads, [](const auto& thread) { return thread->HasPlans(); }));
}

std::string
ReplayEngine::DescribeWait() const
{
    constexpr std::size_t NAMED = 3;
    std::string text;
    std::size_t found = 0;
    for (const auto& thread : m_threads)
    {
        if (!thread->HasEnded() && ++found <= NAMED)
        {
            text += (text.empty() ? "" : "; ") + thread->DescribeWait();
        }
    }
    if (found > NAMED)
    {
        text += "; and " + std::to_string(found - NAMED) + " more threads";
    }
    return found == 0 ? "completions are still to come" : "has not ended: " + text;
}

std::vector<std::string>
ReplayEngine::GetNotes() const
{
    std::vector<std::string> notes = GetSurvey().notes;
    const bool wasCrowded =
        std::ranges::any_of(m_threads,
                            [](const auto& thread)
                            {
                                const auto* graph = dynamic_cast<const GraphThread*>(thread.get());
                                return graph != nullptr && graph->WasCrowded();
                            });
    if (wasCrowded)
    {
        notes.push_back("operations behind many thousands of their thread that had not ended may "
                        "have begun late");
    }
    for (uint32_t process = 0; process < m_figures.size(); ++process)
    {
        const ReplayFigures& figures = m_figures[process];
        if (figures.refused > 0)
        {
            notes.push_back(
                m_trace.processes[process].name + ": the device refused " +
                std::to_string(figures.refused) +
                " calls that had been taken in the recording, the first: " + figures.firstRefusal);
        }
    }
    return notes;
}

} // namespace ns3::rdma
