// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/sim-time.h"
#include "transport/outgoing-request.h"
#include "transport/send-credits.h"
#include "transport/send-queue.h"
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

/**
 * The requester of a reliable connection, with its completer: turns work requests into packets,
 * and answers into completions.
 *
 * A plain value. PSNs are kept as 64-bit packet numbers inside (number & 0xffffff is the PSN), so
 * wrap-around is a matter of the edge only.
 *
 *     oldest unacknowledged <= next to be sent <= beyond the newest ever sent
 *
 * Going back moves the middle mark to the left one; a packet left of the right mark is a
 * retransmission. A READ request takes the PSNs of its response. READs and atomics are
 * acknowledged by their responses only: the first of these PSNs that is missing is the barrier,
 * beyond which an ACK or a response is an implied NAK.
 *
 * What keeps the request at the head of the unsent ones from going (fence, credits, READs
 * outstanding, an RNR wait) is looked at where it may change, not for each packet.
 *
 * A call other than an answer may complete requests, too: LOCAL_INV, one whose local memory is not
 * its own, all of them in the error state. After Post, Release and OnModified ask HasCompletion
 * and IsInError.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7 (reliable service), 9.7.6 (retry), 11.6.2 (completions)
 * @choice after going back the timer starts with the first packet sent again: a QP that flow
 * control keeps from sending spends no retries
 *
 * Not modelled: memory windows, path migration, selective retransmission.
 */
class Requester
{
  public:
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();

    explicit Requester(const RequesterContext& context);

    /** The first packet will have this PSN; before a post, with path MTU and policy settled. */
    void Start(Psn initialPsn);

    /**
     * Adds a list of work requests to the send queue.
     *
     * @param isHeld the requests wait in the queue until Release (host costs); those posted behind
     *        held ones are held as well
     * @error QUEUE_FULL
     * @error INVALID_ARGUMENT opcode, length, number of pieces, inline limit or operation, length
     *        of an atomic other than 8, READ or atomic without max_rd_atomic
     *
     * In the error state requests are taken and flushed.
     */
    PostResult Post(std::span<const SendRequest> requests, bool isHeld = false);

    /** The oldest held requests may be sent. */
    void Release(uint32_t count);

    /** The attributes have changed: state RTS or SQD, max_rd_atomic, timeout, retries. */
    void OnModified();

    /**
     * Whether a request packet may be sent now.
     *
     * @param windowBytes payload that may be unacknowledged, the next packet included; a packet
     *        may always go when nothing is in flight, so that a small window cannot stop a QP.
     *        What READs ask for does not count: it is the responder's to send.
     */
    bool CanSend(uint64_t windowBytes) const
    {
        return !m_isBlocked && HasRoom(windowBytes);
    }

    /** Whether there is anything left to send, whatever windows and limits say. */
    bool HasUnsent() const
    {
        return m_sending != m_released && m_state == State::READY;
    }

    /**
     * Makes the next packet and moves on; only when CanSend. Starts the timer if it is off.
     *
     * @param windowBytes the window given to CanSend: the last packet that fits into it asks for
     *        an acknowledgement, or a window smaller than a message would stop the QP
     */
    OutgoingRequest Next(SimTime now, uint64_t windowBytes = NO_WINDOW);

    /** The extended header of an atomic request packet. */
    AtomicEth GetAtomic(const OutgoingRequest& packet) const;

    /** Fills a packet's payload from the gather list, or from the inline copy. */
    void Gather(const OutgoingRequest& packet, std::span<std::byte> to) const;

    /** An ACK, a NAK or an RNR NAK came; one for nothing outstanding changes nothing. */
    RequesterOutcome OnAcknowledge(const Aeth& aeth, Psn psn, SimTime now);

    /** A READ response came. @param payload its bytes; empty where they are synthetic */
    RequesterOutcome OnReadResponse(const Frame& frame,
                                    std::span<const std::byte> payload,
                                    SimTime now);

    /** An atomic response came. @param original the value before the operation */
    RequesterOutcome OnAtomicAcknowledge(const Aeth& aeth, Psn psn, uint64_t original, SimTime now);

    /** When a timer (local ACK timeout, end of an RNR wait) runs out; Never() while all are off. */
    SimTime GetDeadline() const
    {
        return m_deadline;
    }

    /** The deadline has come; before it nothing happens. */
    RequesterOutcome OnTimeout(SimTime now);

    /** Goes to the error state: what is posted is flushed. @return whether there is something */
    bool Flush();

    /** Whether PopCompletion has something. */
    bool HasCompletion() const
    {
        return m_signalledDone != 0 || (m_state != State::READY && HasFlushed());
    }

    /** The next completion in posted order; unsignalled successes are left out. */
    std::optional<WorkCompletion> PopCompletion();

    /** Request payload sent and not acknowledged; what waits to be sent again does not count. */
    uint64_t GetInFlightBytes() const
    {
        return m_inFlightBytes;
    }

    bool IsInError() const
    {
        return m_state != State::READY;
    }

    bool IsDrained() const; ///< every request that was begun has completed; SQD begins no other
    Psn GetNextPsn() const; ///< of the next new packet (sq_psn of a query)
    uint64_t GetHeapBytes() const; ///< bytes of memory outside the object

