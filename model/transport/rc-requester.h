// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "base/sim-time.h"
#include "transport/rc-config.h"
#include "verbs/work-completion.h"
#include "verbs/work-request.h"
#include "wire/frame.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/** One request packet as the requester wants it sent. */
struct RequestPacket
{
    Opcode opcode{Opcode::RC_RDMA_WRITE_ONLY};
    Psn psn{};
    uint32_t payloadBytes{0};
    bool ackRequest{false};
    bool isRetransmission{false}; ///< its PSN was sent before
    Reth reth{};                  ///< valid where the opcode carries one

    bool operator==(const RequestPacket&) const = default;
};

/** What an acknowledgement or a timeout did to the requester. */
struct RequesterOutcome
{
    uint64_t ackedBytes{0};  ///< payload newly acknowledged
    bool goesBack{false};    ///< sending restarts at the oldest unacknowledged packet
    bool completes{false};   ///< PopCompletion has something
    bool isDuplicate{false}; ///< the acknowledgement told nothing new

    bool operator==(const RequesterOutcome&) const = default;
};

/**
 * The requester of a reliable connection: turns work requests into packets and acknowledgements
 * into completions.
 *
 * A plain value. PSNs are kept as 64-bit packet numbers inside (number & 0xffffff is the PSN), so
 * wrap-around is a matter of the edge only; at most 2^23 - 1 packets are in flight.
 *
 * @spec IBTA Vol 1 Rel 1.7 section 9.7 (reliable service), 9.7.6 (retry), 11.6.2 (completions)
 *
 * Not modelled: operations other than RDMA WRITE, end-to-end credits, path migration.
 */
class RcRequester
{
  public:
    /**
     * @param config  outlives the requester; shared by all connections of a device
     * @param qpn     for completions
     * @param initialPsn PSN of the first packet (sq_psn)
     */
    RcRequester(const RcConfig& config, Qpn qpn, Psn initialPsn);

    /**
     * Adds a work request to the send queue.
     *
     * @return false, and nothing changes, if the message is longer than MAX_MESSAGE_BYTES
     *
     * In the error state the request is taken and completes with WR_FLUSH_ERR.
     */
    bool Post(const WorkRequest& request);

    /**
     * Whether a packet may be sent now.
     *
     * @param windowBytes payload that may be unacknowledged, the next packet included; a packet
     *        may always go when nothing is in flight, so that a small window cannot stop a QP
     */
    bool CanSend(uint64_t windowBytes) const;

    /** Whether there is anything left to send, whatever the window says. */
    bool HasUnsent() const;

    /** Makes the next packet and moves on; only when CanSend. Starts the timer if it is off. */
    RequestPacket Next(SimTime now);

    /** An AETH came: an ACK, or a NAK of a PSN gap. @param psn of the BTH */
    RequesterOutcome OnAcknowledge(const Aeth& aeth, Psn psn, SimTime now);

    /** When the local ACK timer runs out; Never() while it is off. */
    SimTime GetDeadline() const;

    /** The local ACK timer has run out. @spec IBTA Vol 1 Rel 1.7 section 9.7.6.1.3 */
    RequesterOutcome OnTimeout(SimTime now);

    /** The next completion in posted order. */
    std::optional<WorkCompletion> PopCompletion();

    /** Payload sent and not acknowledged. */
    uint64_t GetInFlightBytes() const;

    bool IsInError() const;
};

} // namespace ns3::rdma
