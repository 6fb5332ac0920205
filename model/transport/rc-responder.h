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
    Reth reth{};
};

/** An acknowledge packet to be sent. */
struct AckPacket
{
    Psn psn{};
    Aeth aeth{};

    bool operator==(const AckPacket&) const = default;
};

/** What became of a request packet. */
enum class RequestVerdict : uint8_t
{
    EXECUTED,        ///< in order: its payload is delivered
    DUPLICATE,       ///< seen before: acknowledged again, not executed
    OUT_OF_SEQUENCE, ///< behind a gap: discarded
    INVALID,         ///< not an opcode or length that may stand here: discarded
};

struct ResponderOutcome
{
    RequestVerdict verdict{RequestVerdict::EXECUTED};
    uint64_t deliveredMessageBytes{0}; ///< length of the message that this packet completed
    bool completesMessage{false};
    std::optional<AckPacket> answer; ///< ACK or NAK

    bool operator==(const ResponderOutcome&) const = default;
};

/**
 * The responder of a reliable connection: accepts packets in PSN order and acknowledges them.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7.4 (responder), 9.7.5.2.8 (NAK of a sequence error)
 *
 * Not modelled: operations other than RDMA WRITE; memory protection.
 */
class RcResponder
{
  public:
    /** @param initialPsn PSN that the first packet must have (rq_psn) */
    explicit RcResponder(Psn initialPsn);

    /** A request packet has arrived whole. */
    ResponderOutcome OnRequest(const ArrivedRequest& request);

    /** Completed messages, 24 bits. */
    uint32_t GetMsn() const;
};

} // namespace ns3::rdma
