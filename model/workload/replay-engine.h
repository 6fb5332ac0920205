// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/quantity.h"
#include "engine/event-queue.h"
#include "workload/application.h"
#include "workload/replay-interface.h"
#include "workload/replay-mapping.h"
#include "workload/replay-statistics.h"
#include "workload/replay-survey.h"
#include "workload/replay-thread.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3::rdma
{

class MessageFabric;
class ReplayProcess;
class ReplayProcessor;

/** Which times of the trace count. */
enum class ReplayMode : uint8_t
{
    RECORDED,  ///< operations begin at their recorded times, whatever the network does
    DEPENDENT, ///< what is between operations is kept, waits are those of the simulated network
    FAST,      ///< nothing is between operations: they begin as soon as what they wait for is there
};

/** How a trace is replayed. */
struct ReplaySettings
{
    ReplayMode mode{ReplayMode::DEPENDENT};
    Fraction computeScale{1, 1};     ///< of what is between operations, and of COMPUTE
    std::optional<uint8_t> priority; ///< of all connections; nothing: as the trace has it
};

/**
 * Runs the threads of a trace on the verbs of a fabric.
 *
 *     thread of a program     one operation after the other: after the last one and what was
 *     (ProgramThread)         between, or when what it waits for is there
 *     thread of a schedule    operations that nothing holds back begin, in any order
 *     (GraphThread)
 *
 * What the device tells (completions, messages in memory) only wakes threads; they run in an event
 * at the same time, behind all that the fabric does then. So nothing is posted or destroyed while a
 * device handles something, and operations that become ready at one instant are known together.
 *
 * Queue pairs and their connections are there from the beginning; a program's first request waits
 * until its peer has come to where the trace connects it. Queue pairs are destroyed, or put into
 * error, when the trace says so and the peer's requests of the trace have arrived: in the recording
 * something outside of the verbs, such as a TCP connection, saw to that.
 */
class ReplayEngine
{
  public:
    struct Setup
    {
        ReplaySettings settings;
        const ReplaySurvey* survey{nullptr}; ///< outlives the engine
        ReplayPlaces places;
        /** Called once: when all threads have ended, or with why they cannot. */
        std::function<void(SimTime, const std::string&)> onDone;
    };

    /** @param environment outlives the engine */
    ReplayEngine(Setup setup, Trace trace, ApplicationEnvironment& environment);
    ~ReplayEngine();

    ReplayEngine(const ReplayEngine&) = delete;
    ReplayEngine& operator=(const ReplayEngine&) = delete;

    /** Makes and connects everything, and begins. @return why it cannot; empty if it can */
    std::string Start(SimTime now);

    const ReplaySettings& GetSettings() const
    {
        return m_setup.settings;
    }

    const ReplaySurvey& GetSurvey() const
    {
        return *m_setup.survey;
    }

    const Trace& GetTrace() const
    {
        return m_trace;
    }

    ApplicationEnvironment& GetEnvironment() const
    {
        return m_environment;
    }

    EventQueue& GetEvents() const
    {
        return m_events;
    }

    /** The interface that a device of a process stands for. @param device 0: that of schedules */
    ReplayInterface& GetInterface(uint32_t process, uint32_t device = 0)
    {
        return *m_interfaceOf[process][device];
    }

    ReplayThread& GetThread(uint32_t thread)
    {
        return *m_threads[thread];
    }

    ReplayProcess& GetProcess(uint32_t process)
    {
        return *m_processes[process];
    }

    /** A processor of a process, made when it is first asked for. */
    ReplayProcessor& GetProcessor(uint32_t process, ObjectId number);

    MessageFabric& GetMessages()
    {
        return *m_messages;
    }

    ReplayFigures& GetFigures(uint32_t process)
    {
        return m_figures[process];
    }

    ReplayStatistics& GetStatistics()
    {
        return m_statistics;
    }

    /** Puts a thread among those that run at the end of this instant. */
    void Wake(ReplayThread& thread);

    /** Asks for a call at the end of this instant, after all threads that run. */
    void DoLater(std::function<void(SimTime)> what);

    /** A thread whose own time has come; others that it wakes run after it. */
    void RunNow(ReplayThread& thread, SimTime now);

    /** Where a thread's own event stands among those of one time. */
    EventOrder GetOrder(uint32_t thread) const;

    /** Nanoseconds of the trace as simulated time, scaled as what is between operations. */
    SimTime Scale(int64_t ns) const;

    /** When an operation was recorded, since the first of all, by one clock. */
    int64_t Align(uint32_t process, int64_t timeNs) const;

    SimTime GetStart() const
    {
        return m_start;
    }

    /** A post or another call was refused by the device, and had not been in the recording. */
    void Refuse(uint32_t process, const std::string& why);

    void OnThreadEnded(uint32_t process, SimTime now);

    /** A completion has come that the trace had taken before. */
    void OnOwedCompletion();

    /** Something went wrong that the trace cannot go on with. */
    void Fail(SimTime now, const std::string& why);

    bool HasPlans() const;

    /** What the first threads wait for. */
    std::string DescribeWait() const;

    /** What a person should know of the run. */
    std::vector<std::string> GetNotes() const;

  private:
    std::string MakeInterfaces();
    std::string MakeInterface(const ReplayPlace& place, ReplayInterface*& made);
    void MakeThreads();
    void OnEvent(SimTime now);
    void Finish(SimTime now);
    void RunAll(SimTime now);
    void Plan(); ///< the event at the end of this instant

    Setup m_setup;
    Trace m_trace;
    ApplicationEnvironment& m_environment;
    EventQueue& m_events;
    ReplayStatistics m_statistics;
    std::vector<ReplayFigures> m_figures; ///< by process
    std::vector<uint32_t> m_running;      ///< threads of each process that have not ended
    std::map<uint32_t, std::unique_ptr<ReplayInterface>> m_interfaces; ///< by number in the fabric
    std::vector<std::vector<ReplayInterface*>> m_interfaceOf;          ///< by process and device
    std::vector<std::unique_ptr<ReplayProcess>> m_processes;
    std::unique_ptr<MessageFabric> m_messages;
    std::vector<std::unique_ptr<ReplayThread>> m_threads;
    std::vector<std::unique_ptr<ReplayProcessor>> m_processors;
    std::unordered_map<uint64_t, ReplayProcessor*> m_processorOf; ///< by process and number
    std::vector<ReplayThread*> m_runnable;
    std::vector<std::function<void(SimTime)>> m_later;
    std::vector<std::function<void(SimTime)>> m_laterRound;
    Event m_event;
    SimTime m_start{};
    uint64_t m_order{0}; ///< number of the first event
    uint32_t m_left{0};  ///< threads that have not ended
    bool m_isRunning{false};
    bool m_isDone{false};
};

} // namespace ns3::rdma
