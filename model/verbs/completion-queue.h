// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "verbs/growing-ring.h"
#include "verbs/verbs-error.h"
#include "verbs/work-completion.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace ns3::rdma
{

class CompletionQueue;

/** Where events of completion queues go (a completion channel with its handler). */
class CompletionChannel
{
  public:
    virtual ~CompletionChannel() = default;

    /** A queue that was armed has something. It is no longer armed. */
    virtual void OnCompletionEvent(CompletionQueue& queue, SimTime now) = 0;
};

/** Which completions an armed queue tells of; each asks for more than the one before. */
enum class Notify : uint8_t
{
    NONE,      ///< not armed
    SOLICITED, ///< the next that is solicited or an error
    NEXT,      ///< the next one
};

/** Event moderation (ibv_modify_cq): an event after so many completions or after so long. */
struct CompletionModeration
{
    uint16_t count{0}; ///< completions; 0 and 1: each
    SimTime period{};  ///< since the first that no event has told of; 0: no time limit
};

/**
 * A completion queue: work completions in the order in which they came, and events.
 *
 * One request for notification gives one event. Only completions that come after the request raise
 * it, so an application polls once more after it has asked. Moderation puts the event off until
 * enough of them have come, or its period is over.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 10.2.6 and 11.2.8; ibv_create_cq(3), ibv_req_notify_cq(3)
 */
class CompletionQueue
{
  public:
    /**
     * @param capacity entries that it holds (cqe), from 1
     * @param channel  null: no events; it must be polled
     * @param maxCapacity entries to which it can be resized (max_cqe)
     */
    CompletionQueue(uint32_t number,
                    uint32_t capacity,
                    CompletionChannel* channel,
                    uint32_t maxCapacity = UINT32_MAX);

    uint32_t GetNumber() const;

    /**
     * Adds a completion and raises the event that is due.
     *
     * @param isSolicited of a receive whose message asked for an event; errors are solicited always
     * @return false if the queue is full, or was once: the completion is lost and the queue is of
     *         no use any more (the device tells of it by an asynchronous event). What was in it
     *         can still be polled.
     */
    bool Push(const WorkCompletion& completion, bool isSolicited, SimTime now);

    /** Takes the oldest completions. @return how many were written to out */
    std::size_t Poll(std::span<WorkCompletion> out);

    /**
     * Arms the queue (ibv_req_notify_cq). Entries already there raise no event.
     *
     * Of several requests without an event between them the one that asks for more holds.
     */
    void RequestNotify(Notify what);

    /** @error INVALID_ARGUMENT fewer than there are entries now, or 0; LIMIT_EXCEEDED */
    VerbsError Resize(uint32_t capacity);

    /** Holds from the next completion on; a period that runs keeps its end. */
    void SetModeration(const CompletionModeration& moderation);

    /** When the moderation's period ends; Never() while none runs. */
    SimTime GetDeadline() const;

    /** The moderation's period has ended. Nothing happens before its end. */
    void OnTimeout(SimTime now);

    uint32_t GetCount() const;
    uint32_t GetCapacity() const;
    bool HasOverflowed() const;

  private:
    void CountForEvent(SimTime now);
    void RaiseEvent(SimTime now);

    GrowingRing<WorkCompletion> m_entries;
    CompletionChannel* m_channel;
    CompletionModeration m_moderation;
    SimTime m_deadline{SimTime::Never()};
    uint32_t m_number;
    uint32_t m_capacity;
    uint32_t m_maxCapacity;
    uint32_t m_untold{0}; ///< completions since the queue was armed that the event will tell of
    Notify m_armed{Notify::NONE};
    bool m_hasOverflowed{false};
};

} // namespace ns3::rdma
