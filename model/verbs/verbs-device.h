// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "base/qpn.h"
#include "base/sim-time.h"
#include "verbs/completion-queue.h"
#include "verbs/device-limits.h"
#include "verbs/memory-table.h"
#include "verbs/queue-pair-attributes.h"
#include "verbs/send-request.h"
#include "verbs/verbs-error.h"

#include <cstdint>
#include <optional>
#include <span>

namespace ns3::rdma
{

/** Handles of verbs objects: numbers of their device, from 1; 0 is none. */
struct ProtectionDomainId
{
    uint32_t value{0};

    bool operator==(const ProtectionDomainId&) const = default;
};

struct CompletionQueueId
{
    uint32_t value{0};

    bool operator==(const CompletionQueueId&) const = default;
};

struct SharedReceiveQueueId
{
    uint32_t value{0};

    bool operator==(const SharedReceiveQueueId&) const = default;
};

/** What a shared receive queue is created from (ibv_srq_init_attr). */
struct SharedReceiveQueueInit
{
    ProtectionDomainId protectionDomain{};
    uint32_t maxRequests{128}; ///< max_wr
    uint32_t maxElements{1};   ///< max_sge
};

/** What a queue pair is created from (ibv_qp_init_attr). */
struct QueuePairInit
{
    QueuePairType type{QueuePairType::RC};
    ProtectionDomainId protectionDomain{};
    CompletionQueueId sendQueue{};    ///< completion queue of the send queue
    CompletionQueueId receiveQueue{}; ///< completion queue of the receive queue
    /** Receive requests come from it; 0: the queue pair has a queue of its own. */
    SharedReceiveQueueId sharedReceiveQueue{};
    QueuePairCapabilities capabilities{};
    bool signalsAll{false}; ///< sq_sig_all: each send request completes with an entry
    uint32_t mark{0};       ///< the application's own number, for observers
    /** The device's; else none: line rate or the rate limit, and packets are not ECN-capable. */
    bool hasCongestionControl{true};
};

/** Everything that can be asked of a queue pair (ibv_query_qp). */
struct QueuePairInfo
{
    QueuePairAttributes attributes{}; ///< PSNs as they are now
    QueuePairInit init{};
};

/** What a queue pair has counted. */
struct QueuePairStatistics
{
    uint64_t packetsSent{0}; ///< requests and READ responses, retransmissions included
    uint64_t packetsRetransmitted{0};
    uint64_t naksReceived{0};
    uint64_t rnrNaksReceived{0};
    uint64_t timeouts{0};
    uint64_t cnpsReceived{0};
    uint64_t cnpsSent{0};
    uint64_t ceArrivals{0}; ///< packets that came with the Congestion Experienced mark
    uint64_t bytesAcked{0}; ///< payload that the peer has acknowledged
};

/** Asynchronous events; the names are those of ibv_event_type. */
enum class AsyncEventType : uint8_t
{
    CQ_ERR,
    QP_FATAL,
    QP_REQ_ERR,
    QP_ACCESS_ERR,
    COMM_EST,
    SQ_DRAINED,
    SRQ_LIMIT_REACHED,
};

struct AsyncEvent
{
    AsyncEventType type{};
    Qpn qpn{};                                 ///< of QP events and SQ_DRAINED
    CompletionQueueId queue{};                 ///< of CQ_ERR
    SharedReceiveQueueId sharedReceiveQueue{}; ///< of SRQ_LIMIT_REACHED

    bool operator==(const AsyncEvent&) const = default;
};

/** Who is told of what a device does besides completing requests. */
class DeviceObserver
{
  public:
    virtual ~DeviceObserver() = default;

    /** The last bit of a request message has arrived at the responder. @param mark of its QP */
    virtual void OnDelivered(uint32_t mark, uint64_t bytes, SimTime now) = 0;

    virtual void OnAsyncEvent(const AsyncEvent& event, SimTime now) = 0;
};

/**
 * A device that applications post to, whatever its transport: the verbs.
 *
 * @spec IBTA Vol 1 Rel 1.7 chapter 11 (verbs); names as in rdma-core's man pages
 */
class VerbsDevice
{
  public:
    virtual ~VerbsDevice() = default;

    virtual const DeviceLimits& GetLimits() const = 0;

    virtual VerbsError AllocateProtectionDomain(ProtectionDomainId& domain) = 0;
    virtual VerbsError DeallocateProtectionDomain(ProtectionDomainId domain) = 0;

    virtual VerbsError RegisterMemory(const MemoryRegionSpec& spec, MemoryRegion& region) = 0;
    virtual VerbsError DeregisterMemory(const MemoryRegion& region) = 0;

    virtual VerbsError CreateCompletionQueue(uint32_t capacity,
                                             CompletionChannel* channel,
                                             CompletionQueueId& queue) = 0;
    virtual VerbsError DestroyCompletionQueue(CompletionQueueId queue) = 0;

    /** The queue itself: polling, arming, resizing, moderation. It must exist. */
    virtual CompletionQueue& GetCompletionQueue(CompletionQueueId queue) = 0;

    virtual VerbsError CreateSharedReceiveQueue(const SharedReceiveQueueInit& init,
                                                SharedReceiveQueueId& queue) = 0;

    /** @error NOT_FOUND, BUSY while queue pairs use it */
    virtual VerbsError DestroySharedReceiveQueue(SharedReceiveQueueId queue) = 0;

    /**
     * Asks for one event when fewer requests than this are posted (ibv_modify_srq, IBV_SRQ_LIMIT).
     *
     * @param limit 0: none
     */
    virtual VerbsError SetSharedReceiveLimit(SharedReceiveQueueId queue, uint32_t limit) = 0;

    virtual PostResult PostSharedReceive(SharedReceiveQueueId queue,
                                         std::span<const ReceiveRequest> requests) = 0;

    virtual VerbsError CreateQueuePair(const QueuePairInit& init, Qpn& qpn) = 0;
    virtual VerbsError DestroyQueuePair(Qpn qpn, SimTime now) = 0;

    /**
     * Changes a queue pair's state and attributes; nothing changes if anything is wrong.
     *
     * @return what is wrong; nullopt: nothing
     */
    virtual std::optional<Diagnostic> ModifyQueuePair(Qpn qpn,
                                                      const QueuePairAttributes& attributes,
                                                      uint32_t mask,
                                                      SimTime now) = 0;

    virtual QueuePairInfo QueryQueuePair(Qpn qpn) const = 0;

    virtual PostResult PostSend(Qpn qpn, std::span<const SendRequest> requests, SimTime now) = 0;
    virtual PostResult PostReceive(Qpn qpn,
                                   std::span<const ReceiveRequest> requests,
                                   SimTime now) = 0;

    virtual const QueuePairStatistics& GetStatistics(Qpn qpn) const = 0;

    virtual void SetObserver(DeviceObserver* observer) = 0;
};

} // namespace ns3::rdma
