// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "workload/replay-process.h"
#include "workload/replay-thread.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

class ReplayEngine;

/**
 * A thread of a recorded program: one operation after the other.
 *
 * What the program did between two operations is kept (scaled), and begins when the first has
 * ended, or when that which the program waited for in between has come about: its last cause by
 * the times of the recording. Empty polls before a completion, and waiting for an event, are no
 * such time; they end when the simulated completion is there. A thread that takes no completions
 * itself goes on only when the other threads of its process have taken all that they had taken in
 * the recording by then.
 *
 * @choice an event of a completion channel comes when the completion that the program finds behind
 * it is there; one behind which it finds none is not waited for
 */
class ProgramThread : public ReplayThread
{
  public:
    /** @param thread of the engine's trace, whose operations it reads */
    ProgramThread(ReplayEngine& engine, uint32_t thread);

    /** Threads of its process that it looks at if it takes no completions; they outlive it. */
    void Follow(const std::vector<ProgramThread*>& threads)
    {
        m_followed = threads;
    }

    void Run(SimTime now) override;

    bool HasReached(uint64_t operation, DependencyEvent event) const override
    {
        return m_number > operation ||
               (event == DependencyEvent::START && m_hasBegun && m_number == operation);
    }

    void Await(const Dependency& what, ReplayThread& waiter, uint64_t operation) override;
    void OnReached(uint64_t operation) override;

    bool HasEnded() const override
    {
        return m_step == Step::ENDED;
    }

    bool HasPlans() const override
    {
        return m_event.IsPending();
    }

    std::string DescribeWait() const override;

  private:
    enum class Step : uint8_t
    {
        FETCH,  ///< the next operation is to be read
        CAUSES, ///< it waits for operations of other threads
        DUE,    ///< it begins when its time has come
        BEGIN,  ///< it waits for what the device has to say
        ENDED,
    };

    /** What BEGIN waits for. */
    enum class Wait : uint8_t
    {
        NONE,
        COMPLETION,
        PEER, ///< whose queue pair is to be connected
        KEY,  ///< of memory that the peer registers
        ROOM, ///< in a queue
    };

    /** A moment in the recording and the same in the replay. */
    struct Moment
    {
        int64_t recordedNs{0};
        SimTime replayed{};
    };

    struct Slot
    {
        TraceOperation operation;
        std::vector<Dependency> dependencies;
    };

    struct Waiter
    {
        Dependency what;
        ReplayThread* thread{nullptr};
        uint64_t operation{0};
    };

    static constexpr uint32_t WINDOW = 16; ///< operations that are read ahead, at most
    static constexpr uint32_t MOMENTS = 64;

    const TraceOperation& Current() const
    {
        return m_current->operation;
    }

    // Reading (program-thread.cc)
    void OnDue(SimTime now);
    bool Advance(SimTime now);
    bool ReadAhead();
    bool Fetch(SimTime now);
    void Finish(SimTime now);
    void Leave(SimTime now);
    void TellWaiters();   ///< those of operations that have been reached
    void WakeFollowers(); ///< it has come to another operation

    // Times (program-thread-times.cc)
    bool AreCausesMet();
    SimTime ComputeDue(SimTime now);
    int64_t GetCursorNs() const;
    const Moment* FindTaken(int64_t beforeNs) const;
    void Remember(SimTime now);

    // Doing (program-thread-calls.cc)
    bool Begin(SimTime now);
    bool BeginSend(SimTime now);
    bool BeginReceive(SimTime now);
    bool BeginSharedReceive();
    bool BeginCompletion();
    bool BeginEvent();
    bool Posted(VerbsError error, ProgramQueuePair* pair, const char* what);
    bool WaitFor(Wait wait, ProgramQueuePair& pair);
    const TraceOperation* FindCompletionAhead(ObjectId queue);

    ReplayEngine& m_engine;
    OperationStream& m_stream;
    uint32_t m_thread;
    uint32_t m_process;
    ReplayProcess* m_objects{nullptr};
    ReplayFigures& m_figures;
    Event m_event;
    Step m_step{Step::FETCH};
    Wait m_wait{Wait::NONE};
    bool m_hasBegun{false};  ///< the current operation
    bool m_isPolling{false}; ///< the last operation was one of empty polls
    bool m_isBlocked{false};
    bool m_isExhausted{false};
    uint64_t m_number{0};     ///< of the current operation
    uint64_t m_causesLeft{0}; ///< of it
    bool m_hasCauses{false};  ///< they have been asked for
    int64_t m_recordedNs{0};  ///< when the current operation was recorded
    Moment m_last;            ///< end of the operation before
    SimTime m_due{};
    SimTime m_blocked{}; ///< since when it waits
    uint32_t m_first{0}; ///< of the operations read ahead
    uint32_t m_count{0};
    std::array<Slot, WINDOW> m_slots;
    const Slot* m_current{m_slots.data()}; ///< the first
    std::array<Moment, MOMENTS> m_taken{}; ///< of completions
    uint64_t m_takenCount{0};
    std::vector<ProgramThread*> m_followed;
    std::vector<ReplayThread*> m_followers; ///< that wait until this one has gone on
    std::vector<Waiter> m_waiters;
};

} // namespace ns3::rdma
