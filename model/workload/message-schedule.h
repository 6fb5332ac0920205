// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation-stream.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** One step of a schedule: a message, the receiver's part in one, or time spent. */
struct ScheduleStep
{
    OperationKind kind{OperationKind::MESSAGE}; ///< MESSAGE, MESSAGE_RECEIVE or COMPUTE
    uint8_t opcode{0};                          ///< MESSAGE: ibv_wr_opcode; 0 is RDMA WRITE
    ObjectId connection{NO_OBJECT};             ///< from MessageSchedule::Connect; not of COMPUTE
    ObjectId processor{NO_OBJECT};              ///< TraceOperation::other
    uint32_t tag{0};
    uint64_t amount{0};   ///< bytes; COMPUTE: nanoseconds
    int64_t timeNs{0};    ///< earliest start
    uint64_t place{0};    ///< line or offset in the file, for messages
    uint32_t enoughOf{0}; ///< TraceOperation::dependenciesNeeded
};

/** Where a step is: its thread, and its number among the steps of that thread, from 0. */
struct ScheduleStepId
{
    uint32_t thread{0};
    uint32_t step{0};

    auto operator<=>(const ScheduleStepId&) const = default;
};

/**
 * Messages, computations and what they wait for, collected by a reader of a file that has no verbs
 * calls; becomes a Trace of GRAPH threads.
 *
 * A thread of the trace first connects to all its peers, then has its steps in the order in which
 * they were added. Takes 56 bytes a step and 16 a dependency; a thread's steps are given up when
 * its stream has ended.
 */
class MessageSchedule
{
  public:
    static constexpr uint32_t MAX_STEPS = 1U << 31; ///< of a thread

    explicit MessageSchedule(TraceTiming timing);
    ~MessageSchedule();

    /** Adds a process. @return its index */
    uint32_t AddProcess(std::string name, std::string host = "");

    /** Adds a thread of a process. @return its index */
    uint32_t AddThread(uint32_t process, std::string name);

    /** Adds a process for each number below a count, each with one thread of the same index. */
    void AddProcesses(const std::string& prefix, uint32_t count);

    /** A connection of its own: its messages wait for those of no other. */
    ObjectId Connect(uint32_t thread, const ConnectionDetail& detail);

    /** Appends a step. */
    ScheduleStepId Add(uint32_t thread, const ScheduleStep& step);

    /** Says that one step begins only after another has begun (START) or ended (END). */
    void Depend(ScheduleStepId step, ScheduleStepId on, DependencyEvent event);

    /**
     * Says which message a receive takes, where that is known: it cannot end before the message has
     * begun. Only FindCircle looks at it.
     */
    void Pair(ScheduleStepId receive, ScheduleStepId message)
    {
        m_pairs.emplace_back(receive, message);
    }

    const ScheduleStep& Get(ScheduleStepId id) const;

    /** Changes how many dependencies are enough for a step. */
    void SetEnough(ScheduleStepId id, uint32_t enoughOf);

    /** How many steps a thread has. */
    uint32_t CountSteps(uint32_t thread) const;

    void Note(std::string text)
    {
        m_trace.notes.push_back(std::move(text));
    }

    /**
     * Steps that can never begin because each waits for the next and the last for the first; or one
     * step that needs more dependencies than it has. Empty if there are none. Says nothing of
     * receivers of messages that nobody sends, nor of circles through messages but those of Pair.
     */
    std::vector<ScheduleStepId> FindCircle() const;

    /** Such a circle in words: "line 4 waits for line 7 waits for line 4". */
    std::string DescribeCircle(std::span<const ScheduleStepId> circle, const char* noun) const;

    /** The trace; the schedule is empty then. */
    Trace Take();

    struct Thread; ///< steps, connections and dependencies of one thread

  private:
    Trace m_trace;
    std::vector<std::shared_ptr<Thread>> m_threads; ///< by index into Trace::threads
    std::vector<uint32_t> m_connectionCounts;       ///< by process
    std::vector<std::pair<ScheduleStepId, ScheduleStepId>> m_pairs; ///< receives and messages
};

} // namespace ns3::rdma
