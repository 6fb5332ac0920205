// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/application.h"
#include "workload/perftest-plan.h"

#include <array>
#include <string>
#include <vector>

namespace ns3::rdma
{

class PerftestSide;

/** Who is told of what happens at a side of a test. */
class PerftestListener
{
  public:
    virtual ~PerftestListener() = default;

    /** A signalled send has completed, and with it all before it. @param index from 0 */
    virtual void OnSent(PerftestSide& side, uint32_t pair, uint32_t index, SimTime now) = 0;

    /** A message has come that took a receive request. */
    virtual void OnReceived(PerftestSide& side, SimTime now) = 0;

    /** A message has changed the memory that the side looks at. */
    virtual void OnMemory(PerftestSide& side, SimTime now) = 0;

    /** The side has told of all that it has found; it may post again. */
    virtual void OnIdle(PerftestSide& side, SimTime now) = 0;

    /** A request has failed. */
    virtual void OnFailure(PerftestSide& side, const WorkCompletion& completion, SimTime now) = 0;
};

/** Some requests that are posted by one call. */
struct PerftestPost
{
    uint32_t pair{0};
    uint32_t first{0}; ///< index of the first request of the queue pair in this test
    uint32_t count{1};
    uint32_t bytes{0}; ///< of each message
    bool signalsAll{true};
    uint32_t total{0}; ///< requests of the queue pair in this test: the last is signalled
};

/** Memory that the peer may use. */
struct RemoteMemory
{
    uint64_t address{0};
    uint32_t rkey{0};
};

/**
 * One host of a test: its verbs objects, and the loop that takes completions.
 *
 * The loop is that of a program that polls: what is there is taken at once, and told of.
 */
class PerftestSide : private CompletionChannel, private MemoryPoller
{
  public:
    /** @param listener told of everything; outlives the side */
    PerftestSide(const PerftestPlan& plan, const ApplicationHost& host, PerftestListener& listener);

    /** Makes the verbs objects. @return why the device refused; empty if it did not */
    std::string SetUp(ApplicationEnvironment& environment);

    const ApplicationHost& GetHost() const
    {
        return m_host;
    }

    Qpn GetQpn(uint32_t pair) const
    {
        return m_qpns[pair];
    }

    /** Where the peer may write and read. */
    RemoteMemory GetMemory() const;

    void SetPeer(const RemoteMemory& peer)
    {
        m_peer = peer;
    }

    /** Fills the receive queues. @return why it could not; empty if it could */
    std::string PostReceives(SimTime now);

    /** Posts to a send queue. @return why it could not; empty if it could */
    std::string Post(const PerftestPost& post, SimTime now);

  private:
    static constexpr std::size_t POLL_BATCH = 16; ///< @spec perftest, CTX_POLL_BATCH

    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override;
    void OnMemoryChanged(uint32_t mark, uint64_t bytes, SimTime now) override;

    void Take(const WorkCompletion& completion, SimTime now);
    void RepostReceive(uint32_t pair, SimTime now);
    SendRequest MakeRequest(const PerftestPost& post, uint32_t index) const;
    uint64_t GetAreaBytes() const;
    std::string MakeQueues();
    std::string MakeQueuePairs(uint32_t mark);

    const PerftestPlan& m_plan;
    ApplicationHost m_host;
    PerftestListener& m_listener;
    ProtectionDomainId m_domain;
    CompletionQueueId m_sendQueue;
    CompletionQueueId m_receiveQueue;
    MemoryRegion m_region;
    std::vector<Qpn> m_qpns;
    RemoteMemory m_peer;
    ScatterGatherElement m_sendPiece;    ///< of the current post
    ScatterGatherElement m_receivePiece; ///< of every receive request
    std::vector<SendRequest> m_requests; ///< of the current post
    bool m_isPolling{false};
};

} // namespace ns3::rdma
