// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "congestion/congestion-control.h"
#include "congestion/notification-point.h"
#include "transport/rc-requester.h"
#include "transport/rc-responder.h"
#include "verbs/device.h"

#include <cstdint>
#include <memory>

namespace ns3::rdma
{

/** Where a queue pair stands in its device's send scheduler. */
enum class SendState : uint8_t
{
    IDLE,  ///< nothing to send, or the window is full
    READY, ///< in the ring of its priority
    PACED, ///< waits for its next send time
};

/** A reliable connection's end: the machines, congestion control, and its place in the device. */
struct QueuePair
{
    QueuePair(const RcConfig& config, Qpn qpn, const ConnectionAttributes& attributes)
        : requester{config, qpn, attributes.sendPsn},
          responder{attributes.receivePsn},
          attributes{attributes}
    {
    }

    RcRequester requester;
    RcResponder responder;
    NotificationPoint notification;
    std::unique_ptr<CongestionController> congestion; ///< null: line rate, never asked
    ConnectionAttributes attributes;
    QueuePairCounters counters;

    uint64_t windowBytes{SendLimits::NO_WINDOW};
    double paceTimePerByte{0.0};          ///< picoseconds per wire byte; 0: as fast as the port
    SimTime nextSend{};                   ///< while paced
    SimTime timerEntry{SimTime::Never()}; ///< the entry of the timer heap that counts
    QueuePair* previousReady{nullptr};
    QueuePair* nextReady{nullptr};
    SendState sendState{SendState::IDLE};
};

} // namespace ns3::rdma
