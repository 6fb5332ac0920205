// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "base/sim-time.h"
#include "transport/rc-policy.h"
#include "verbs/memory-table.h"
#include "verbs/queue-pair-attributes.h"
#include "verbs/send-request.h"
#include "verbs/work-completion.h"
#include "wire/frame.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace ns3::rdma
{

/** One request packet as the requester wants it sent. */
struct OutgoingRequest
{
    Opcode opcode{Opcode::RC_RDMA_WRITE_ONLY};
    Psn psn{};
    uint32_t payloadBytes{0};
    bool ackRequest{false};
    bool isSolicited{false};
    bool isRetransmission{false}; ///< its PSN was sent before
    Reth reth{};                  ///< valid where the opcode carries one, else zero
    uint32_t immediate{0};        ///< ImmDt or R_Key of an IETH, where the opcode carries one
    uint32_t entry{0};  ///< of the send queue, for GetAtomic and Gather; valid until the next call
    uint32_t offset{0}; ///< of its payload in the message

    bool operator==(const OutgoingRequest&) const = default;
};

/** What an answer, a timeout or a local operation did to the requester. */
struct RequesterOutcome
{
    uint64_t ackedBytes{0};  ///< payload newly acknowledged, or newly read
    bool goesBack{false};    ///< sending restarts at the oldest unacknowledged packet
    bool completes{false};   ///< PopCompletion has something
    bool isDuplicate{false}; ///< the answer told nothing new: it is a ghost
    bool fails{false};       ///< the queue pair goes to ERR

    bool operator==(const RequesterOutcome&) const = default;
};

/** What a requester needs of its queue pair; all of it outlives the requester. */
struct RequesterContext
{
    const RcPolicy* policy{nullptr};
    const QueuePairAttributes* attributes{nullptr}; ///< may change by a modify
    MemoryTable* memory{nullptr};
    uint32_t protectionDomain{0};
    Qpn qpn{};
    QueuePairCapabilities capabilities{};
    bool signalsAll{false}; ///< sq_sig_all
};

/**
 * The requester of a reliable connection, with its completer: turns work requests into packets,
 * and answers into completions.
 */
class Requester
{
  public:
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();

    explicit Requester(const RequesterContext& context);

    /** The first packet will have this PSN; before anything is posted. */
    void Start(Psn initialPsn);

    /**
     * Adds a list of work requests to the send queue.
     *
     * @param isHeld the requests wait in the queue until Release (host costs)
     * @error INVALID_ARGUMENT length, opcode, number of pieces, inline limit, misaligned atomic
     *        length; QUEUE_FULL
     *
     * In the error state requests are taken and flushed.
     */
    PostResult Post(std::span<const SendRequest> requests, bool isHeld = false);

    /** The oldest held requests may be sent. */
    void Release(uint32_t count);

    /** Whether a request packet may be sent now. */
    bool CanSend(uint64_t windowBytes) const;

    /** Whether there is anything left to send, whatever windows and limits say. */
    bool HasUnsent() const;

    /** Makes the next packet and moves on; only when CanSend. Starts the timer if it is off. */
    OutgoingRequest Next(SimTime now, uint64_t windowBytes = NO_WINDOW);

    /** Operands of an atomic request packet. */
    AtomicEth GetAtomic(const OutgoingRequest& packet) const;

    /** Fills a packet's payload from the gather list, or from the inline copy. */
    void Gather(const OutgoingRequest& packet, std::span<std::byte> to) const;

    /** An ACK, a NAK or an RNR NAK came. */
    RequesterOutcome OnAcknowledge(const Aeth& aeth, Psn psn, SimTime now);

    /**
     * A READ response came.
     *
     * @param payload its bytes; empty where they are synthetic
     */
    RequesterOutcome OnReadResponse(const Frame& frame,
                                    std::span<const std::byte> payload,
                                    SimTime now);

    /** An atomic response came. @param original the value before the operation */
    RequesterOutcome OnAtomicAcknowledge(const Aeth& aeth, Psn psn, uint64_t original, SimTime now);

    /** When a timer (local ACK timeout, end of an RNR wait) runs out; Never() while all are off. */
    SimTime GetDeadline() const;

    /** The deadline has come; before it nothing happens. */
    RequesterOutcome OnTimeout(SimTime now);

    /** Goes to the error state: what is posted is flushed. @return whether there is something */
    bool Flush();

    /** The next completion in posted order; unsignalled successes are left out. */
    std::optional<WorkCompletion> PopCompletion();

    uint64_t GetInFlightBytes() const;
    bool IsInError() const;

    /** Whether all posted requests have completed (SQD). */
    bool IsDrained() const;

    /** PSN of the next new packet (sq_psn of a query). */
    Psn GetNextPsn() const;

    /** Request packets and responses sent for the second time or more, timeouts, NAKs. */
    uint64_t GetHeapBytes() const;
};

} // namespace ns3::rdma
