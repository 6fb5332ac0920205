// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "live/raw-operation.h"
#include "live/tick-clock.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ns3::rdma
{

/**
 * What one thread of the program did and nobody has written yet: a ring that the thread fills and
 * the writer empties.
 *
 * The memory is touched beforehand, so that no page fault falls into a call that is measured.
 * Operations become visible to the writer when the outermost Open of them is closed.
 *
 * @choice a ring of plain words, encoded by a thread of its own: encoding costs several times the
 *         copy, and writing a block stalls the caller for as long as the disk takes
 */
class ThreadLog
{
  public:
    static constexpr uint32_t SLOTS = 32768; ///< 2 MiB

    /** Ring memory, touched; nullptr if there is none. Free with FreeSlots. */
    static RawOperation* MakeSlots();
    static void FreeSlots(RawOperation* slots);

    /** @param slots from MakeSlots; belongs to the log from now on */
    explicit ThreadLog(RawOperation* slots);
    ~ThreadLog();
    ThreadLog(const ThreadLog&) = delete;
    ThreadLog& operator=(const ThreadLog&) = delete;

    // What the thread itself calls.

    /** Begins an operation; may be nested. What was counted of empty polls is written first. */
    void Open()
    {
        ++m_depth;
        if (m_hasRuns)
        {
            CloseRuns();
        }
    }

    /** The next slot, of kind NONE; valid until Close. Only after Open. */
    RawOperation* Reserve()
    {
        if (m_reserved == m_limit) [[unlikely]]
        {
            if (!MakeRoom(1))
            {
                return Lose();
            }
        }
        RawOperation* slot = &m_slots[m_reserved & MASK];
        ++m_reserved;
        slot->kind = OperationKind::NONE;
        slot->slots = 1;
        return slot;
    }

    /** As above, with room for what follows it: `count` slots in a row, at most MAX_SLOTS. */
    RawOperation* Reserve(uint32_t count);

    /** Where the next slot will be. */
    uint64_t GetPosition() const
    {
        return m_reserved;
    }

    /** Hands operations that were reserved since then to visitor(RawOperation*). */
    template <typename Visitor>
    void Revisit(uint64_t position, Visitor visitor)
    {
        while (position < m_reserved)
        {
            RawOperation* raw = &m_slots[position & MASK];
            position += raw->slots;
            if (raw->kind != OperationKind::NONE)
            {
                visitor(raw);
            }
        }
    }

    /** Ends an operation; after the outermost the writer sees all of it. */
    void Close()
    {
        if (--m_depth == 0)
        {
            m_published.store(m_reserved, std::memory_order_release);
            if (g_writesAtOnce.load(std::memory_order_relaxed)) [[unlikely]]
            {
                WriteAtOnce();
            }
        }
    }

    /** Counts a poll of a completion queue that found nothing. */
    void CountEmptyPoll(ObjectId queue)
    {
        EmptyRun& run = m_runs[queue % RUNS];
        if (run.queue == queue && run.count != 0) [[likely]]
        {
            ++run.count;
            return;
        }
        StartRun(run, queue);
    }

    /** The thread ends: what it has becomes visible, finished or not. */
    void End();

    // What the writer calls.

    /**
     * Hands published operations to visitor(const RawOperation*), oldest first.
     *
     * @param until ticks; the first operation that is later, and all behind it, stay
     * @return how many slots were emptied
     */
    template <typename Visitor>
    uint32_t Take(uint64_t until, Visitor visitor)
    {
        const uint64_t first = m_taken.load(std::memory_order_relaxed);
        const uint64_t end = m_published.load(std::memory_order_acquire);
        uint64_t at = first;
        while (at != end)
        {
            const RawOperation* raw = &m_slots[at & MASK];
            if (raw->kind != OperationKind::NONE)
            {
                if (raw->ticks > until)
                {
                    break;
                }
                visitor(raw);
            }
            at += raw->slots;
        }
        m_taken.store(at, std::memory_order_release);
        return static_cast<uint32_t>(at - first);
    }

    /** Whether the writer has taken all that is visible. */
    bool IsEmpty() const
    {
        return m_taken.load(std::memory_order_relaxed) ==
               m_published.load(std::memory_order_acquire);
    }

    /** Whether the thread has ended. */
    bool HasEnded() const
    {
        return m_hasEnded.load(std::memory_order_acquire);
    }

    /** Operations that found no room. */
    uint64_t GetLost() const
    {
        return m_lost.load(std::memory_order_relaxed);
    }

    static constexpr uint32_t MAX_SLOTS = 8;

    /** Whether each operation is written when it is closed: the program is about to end. */
    static std::atomic<bool> g_writesAtOnce;

    /** Call within verbs calls of the outermost hook: inner ones are the library's own. */
    bool m_isInsideVerbs{false};

  private:
    static constexpr uint64_t MASK = SLOTS - 1;
    static constexpr uint32_t RUNS = 8;

    struct EmptyRun
    {
        ObjectId queue{NO_OBJECT};
        uint64_t count{0};
        uint64_t ticks{0};
    };

    void CloseRuns();
    void StartRun(EmptyRun& run, ObjectId queue);
    bool MakeRoom(uint32_t count);
    RawOperation* Lose();
    void WriteAtOnce();

    RawOperation* m_slots;
    uint64_t m_reserved{0};
    uint64_t m_limit{SLOTS}; ///< what may be reserved before the writer is looked at again
    uint32_t m_depth{0};
    bool m_hasRuns{false};
    std::array<EmptyRun, RUNS> m_runs{};
    std::array<RawOperation, MAX_SLOTS> m_scratch{}; ///< where lost operations go
    std::atomic<uint64_t> m_lost{0};
    std::atomic<bool> m_hasEnded{false};
    alignas(64) std::atomic<uint64_t> m_published{0};
    alignas(64) std::atomic<uint64_t> m_taken{0};
};

} // namespace ns3::rdma
