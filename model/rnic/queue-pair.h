// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "congestion/congestion-control.h"
#include "congestion/notification-point.h"
#include "transport/requester.h"
#include "transport/responder.h"
#include "verbs/completion-queue.h"
#include "verbs/receive-queue.h"
#include "verbs/shared-receive-queue.h"
#include "verbs/verbs-device.h"

#include <cstdint>
#include <memory>

namespace ns3::rdma
{

class Transmitter;

/** Where a queue pair stands in its device's send scheduler. */
enum class SendState : uint8_t
{
    IDLE,  ///< nothing to send, or the window is full
    READY, ///< in the ring of its priority
    PACED, ///< waits for its next send time
};

/** Whether packets for a queue pair are looked at. */
enum class ReceiveState : uint8_t
{
    CLOSED, ///< RESET, INIT or ERR: silence
    FIRST,  ///< RTR, and nothing has come yet
    OPEN,
};

/** The resources of a device that a queue pair works with. */
struct QueuePairResources
{
    const RcPolicy* policy{nullptr};
    MemoryTable* memory{nullptr};
    CompletionQueue* sendCompletions{nullptr};
    CompletionQueue* receiveCompletions{nullptr};
    SharedReceiveQueue* sharedReceives{nullptr}; ///< null: it has a receive queue of its own
};

/** A reliable connection's end: the machines, congestion control, and its place in the device. */
struct QueuePair
{
    QueuePair(const QueuePairResources& resources, Qpn number, const QueuePairInit& init)
        : requester{{.policy = resources.policy,
                     .attributes = &attributes,
                     .memory = resources.memory,
                     .protectionDomain = init.protectionDomain.value,
                     .qpn = number,
                     .capabilities = init.capabilities,
                     .signalsAll = init.signalsAll}},
          responder{{.policy = resources.policy,
                     .attributes = &attributes,
                     .memory = resources.memory,
                     .receives = resources.sharedReceives == nullptr
                                     ? &receives
                                     : &resources.sharedReceives->GetRequests(),
                     .protectionDomain = init.protectionDomain.value,
                     .qpn = number,
                     .isReceiveQueueShared = resources.sharedReceives != nullptr}},
          qpn{number},
          receives{init.capabilities.maxReceiveRequests, init.capabilities.maxReceiveElements},
          resources{resources},
          init{init}
    {
    }

    QueuePair(const QueuePair&) = delete;
    QueuePair& operator=(const QueuePair&) = delete;

    /** Whether a packet of either machine may be sent now. */
    bool CanSend() const
    {
        return requester.CanSend(windowBytes) || responder.HasResponse();
    }

    Requester requester;
    Responder responder;
    NotificationPoint notification;
    std::unique_ptr<CongestionController> congestion; ///< null: line rate, never asked
    QueuePairAttributes attributes;
    QueuePairStatistics statistics;

    Qpn qpn;
    uint32_t flowHash{0};              ///< of addresses, protocol and ports of its packets
    Transmitter* transmitter{nullptr}; ///< from RTR on
    ReceiveState receiving{ReceiveState::CLOSED};
    Ecn ecn{Ecn::NOT_ECT};       ///< of its data packets
    Ecn answerEcn{Ecn::NOT_ECT}; ///< of its acknowledgements: as the traffic class has it
    bool sentResponse{false};    ///< the last packet pulled was a response
    uint64_t windowBytes{SendLimits::NO_WINDOW};
    bool isPaced{false};                  ///< packets wait for nextSend
    double paceTimePerByte{0.0};          ///< picoseconds per wire byte; 0: as fast as the port
    BitRate pacedRate{};                  ///< the rate that this stands for
    SimTime nextSend{};                   ///< while paced
    SimTime timerEntry{SimTime::Never()}; ///< the entry of the timer heap that counts
    QueuePair* previousReady{nullptr};
    QueuePair* nextReady{nullptr};
    SendState sendState{SendState::IDLE};

    ReceiveQueue receives;
    QueuePairResources resources;
    QueuePairInit init;
};

} // namespace ns3::rdma
