// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

/** Why a frame was thrown away inside the fabric. */
enum class DropReason : uint8_t
{
    LINK_ERROR,         ///< corrupted on the cable: the receiver's FCS check fails
    LINK_DOWN,          ///< waiting for, or on, a cable that is down
    NO_ROUTE,           ///< the switch knows no way to the destination
    BUFFER_FULL,        ///< lossy frame, and the shared pool is full
    EGRESS_THRESHOLD,   ///< lossy frame, and its egress queue is at its share of the pool
    HEADROOM_FULL,      ///< lossless frame behind a pause, and the headroom is used up
    PFC_WATCHDOG,       ///< for or from a queue that a peer pauses without end
    UNKNOWN_QP,         ///< no such queue pair at the destination
    OUT_OF_SEQUENCE,    ///< behind a gap: go-back-N discards it
    DUPLICATE,          ///< the responder has executed it before
    INVALID_REQUEST,    ///< an opcode, length or access that is not allowed
    BAD_ICRC,           ///< damaged behind the last FCS check: the interface's ICRC check fails
    INJECTED_FAULT,     ///< a fault injector took it away on purpose
    QP_NOT_READY,       ///< the queue pair is not connected, or in error
    RECEIVER_NOT_READY, ///< no receive request is posted: it will be sent again
    NO_STACK,           ///< a frame of another stack, and the interface has none
    RX_OVERFLOW,        ///< the receive buffer of the interface is full
};

constexpr std::size_t DROP_REASON_COUNT = static_cast<std::size_t>(DropReason::RX_OVERFLOW) + 1;

/** The reason as results name it: lower case with underscores. */
constexpr std::string_view
ToString(DropReason reason)
{
    constexpr std::array<std::string_view, DROP_REASON_COUNT> NAMES{
        "link_error",
        "link_down",
        "no_route",
        "buffer_full",
        "egress_threshold",
        "headroom_full",
        "pfc_watchdog",
        "unknown_qp",
        "out_of_sequence",
        "duplicate",
        "invalid_request",
        "bad_icrc",
        "injected_fault",
        "qp_not_ready",
        "receiver_not_ready",
        "no_stack",
        "rx_overflow",
    };
    return NAMES[static_cast<std::size_t>(reason)];
}

} // namespace ns3::rdma
