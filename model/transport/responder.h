// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "transport/rc-policy.h"
#include "verbs/memory-table.h"
#include "verbs/queue-pair-attributes.h"
#include "verbs/receive-queue.h"
#include "verbs/work-completion.h"
#include "wire/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ns3::rdma
{

/** A packet that answers a request. */
struct OutgoingResponse
{
    Opcode opcode{Opcode::RC_ACKNOWLEDGE};
    Psn psn{};
    Aeth aeth{};                ///< where the opcode carries one
    uint64_t atomicOriginal{0}; ///< ATOMIC Acknowledge
    uint32_t payloadBytes{0};   ///< READ response
    uint64_t address{0};        ///< READ response: where its payload stands
    uint32_t rkey{0};

    bool operator==(const OutgoingResponse&) const = default;
};

/** What became of a request packet. */
enum class RequestVerdict : uint8_t
{
    EXECUTED,        ///< in order: its payload is delivered
    DUPLICATE,       ///< seen before: answered again, not executed
    OUT_OF_SEQUENCE, ///< behind a gap: discarded
    NOT_READY,       ///< no receive request: discarded, to be sent again
    INVALID,         ///< may not stand here, or not allowed: discarded; the queue pair fails
    IGNORED,         ///< the queue pair is in error, or the duplicate cannot be answered
};

struct ResponderOutcome
{
    RequestVerdict verdict{RequestVerdict::EXECUTED};
    bool completesMessage{false};      ///< the last packet of a request message was executed
    uint64_t deliveredMessageBytes{0}; ///< its length; of a READ the length that it asked for
    bool completes{false};             ///< PopCompletion has something
    bool isSolicited{false};           ///< that completion is a solicited event
    bool fails{false};                 ///< the queue pair goes to ERR
    bool hasResponses{false};          ///< HasResponse holds: ask the port to pull
    std::optional<OutgoingResponse> answer{}; ///< to be sent at once

    bool operator==(const ResponderOutcome&) const = default;
};

/** What a responder needs of its queue pair; all of it outlives the responder. */
struct ResponderContext
{
    const RcPolicy* policy{nullptr};
    const QueuePairAttributes* attributes{nullptr};
    MemoryTable* memory{nullptr};
    ReceiveQueue* receives{nullptr};
    uint32_t protectionDomain{0};
    Qpn qpn{};
    bool isReceiveQueueShared{false}; ///< not flushed; grants no credits
};

/**
 * The responder of a reliable connection: executes request packets in PSN order and answers them.
 *
 * Answers leave in the order of the requests. An ACK, NAK or atomic response is returned at once
 * (outcome.answer) while no READ response waits; behind waiting READ responses it waits too, and
 * all are pulled by NextResponse.
 */
class Responder
{
  public:
    explicit Responder(const ResponderContext& context);

    /** The first packet must have this PSN (rq_psn). */
    void Start(Psn initialPsn);

    /**
     * A request packet has arrived whole.
     *
     * @param payload its bytes; empty where they are synthetic
     */
    ResponderOutcome OnRequest(const Frame& frame, std::span<const std::byte> payload);

    /** Whether a READ response, or an answer behind one, waits to be sent. */
    bool HasResponse() const;

    /** Makes the next of them; only when HasResponse. */
    OutgoingResponse NextResponse();

    /** The next completion of the receive queue. */
    std::optional<WorkCompletion> PopCompletion();

    /** Goes to the error state: posted receives are flushed (not those of a shared queue). */
    bool Flush();

    bool IsInError() const;

    uint32_t GetMsn() const;    ///< completed messages, 24 bits
    Psn GetExpectedPsn() const; ///< rq_psn of a query
};

} // namespace ns3::rdma
