// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "tests/conformance/program-output.h"
#include "tests/conformance/script.h"
#include "verbs/verbs-device.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Where an actor finds its device, and what it is to do there. */
struct ActorSetup
{
    EventQueue* events{nullptr};
    VerbsDevice* device{nullptr};
    uint32_t side{0};
    uint32_t number{0}; ///< of the actor, in the run; the mark of its queue pair
    SideSettings settings{};
    Actions actions;
    uint64_t regionBytes{0}; ///< what the peer and it itself reach in a region
    bool knowsMemory{false};
    SimTime reaction{}; ///< how long the application takes to answer an event

    /** Frames that must have reached the host before the n-th request is posted; empty: none. */
    std::vector<uint64_t> gates{};
};

/** What a peer has to know: the address of a queue pair and its regions. */
struct PeerRegions
{
    std::array<uint64_t, 2> addresses{};
    std::array<uint32_t, 2> rkeys{};
};

/**
 * An application on one queue pair: does its actions one after the other, and writes down its
 * completions.
 *
 * Requests are numbered from 1, receives from 1000, as by the verbs tester.
 */
class Actor : private CompletionChannel
{
  public:
    explicit Actor(ActorSetup setup);

    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;

    Qpn GetQpn() const
    {
        return m_qpn;
    }

    PeerRegions GetRegions() const;

    /** Brings the queue pair up and begins. @param sendPsn and receivePsn of the first requests */
    void Start(const PeerRegions& peer, Qpn destinationQp, Psn sendPsn, Psn receivePsn);

    /** A frame of the connection is on its way to the host. */
    void OnFrame();

    /** A request message of the peer has been executed. */
    void OnExecuted();

    /** Completions and the buffer until now. */
    ProgramOutput GetOutput() const;

    /** The actions that it has not done yet; "" when it has done all. */
    std::string GetPending() const;

    /** Requests that the device refused to take. */
    uint64_t GetRefused() const
    {
        return m_refused;
    }

  private:
    void OnCompletionEvent(CompletionQueue& queue, SimTime now) override;
    void CreateQueuePair(ProtectionDomainId domain);
    void RegisterRegions(ProtectionDomainId domain);
    void Modify(QueuePairState state, uint32_t mask, QueuePairAttributes attributes);
    void Wake();
    void OnWake(SimTime now);
    bool IsGated(const Action& action) const;
    bool IsBlocked(const Action& action, SimTime now);
    void Do(const Action& action, SimTime now);
    void Post(const Action& action, SimTime now);
    void PostReceives(const Action& action, SimTime now);

    ActorSetup m_setup;
    PeerRegions m_peer{};
    std::array<std::vector<std::byte>, 3> m_storage; ///< two regions, and one for receives
    std::array<MemoryRegion, 3> m_regions{};
    CompletionQueueId m_sendQueue{};
    CompletionQueueId m_receiveQueue{};
    Qpn m_qpn{};
    Event m_wake;
    std::size_t m_next{0};   ///< action to be done
    bool m_isStarted{false}; ///< that action has begun to wait
    SimTime m_until{};       ///< end of its sleep
    uint64_t m_posted{0};    ///< send requests
    uint64_t m_signalled{0}; ///< those of them that complete with an entry
    uint64_t m_receives{0};  ///< posted
    uint64_t m_received{0};  ///< awaited so far
    uint64_t m_executed{0};
    uint64_t m_awaited{0}; ///< executed messages awaited so far
    uint64_t m_refused{0};
    uint64_t m_frames{0}; ///< that have reached the host
    ProgramOutput m_output;
};

} // namespace ns3::rdma
