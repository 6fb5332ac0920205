// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "workload/replay-statistics.h"
#include "workload/replay-thread.h"

#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <tuple>
#include <vector>

namespace ns3::rdma
{

class ReplayEngine;
class ReplayProcessor;

/**
 * A thread of a schedule: operations begin when what they depend on has come about.
 *
 * Operations are read ahead within a window from the oldest that has not ended, and in a thread
 * whose earliest starts do not decrease no sooner than they may begin. The window spans what any
 * operation is behind its causes, as a survey of the trace has found, and grows when much of it
 * has ended: then the oldest holds back others far behind it. An operation is forgotten when it and
 * all before it have ended. One that waits outside of the largest window, although nothing would
 * hold it back, begins late; the replay says if that may have happened.
 */
class GraphThread : public ReplayThread
{
  public:
    GraphThread(ReplayEngine& engine, uint32_t thread);
    ~GraphThread() override;

    /** Its place in the trace. */
    uint32_t GetNumber() const
    {
        return m_thread;
    }

    void Run(SimTime now) override;
    bool HasReached(uint64_t operation, DependencyEvent event) const override;
    void Await(const Dependency& what, ReplayThread& waiter, uint64_t operation) override;
    void OnReached(uint64_t operation) override;

    bool HasEnded() const override
    {
        return m_hasEnded;
    }

    bool HasPlans() const override;
    std::string DescribeWait() const override;

    /** A message that it has sent is acknowledged. */
    void OnAcknowledged(uint64_t operation);

    /** A message that it waits for is in memory. */
    void OnReceived(uint64_t operation);

    /** A processor does what an operation asked it for. @return how long COMPUTE lasts */
    SimTime OnProcessor(uint64_t operation, SimTime now);

    /** A processor has computed. */
    void OnComputed(uint64_t operation);

    /** Whether operations may have begun late because too many had not ended. */
    bool WasCrowded() const
    {
        return m_wasCrowded;
    }

  private:
    static constexpr uint32_t NONE = UINT32_MAX;

    /** Windows of all threads together. @choice 64 bytes and edges each: half a gigabyte */
    static constexpr uint64_t MOST_AHEAD = 1U << 22;

    /** The smallest window. @choice more than most schedules need, and no more than caches hold */
    static constexpr uint64_t LEAST_AHEAD = 1U << 10;

    /** A window grows when one in so many has ended behind its oldest. @choice more than end out of
        order because their messages go different ways */
    static constexpr uint64_t ENDED_PART = 8;

    /** An operation that has been read and has not ended, or stands behind such a one. */
    struct Node
    {
        OperationKind kind{OperationKind::NONE};
        uint8_t opcode{0};
        bool hasBegun{false};
        bool hasEnded{false};
        uint32_t causesLeft{0};
        ObjectId object{NO_OBJECT};
        ObjectId processor{NO_OBJECT};
        uint32_t tag{0};
        uint32_t onStart{NONE}; ///< first of those that wait for its begin
        uint32_t onEnd{NONE};
        uint64_t bytes{0};
        int64_t durationNs{0};
        SimTime earliest{};
        SimTime begun{};
    };

    static_assert(sizeof(Node) == 64);

    /** Somebody who waits; of one operation and event a list. */
    struct Edge
    {
        ReplayThread* waiter{nullptr};
        uint64_t operation{0};
        uint32_t next{NONE};
    };

    struct Unread
    {
        DependencyEvent event{};
        ReplayThread* waiter{nullptr};
        uint64_t operation{0};
    };

    /** When something is due, which operation, and whether it ends then. */
    using Due = std::tuple<SimTime, uint64_t, bool>;

    Node& At(uint64_t number)
    {
        return m_nodes[number & m_mask];
    }

    const Node& At(uint64_t number) const
    {
        return m_nodes[number & m_mask];
    }

    // Reading and waiting (graph-thread.cc)
    void OnTime(SimTime now);
    void Fill(SimTime now);
    bool MayReadOn();
    void Insert(SimTime earliest);
    void CountCauses(uint64_t number);
    Node& Append();
    void AddEdge(Node& node, DependencyEvent event, const Edge& edge);
    void TellAll(uint32_t& list);
    void Forget();
    void Finish(SimTime now);
    ReplayProcessor& GetProcessor(ObjectId number);

    // Operations (graph-thread-steps.cc)
    void Start(uint64_t number, SimTime now);
    void Begin(uint64_t number, SimTime now);
    void End(uint64_t number, SimTime now);
    void DoDue(SimTime now);
    void Plan(const Due& due);
    SimTime GetEarliest(const TraceOperation& operation) const;

    ReplayEngine& m_engine;
    OperationStream& m_stream;
    uint32_t m_thread;
    uint32_t m_process;
    ReplayFigures& m_figures;
    Event m_event;
    const uint64_t m_mostAhead;
    uint64_t m_window;         ///< operations that are read ahead now
    uint64_t m_endedAhead{0};  ///< of these, ended and not forgotten
    const bool m_isSorted;     ///< earliest starts of the thread do not decrease
    std::vector<Node> m_nodes; ///< a ring; its size is a power of two
    uint64_t m_mask{0};        ///< its size less 1
    uint64_t m_oldest{0};      ///< all before it have ended
    uint64_t m_read{0};        ///< all before it have been read
    TraceOperation m_next;     ///< the one that is read next, if it has been taken
    bool m_hasNext{false};
    bool m_isExhausted{false};
    bool m_hasEnded{false};
    bool m_hasStopped{false}; ///< too many had not ended to read on
    bool m_wasCrowded{false};
    std::vector<Edge> m_edges;
    uint32_t m_freeEdge{NONE};
    std::multimap<uint64_t, Unread> m_unread; ///< who waits for operations not read yet
    std::vector<uint64_t> m_ready;
    std::vector<uint64_t> m_ending;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_due;
    SimTime m_readAt{}; ///< when the next is to be read
};

} // namespace ns3::rdma
