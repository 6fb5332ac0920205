// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"
#include "verbs/growing-ring.h"
#include "workload/replay-interface.h"
#include "workload/replay-statistics.h"
#include "workload/replay-survey.h"
#include "workload/replay-thread.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

class ReplayEngine;

/**
 * A queue pair of a recorded program.
 *
 * Completions wait here, those of sends and those of receives each in their order, until the trace
 * takes them. An entry of the trace takes the next of its side; one with an error status, whose
 * opcode means nothing, that which came first.
 */
class ProgramQueuePair : public ReplayEndpoint
{
  public:
    /** Identifier of all receive requests; those of sends count from 0. */
    static constexpr uint64_t RECEIVE_ID = uint64_t{1} << 63;

    /** How its life ends. */
    enum class Ending : uint8_t
    {
        NONE,
        ERROR,
        DESTROYED,
    };

    /** @param surveyed outlives it */
    ProgramQueuePair(ReplayEngine& engine, const SurveyedQueuePair& surveyed);

    /** Makes it, in state RESET. @param sharedQueue 0: it has a receive queue of its own */
    std::string Create(SharedReceiveQueueId sharedQueue);

    /**
     * Takes it to where the trace does. Both ends have been created.
     *
     * @param peer null: it is not connected
     * @return a refusal, or empty
     */
    std::string Connect(ProgramQueuePair* peer, SimTime now);

    const SurveyedQueuePair& GetSurveyed() const
    {
        return m_surveyed;
    }

    /** The other end; null: the trace connects it with nothing. */
    ProgramQueuePair* GetPeer() const
    {
        return m_peer;
    }

    /** Whether the trace has come to where it is connected. */
    bool IsReady() const
    {
        return m_isReady;
    }

    void SetReady();

    /** Posts a request. @param element of its memory; its keys are the device's */
    VerbsError PostSend(const TraceOperation& operation,
                        const ScatterGatherElement& element,
                        uint32_t rkey,
                        SimTime now);

    VerbsError PostReceive(const TraceOperation& operation,
                           const ScatterGatherElement& element,
                           SimTime now);

    /** Whether the completion that an entry of the trace takes has come. */
    bool HasCompletion(const TraceOperation& entry) const
    {
        return entry.status != 0 ? !m_sends.arrived.IsEmpty() || !m_receives.arrived.IsEmpty()
                                 : !SideOf(entry).arrived.IsEmpty();
    }

    /** Takes it, and counts what is not as recorded. */
    void TakeCompletion(const TraceOperation& entry);

    /** Takes it when it comes (mode recorded). */
    void OweCompletion(const TraceOperation& entry);

    /** Entries of the trace whose completion has not come. */
    bool OwesCompletions() const
    {
        return !m_sends.owed.IsEmpty() || !m_receives.owed.IsEmpty();
    }

    /** Wakes a thread when anything completes, or when it becomes ready. */
    void AddWaiter(ReplayThread& thread)
    {
        m_waiters.push_back(&thread);
    }

    /** The trace ends it; done when nothing of the trace is on its way any more. */
    void End(Ending ending);

    /** The process of the peer will not post anything more. */
    void OnPeerEnded();

    void OnCompletion(const WorkCompletion& completion, SimTime now) override;
    void OnMemoryChanged(uint32_t mark, uint64_t bytes, SimTime now) override;

  private:
    struct Posted
    {
        SimTime time{};
        uint64_t bytes{0};
        uint8_t opcode{0};
        bool isSignalled{false};
    };

    struct Arrived
    {
        WorkCompletion completion;
        uint64_t number{0}; ///< in the order of arrival
    };

    struct Owed
    {
        uint8_t status{0};
        uint8_t opcode{0};
        uint64_t bytes{0};
    };

    struct Side
    {
        GrowingRing<Arrived> arrived;
        GrowingRing<Owed> owed;
    };

    static bool IsReceive(uint8_t opcode)
    {
        constexpr uint8_t RECEIVE_BIT = 128; // of ibv_wc_opcode
        return (opcode & RECEIVE_BIT) != 0;
    }

    const Side& SideOf(const TraceOperation& entry) const
    {
        return IsReceive(entry.opcode) ? m_receives : m_sends;
    }

    Side& SideOf(const TraceOperation& entry)
    {
        return IsReceive(entry.opcode) ? m_receives : m_sends;
    }

    QueuePairAttributes MakeAttributes() const;

    /** Sequence numbers that the trace says at one end only, or nowhere. */
    void MatchPsns(const QueuePairChange& peer, QueuePairAttributes& attributes) const;
    void ForgetPosted(const WorkCompletion& completion, SimTime now);
    void Compare(const Owed& entry, const WorkCompletion& completion);
    bool IsQuiet() const;
    void TryToEnd();
    void DoEnd(SimTime now);
    void WakeWaiters();

    ReplayEngine& m_engine;
    const SurveyedQueuePair& m_surveyed;
    ReplayInterface& m_interface;
    ReplayFigures& m_figures;
    ProgramQueuePair* m_peer{nullptr};
    Qpn m_qpn{};
    bool m_isReady{false};
    bool m_hasPeerEnded{false};
    Ending m_ending{Ending::NONE}; ///< that the trace asks for
    Ending m_ended{Ending::NONE};  ///< that has been done
    bool m_isEndDue{false};        ///< will be done at the end of this instant
    uint32_t m_inlineBytes{0};
    uint32_t m_nextRequest{0};
    uint32_t m_oldestRequest{0};
    uint64_t m_reaching{0};  ///< requests posted that reach the peer
    uint64_t m_delivered{0}; ///< requests of the peer that have arrived
    uint64_t m_arrivals{0};  ///< completions that have come
    uint64_t m_signalled{0}; ///< requests posted that complete with an entry, and have not
    GrowingRing<Posted> m_posted;
    Side m_sends;
    Side m_receives;
    std::vector<ReplayThread*> m_waiters;
};

} // namespace ns3::rdma
