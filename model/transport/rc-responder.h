// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "wire/frame.h"

#include <cstdint>
#include <optional>

namespace ns3::rdma
{

/** What the responder must be told of a request packet. */
struct ArrivedRequest
{
    Opcode opcode{Opcode::RC_RDMA_WRITE_ONLY};
    Psn psn{};
    uint32_t payloadBytes{0};
    bool ackRequest{false};
    Reth reth{}; ///< looked at only where the opcode carries one
};

/** An acknowledge packet to be sent. */
struct AckPacket
{
    Psn psn{};
    Aeth aeth{};

    bool operator==(const AckPacket&) const = default;
};

/** What became of a request packet. */
enum class RcRequestVerdict : uint8_t
{
    EXECUTED,        ///< in order: its payload is delivered
    DUPLICATE,       ///< seen before: acknowledged again, not executed
    OUT_OF_SEQUENCE, ///< behind a gap: discarded
    INVALID,         ///< not an opcode or length that may stand here: discarded
};

using RequestVerdict = RcRequestVerdict;

struct RcResponderOutcome
{
    RequestVerdict verdict{RequestVerdict::EXECUTED};
    uint64_t deliveredMessageBytes{0}; ///< length of the message that this packet completed
    bool completesMessage{false};
    std::optional<AckPacket> answer{}; ///< ACK or NAK

    bool operator==(const RcResponderOutcome&) const = default;
};

using ResponderOutcome = RcResponderOutcome;

/**
 * The responder of a reliable connection: accepts packets in PSN order and acknowledges them.
 *
 * The PSN decides first (expected, earlier, later), then the opcode's place in the message, then
 * the length. A packet in order is acknowledged if it asks for it; a duplicate always; the first
 * packet behind a gap draws the gap's one NAK.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.4 (responder), 9.7.5.2.8 (NAK of a sequence error)
 * @choice every duplicate is acknowledged, whether it asks or not, as Linux rxe does (measured on
 * the wire): a requester that went back too far learns at once where to go on
 *
 * Not modelled: operations other than RDMA WRITE; memory protection; NAK of an invalid request.
 */
class RcResponder
{
  public:
    /** @param initialPsn PSN that the first packet must have (rq_psn) */
    explicit RcResponder(Psn initialPsn) : m_expected{initialPsn} {}

    /** A request packet has arrived whole. */
    ResponderOutcome OnRequest(const ArrivedRequest& request)
    {
        const int32_t distance = Psn::Distance(m_expected, request.psn);
        if (distance == 0) [[likely]]
        {
            return OnExpected(request);
        }
        return distance < 0 ? OnDuplicate() : OnGap();
    }

    /** Completed messages, 24 bits. */
    uint32_t GetMsn() const
    {
        return m_msn;
    }

  private:
    /** The packet with the expected PSN: executes it if it may stand here. */
    ResponderOutcome OnExpected(const ArrivedRequest& request);

    /** A packet executed before. @spec IBTA Vol 1 Rel 1.7 section 9.7.4 (duplicate requests) */
    ResponderOutcome OnDuplicate() const;

    /** A packet behind a gap. @spec IBTA Vol 1 Rel 1.7 section 9.7.5.2.8 */
    ResponderOutcome OnGap();

    /** Whether opcode and length fit the message so far; adds the packet to it if so. */
    bool Accept(const ArrivedRequest& request, const OpcodeInfo& info);

    /** Acknowledges everything before the expected PSN. */
    AckPacket MakeAck() const;

    Psn m_expected;
    uint32_t m_msn{0};
    uint32_t m_messageBytes{0};   ///< RETH length of the message under way
    uint32_t m_remainingBytes{0}; ///< of it, not yet arrived
    bool m_isInMessage{false};
    bool m_hasSentNak{false}; ///< since the gap opened
};

} // namespace ns3::rdma
