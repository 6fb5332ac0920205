// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/sim-time.h"
#include "transport/response-queue.h"

#include "ns3/traced-callback.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace ns3::rdma
{

/** What a reliable connection does when not all goes well. */
enum class TransportEventType : uint8_t
{
    RETRANSMISSION, ///< a request packet whose PSN was sent before starts
    NAK_SENT,
    NAK_RECEIVED, ///< one that changes something; ghosts are not told of
    RNR_SENT,     ///< NAK of a receiver that is not ready
    RNR_RECEIVED,
    TIMEOUT,          ///< the retransmission timer ran out, and sending goes back or ends
    ERROR_COMPLETION, ///< a request completes with another status than success
};

/** One such event. */
struct TransportEvent
{
    SimTime time{}; ///< of a retransmission possibly before the event that is running
    TransportEventType type{};
    uint32_t flow{0};          ///< the mark of the queue pair
    std::optional<Psn> psn{};  ///< where one packet is meant
    std::string_view detail{}; ///< code of a NAK, status of a completion; else empty
};

using TransportTrace = TracedCallback<const TransportEvent&>;

/** Tells of an answer that a connection sends, if it is a NAK and somebody listens. */
void TellAnswer(const TransportTrace& trace,
                uint32_t flow,
                const OutgoingResponse& answer,
                SimTime now);

/** Tells of a NAK that changes something at its receiver, if somebody listens. */
void TellNak(const TransportTrace& trace, uint32_t flow, const OutgoingResponse& nak, SimTime now);

/** The type as results name it: lower case with underscores. */
std::string_view ToString(TransportEventType type);

} // namespace ns3::rdma