  private:
    static constexpr uint64_t NO_BARRIER = std::numeric_limits<uint64_t>::max();
    static constexpr uint64_t NOT_OUTSTANDING = NO_BARRIER;

    enum class State : uint8_t
    {
        READY,
        FAILING,  ///< the oldest unacknowledged request completes with m_failure
        FLUSHING, ///< that completion is out; all others are flushed
    };

    /** Whether window and PSN space take the next packet. */
    bool HasRoom(uint64_t windowBytes) const
    {
        const uint64_t distance = m_nextPacket - m_oldestPacket;
        return distance <= m_maxDistance &&
               (distance == 0 || m_inFlightBytes + m_nextBytes <= windowBytes);
    }

    // Posting and sending: requester.cc.
    VerbsError Validate(const SendRequest& request) const;
    void Append(const SendRequest& request);
    void PrepareHead();
    bool HasHead() const;
    bool MustWait(const SendEntry& entry) const;
    bool HasLocalMemory(const SendEntry& entry) const;
    void InvalidateLocally();
    OutgoingRequest NextWithPayload(const SendEntry& entry, uint64_t windowBytes);
    OutgoingRequest NextAwaiting(const SendEntry& entry);
    void SpendCredit(const SendEntry& entry, OutgoingRequest& packet);
    bool NeedsAck(bool isLast, uint64_t windowBytes);
    SimTime DeadlineFrom(SimTime now) const;

    // Answers and retries: completer.cc. Errors and completions: requester-completions.cc.
    uint64_t Locate(Psn psn) const;
    RequesterOutcome Acknowledge(uint64_t packet, SimTime now);
    uint64_t AcknowledgeBefore(uint64_t packet);
    void MoveBarrier();
    void OnGhost(const Aeth& aeth, Psn psn);
    void OnNak(uint8_t syndrome, RequesterOutcome& outcome);
    void WaitForReceiver(uint8_t timerCode, SimTime now, RequesterOutcome& outcome);
    RequesterOutcome AcknowledgeBeforeResponse(uint64_t packet, SimTime now);
    CompletionStatus JudgeReadResponse(uint64_t packet, const Frame& frame) const;
    void StoreOriginal(uint64_t original);
    RequesterOutcome Finish(RequesterOutcome outcome, uint64_t oldestBefore) const;
    void Expire(SimTime now, RequesterOutcome& outcome);
    void GoBack();
    void Retry(RequesterOutcome& outcome);
    void RetryImplied(RequesterOutcome& outcome);
    void Fail(CompletionStatus status);
    bool HasFlushed() const;
    bool IsFlushedSilently(const SendEntry& entry) const;
    void DropUnsignalled();

    const RcPolicy* m_policy;
    const QueuePairAttributes* m_attributes;
    uint64_t m_nextPacket{0};   ///< number of the next packet to be sent
    uint64_t m_oldestPacket{0}; ///< number of the oldest unacknowledged packet
    uint64_t m_newPacket{0};    ///< one beyond the newest packet ever sent
    uint64_t m_inFlightBytes{0};
    uint64_t m_maxDistance{0}; ///< from the oldest packet, at which the next may go
    SimTime m_deadline{SimTime::Never()};
    uint64_t m_barrier{NO_BARRIER}; ///< first missing packet of READ or atomic responses
    uint32_t m_mtu{0};

    // Entries of the queue: completed .. m_oldest .. m_sending .. m_released .. end.
    uint32_t m_oldest{0};          ///< entry of the oldest unacknowledged packet
    uint32_t m_sending{0};         ///< entry of the next packet to be sent
    uint32_t m_released{0};        ///< entries from here are held
    uint32_t m_sentBytes{0};       ///< of entry m_sending
    uint32_t m_nextBytes{0};       ///< payload of the next packet
    uint32_t m_ackedBytes{0};      ///< of entry m_oldest
    uint32_t m_sinceAckRequest{0}; ///< packets since one asked for an acknowledgement
    uint32_t m_signalledDone{0};   ///< completions to be popped, without an error
    uint32_t m_awaiting{0};        ///< READs and atomics sent and not completed
    State m_state{State::READY};
    bool m_isBlocked{true};           ///< nothing to send, or its head waits for something
    bool m_isReceiverNotReady{false}; ///< m_deadline ends the wait after an RNR NAK
    bool m_hasRetriedImplied{false};  ///< since something new was acknowledged or timed out
    bool m_signalsAll;
    uint8_t m_retries{0};    ///< since something new was acknowledged
    uint8_t m_rnrRetries{0}; ///< likewise
    uint8_t m_expiries{0};   ///< of the retransmission timer, likewise
    CompletionStatus m_failure{CompletionStatus::SUCCESS};
    Qpn m_qpn;
    uint32_t m_protectionDomain;
    SendCredits m_credits;
    uint64_t m_postedPacket{0};  ///< number of the first packet of the next request to be posted
    uint64_t m_restartPacket{0}; ///< where sending last went back to
    MemoryTable* m_memory;
    SendQueue m_queue;
};

} // namespace ns3::rdma
