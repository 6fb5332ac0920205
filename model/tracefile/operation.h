// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/control.h"

#include <cstdint>
#include <span>

/**
 * The canonical operation: what a program did, one call of the verbs or one step of a schedule
 * each.
 *
 * Every reader of traces yields these, the trace format stores these, and the replay knows nothing
 * else. No ns-3 is in it, because the recorder shares it; values of enumerations are rdma-core's.
 *
 * A trace is a set of threads, each a sequence of operations in the order in which it did them
 * (operation-stream.h). What an operation waited for is explicit:
 *
 *     program      post   poll poll poll+1   post
 *     operations   POST_SEND   COMPLETION    POST_SEND
 *     depends on               (the wire)    the COMPLETION before it
 *
 * A COMPLETION is never a cause by itself: the replay waits until the simulated device has it, and
 * what depends on it moves with it. Empty polls before it tell the replay when waiting began.
 * Schedules (GOAL, htsim's triggers, flow lists) have no completions in their files; there
 * MESSAGE and COMPUTE depend on each other directly, also across threads.
 */
namespace ns3::rdma
{

enum class OperationKind : uint8_t
{
    NONE = 0,
    POST_SEND = 1,           ///< one work request; object: queue pair
    POST_RECEIVE = 2,        ///< one work request; object: queue pair
    POST_SHARED_RECEIVE = 3, ///< one work request; object: shared receive queue
    COMPLETION = 4,          ///< one entry taken from a completion queue; object: queue pair
    EMPTY_POLLS = 5,         ///< count polls in a row that found nothing; object: completion queue
    ARM = 6,                 ///< ibv_req_notify_cq; object: completion queue
    CQ_EVENT = 7,            ///< ibv_get_cq_event returned; object: completion queue
    ACK_CQ_EVENTS = 8,       ///< count events; object: completion queue
    CONTROL = 9,             ///< whatever creates, changes or destroys; see TraceOperation::control
    /** A whole transfer of a schedule, with no work request in the file; object: see Message. */
    MESSAGE = 10,
    /** The receiver of a MESSAGE takes part: ends when that message has arrived whole. */
    MESSAGE_RECEIVE = 11,
    COMPUTE = 12, ///< nothing but time: lasts durationNs
};

/** What a dependency waits for. */
enum class DependencyEvent : uint8_t
{
    END,   ///< the other has ended: completed, acknowledged, received, computed (GOAL "requires")
    START, ///< the other has begun (GOAL "irequires")
};

/** That an operation begins only after another. */
struct Dependency
{
    uint32_t thread{0}; ///< index into Trace::threads
    DependencyEvent event{DependencyEvent::END};
    uint64_t operation{0}; ///< its number in that thread, from 0

    bool operator==(const Dependency&) const = default;
};

/**
 * One operation. Fields that its kind does not have are zero.
 *
 * Streams fill the same object again and again: nothing is allocated for what the data path does.
 */
struct TraceOperation
{
    OperationKind kind{OperationKind::NONE};
    uint8_t opcode{
        0}; ///< POST_SEND: ibv_wr_opcode; COMPLETION: ibv_wc_opcode; MESSAGE: as POST_SEND
    uint8_t flags{
        0}; ///< POST_SEND: ibv_send_flags; COMPLETION: ibv_wc_flags; ARM: 1 solicited only
    uint8_t status{0};   ///< COMPLETION: ibv_wc_status
    uint8_t elements{0}; ///< scatter/gather elements; 255: that many or more
    int16_t result{0};   ///< what the call returned; 0: success
    ObjectId object{NO_OBJECT};
    int64_t timeNs{0}; ///< when the call began, by the clock of its process; since Trace::originNs
    int64_t durationNs{0}; ///< of the call itself, where it is known; COMPUTE: how long
    uint64_t wrId{0};
    uint64_t bytes{0};         ///< sum of the elements; COMPLETION: byte_len; MESSAGE: any length
    uint64_t localAddress{0};  ///< of the first element
    uint64_t remoteAddress{0}; ///< WRITE, READ, atomics
    uint64_t compareAdd{0};    ///< atomics
    uint64_t swap{0};          ///< compare and swap
    uint32_t localKey{0};      ///< of the first element
    uint32_t rkey{0};          ///< WRITE, READ, atomics; SEND_WITH_INV, LOCAL_INV: the key
    uint32_t immediate{0};     ///< host order
    uint32_t remoteQp{0};      ///< UD: where it goes to; COMPLETION: src_qp
    uint32_t count{0};         ///< EMPTY_POLLS, ACK_CQ_EVENTS; MESSAGE, MESSAGE_RECEIVE: tag
    /**
     * UD: address handle; COMPLETION: completion queue; BIND_MW: window; CONTROL that creates: the
     * device that the object is of, NO_OBJECT: unknown.
     *
     * MESSAGE, MESSAGE_RECEIVE, COMPUTE: a processor of the process, NO_OBJECT: none. COMPUTE
     * holds it for durationNs; a MESSAGE begins, and a MESSAGE_RECEIVE ends, only while none holds
     * it. Who became ready first goes first; at one instant in the order of these three kinds, then
     * of their numbers.
     */
    ObjectId other{NO_OBJECT};
    Control control{}; ///< of CONTROL only; else whatever was there before
    /** What it waits for besides its turn in the thread; valid until the next Next. */
    std::span<const Dependency> dependencies{};
    /** How many of the dependencies must have come about before it begins; 0: all of them. */
    uint32_t dependenciesNeeded{0};
};

} // namespace ns3::rdma
