// SPDX-License-Identifier: GPL-2.0-only
#include "rnic/transport-event.h"

#include <array>

namespace ns3::rdma
{

namespace
{

/** The code of a NAK in words. @spec IBTA Vol 1 Rel 1.7 section 9.3.5, NAK codes */
std::string_view
NameNak(uint8_t syndrome)
{
    switch (syndrome)
    {
    case SYNDROME_NAK_SEQUENCE:
        return "psn_sequence_error";
    case SYNDROME_NAK_INVALID_REQUEST:
        return "invalid_request";
    case SYNDROME_NAK_REMOTE_ACCESS:
        return "remote_access_error";
    case SYNDROME_NAK_REMOTE_OPERATION:
        return "remote_operational_error";
    case SYNDROME_NAK_INVALID_RD:
        return "invalid_rd_request";
    default:
        return "";
    }
}

} // namespace

std::string_view
ToString(TransportEventType type)
{
    constexpr std::array<std::string_view, 7> NAMES{"retransmission",
                                                    "nak_sent",
                                                    "nak_received",
                                                    "rnr_sent",
                                                    "rnr_received",
                                                    "timeout",
                                                    "error_completion"};
    return NAMES[static_cast<std::size_t>(type)];
}

void
TellAnswer(const TransportTrace& trace, uint32_t flow, const OutgoingResponse& answer, SimTime now)
{
    const uint8_t type = answer.aeth.syndrome & SYNDROME_TYPE_MASK;
    const bool isNak = answer.opcode == Opcode::RC_ACKNOWLEDGE && type != SYNDROME_TYPE_ACK;
    if (isNak && !trace.IsEmpty())
    {
        trace({.time = now,
               .type = type == SYNDROME_TYPE_RNR ? TransportEventType::RNR_SENT
                                                 : TransportEventType::NAK_SENT,
               .flow = flow,
               .psn = answer.psn,
               .detail = NameNak(answer.aeth.syndrome)});
    }
}

void
TellNak(const TransportTrace& trace, uint32_t flow, const OutgoingResponse& nak, SimTime now)
{
    const bool isRnr = (nak.aeth.syndrome & SYNDROME_TYPE_MASK) == SYNDROME_TYPE_RNR;
    if (!trace.IsEmpty())
    {
        trace({.time = now,
               .type = isRnr ? TransportEventType::RNR_RECEIVED : TransportEventType::NAK_RECEIVED,
               .flow = flow,
               .psn = nak.psn,
               .detail = NameNak(nak.aeth.syndrome)});
    }
}

} // namespace ns3::rdma
