// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "transport/rc-policy.h"
#include "transport/response-queue.h"
#include "verbs/memory-table.h"
#include "verbs/queue-pair-attributes.h"
#include "verbs/receive-queue.h"
#include "verbs/work-completion.h"
#include "wire/frame.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ns3::rdma
{

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
 * all are pulled by NextResponse, also what waits when outcome.fails.
 *
 * The checks of a packet run in the order of section 9.7.4.1, the first that fails decides:
 *
 *     PSN           earlier: duplicate; later: NAK 0x60, once per gap
 *     opcode        its place in the message, supported, allowed by the access flags: NAK 0x61
 *     resources     a receive request: RNR NAK; for READ and atomic one of max_dest_rd_atomic: 0x61
 *     length        of packet and message: NAK 0x61, or as the policy says
 *     access        R_Key, range, rights: NAK 0x62; pieces of the receive request: NAK 0x63
 *     alignment     of an atomic operation: NAK 0x61
 *
 * @spec IBTA Vol 1 Rel 1.7 sections 9.7.4 (inbound requests), 9.7.5 (responses), 9.9 (errors)
 * @choice WRITEs with a DMALen that their packets cannot make up fail as soon as that is seen, not
 * at the last packet. A SEND with Invalidate of a region that may not be invalidated draws NAK 0x62
 * and completes the receive with LOC_QP_OP_ERR, its last packet is not placed. The pieces of a
 * receive request are checked as packets reach them.
 *
 * Not modelled: path migration, congestion of the responder, services other than RC.
 */
class Responder
{
  public:
    explicit Responder(const ResponderContext& context);

    /** Begins anew: the first packet must have this PSN (rq_psn). Path MTU and rights are set. */
    void Start(Psn initialPsn);

    /**
     * A request packet has arrived whole.
     *
     * @param payload its bytes; empty where they are synthetic
     */
    ResponderOutcome OnRequest(const Frame& frame, std::span<const std::byte> payload)
    {
        // Most packets of all: those that need nothing but the counters.
        if (frame.psn == m_expected && payload.empty() && IsPlainWrite(frame)) [[likely]]
        {
            return TakePlainWrite(frame);
        }
        return OnOther(frame, payload);
    }

    /** Whether a READ response, or an answer behind one, waits to be sent. */
    bool HasResponse() const
    {
        return m_responses && !m_responses->IsEmpty();
    }

    /** Makes the next of them; only when HasResponse. */
    OutgoingResponse NextResponse();

    /** The next completion of the receive queue. */
    std::optional<WorkCompletion> PopCompletion();

    /**
     * Goes to the error state: posted receives are flushed (not those of a shared queue), now and
     * those that are still to come.
     *
     * @return whether PopCompletion has something
     */
    bool Flush();

    bool IsInError() const
    {
        return m_isInError;
    }

    uint32_t GetMsn() const; ///< completed messages, 24 bits

    Psn GetExpectedPsn() const; ///< rq_psn of a query

  private:
    /** What a message under way is made of. */
    enum class Message : uint8_t
    {
        NONE,
        SEND,
        WRITE,
    };

    /** A packet with the expected PSN, on its way through the checks. */
    struct Request
    {
        const Frame& frame;
        const OpcodeInfo& info;
        std::span<const std::byte> payload;

        /** Whether a receive request is taken: by a SEND's first packet, else by the immediate. */
        bool TakesReceive() const
        {
            const bool isSend = info.operation == Operation::SEND;
            return isSend ? info.startsMessage : info.Has(HEADER_IMMEDIATE);
        }
    };

    /** Why a packet is not executed: what the peer and a receive request under way are told. */
    struct Refusal
    {
        uint8_t syndrome{SYNDROME_TYPE_ACK}; ///< ACK: it is executed
        CompletionStatus status{CompletionStatus::SUCCESS};

        bool IsNone() const
        {
            return syndrome == SYNDROME_TYPE_ACK;
        }
    };

    /** The receive request of the message under way, and completions not yet popped. */
    struct ReceiveState
    {
        ReceiveEntry entry;
        bool isHeld{false};
        std::vector<WorkCompletion> completions;
        std::size_t popped{0};
    };

    /** Whether it is of a WRITE without immediate and passes all checks; else they run in turn. */
    bool IsPlainWrite(const Frame& frame)
    {
        const uint32_t bytes = frame.payloadBytes;
        if (frame.opcode == Opcode::RC_RDMA_WRITE_MIDDLE)
        {
            return m_isRangeChecked && bytes == m_pathMtu && bytes < m_remainingBytes;
        }
        if (frame.opcode == Opcode::RC_RDMA_WRITE_LAST)
        {
            return m_isRangeChecked && bytes <= m_pathMtu && bytes == m_remainingBytes;
        }
        return BeginPlainWrite(frame);
    }

    bool BeginPlainWrite(const Frame& frame);
    ResponderOutcome TakePlainWrite(const Frame& frame);
    ResponderOutcome OnOther(const Frame& frame, std::span<const std::byte> payload);
    ResponderOutcome OnExpected(const Request& request);
    ResponderOutcome OnDuplicate(const Frame& frame, const OpcodeInfo* info);
    ResponderOutcome OnGap();
    void ForgetMessage();

    Refusal Check(const Request& request);
    bool IsInSequence(const OpcodeInfo& info) const;
    bool IsAllowed(const OpcodeInfo& info) const;
    bool HasResource(const Request& request);
    void BeginPacket(const Request& request);
    bool IsLengthRight(const Request& request) const;
    Refusal CheckSend(const Request& request) const;
    bool IsPlaceable(uint32_t bytes) const;
    Refusal CheckWrite(const Request& request) const;
    Refusal CheckAtomic(const AtomicEth& atomic) const;
    Refusal CheckRemote(const Reth& reth, uint8_t right) const;

    void Execute(const Request& request, ResponderOutcome& outcome);
    void Place(const Request& request);
    void EndMessage(const Request& request, ResponderOutcome& outcome);
    void CountMessage(uint64_t bytes, ResponderOutcome& outcome);
    void ExecuteRead(const Frame& frame, ResponderOutcome& outcome);
    void ExecuteAtomic(const Frame& frame, ResponderOutcome& outcome);
    void AnswerReadAtomic(Opcode opcode, bool isAlone, ResponderOutcome& outcome);

    void Refuse(const Refusal& refusal, ResponderOutcome& outcome);
    void EnterError(CompletionStatus status);
    bool HasCompletion() const;
    void Acknowledge(ResponderOutcome& outcome);
    void Nak(uint8_t syndrome, ResponderOutcome& outcome);
    uint8_t AckSyndrome() const;
    ResponseQueue& Responses();
    ReceiveState& Receives();

    Psn m_expected;
    uint32_t m_msn{0};
    uint32_t m_messageBytes{0};   ///< of the message under way: WRITE its DMALen, SEND so far
    uint32_t m_remainingBytes{0}; ///< WRITE not yet arrived; SEND room left in the receive request
    uint64_t m_address{0};        ///< WRITE: where the next byte goes
    uint32_t m_rkey{0};
    uint16_t m_pathMtu{0};
    Message m_message{Message::NONE};
    bool m_isRangeChecked : 1 {false}; ///< inside a WRITE, all of whose range is allowed
    bool m_hasSentNak : 1 {false};     ///< what comes behind the expected packet is not answered
    bool m_isInError : 1 {false};
    std::unique_ptr<ResponseQueue> m_responses; ///< made for the first READ or atomic request
    std::unique_ptr<ReceiveState> m_receives;   ///< made for the first receive request
    ResponderContext m_context;
};

} // namespace ns3::rdma
