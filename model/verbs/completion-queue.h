// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
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

/** Which completions an armed queue tells of. */
enum class Notify : uint8_t
{
    NONE,      ///< not armed
    NEXT,      ///< the next one
    SOLICITED, ///< the next that is solicited or an error
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
 * @spec IBTA Vol 1 Rel 1.7 section 10.2.6 and 11.2.8; ibv_create_cq(3), ibv_req_notify_cq(3)
 */
class CompletionQueue
{
  public:
    /**
     * @param capacity entries that it holds (cqe), from 1
     * @param channel  null: no events; it must be polled
     */
    CompletionQueue(uint32_t number, uint32_t capacity, CompletionChannel* channel);

    uint32_t GetNumber() const;

    /**
     * Adds a completion and raises the event that is due.
     *
     * @return false if the queue has overflowed: it is of no use any more (the device tells of it
     *         by an asynchronous event)
     */
    bool Push(const WorkCompletion& completion, bool isSolicited, SimTime now);

    /** Takes the oldest completions. @return how many were written to out */
    std::size_t Poll(std::span<WorkCompletion> out);

    /** Arms the queue (ibv_req_notify_cq). Entries already there raise no event. */
    void RequestNotify(Notify what);

    /** @error INVALID_ARGUMENT fewer than there are entries now */
    VerbsError Resize(uint32_t capacity);

    void SetModeration(const CompletionModeration& moderation);

    /** When the moderation's period ends; Never() while none runs. */
    SimTime GetDeadline() const;

    /** The moderation's period has ended. */
    void OnTimeout(SimTime now);

    uint32_t GetCount() const;
    uint32_t GetCapacity() const;
    bool HasOverflowed() const;
};

} // namespace ns3::rdma
