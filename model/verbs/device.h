// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/psn.h"
#include "base/qpn.h"
#include "base/units.h"
#include "verbs/work-completion.h"
#include "verbs/work-request.h"

#include <cstdint>

namespace ns3::rdma
{

/** What a queue pair must know before it can send and receive. */
struct ConnectionAttributes
{
    uint32_t flow{0};        ///< mark that its packets carry, for traces
    uint32_t destination{0}; ///< number of the peer's network interface
    Qpn destinationQp{};
    Psn sendPsn{};    ///< sq_psn
    Psn receivePsn{}; ///< rq_psn
    uint16_t udpSourcePort{0};
    uint32_t flowHash{0}; ///< of addresses, protocol and ports of the packets that it sends
    uint8_t priority{3};  ///< 0 .. 7
    BitRate rateLimit{};  ///< 0: none but the port's and congestion control's
};

/** What a queue pair has counted. */
struct QueuePairCounters
{
    uint64_t packetsSent{0}; ///< requests, retransmissions included
    uint64_t packetsRetransmitted{0};
    uint64_t naksReceived{0};
    uint64_t timeouts{0};
    uint64_t cnpsReceived{0};
    uint64_t cnpsSent{0};
    uint64_t ceArrivals{0}; ///< requests that came with the Congestion Experienced mark
    uint64_t bytesAcked{0}; ///< payload that the peer has acknowledged
};

/** Who is told what a device has finished. */
class CompletionListener
{
  public:
    virtual ~CompletionListener() = default;

    /** A work request of the send queue has ended. */
    virtual void OnCompletion(uint32_t flow, const WorkCompletion& completion, SimTime now) = 0;

    /** The last bit of a message has arrived at the responder. */
    virtual void OnDelivered(uint32_t flow, uint64_t bytes, SimTime now) = 0;
};

/** A device that applications post to, whatever its transport. */
class FlowDevice
{
  public:
    virtual ~FlowDevice() = default;

    /** A new queue pair. Numbers count up from the first. */
    virtual Qpn CreateQueuePair() = 0;

    /** Brings a queue pair to ready-to-send. */
    virtual void Connect(Qpn qpn, const ConnectionAttributes& attributes, SimTime now) = 0;

    /** Adds to the send queue. @return false if the request is too long; nothing changes then */
    virtual bool Post(Qpn qpn, const WorkRequest& request, SimTime now) = 0;

    virtual const QueuePairCounters& GetCounters(Qpn qpn) const = 0;

    virtual void SetListener(CompletionListener* listener) = 0;
};

} // namespace ns3::rdma
