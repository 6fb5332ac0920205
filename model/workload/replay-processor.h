// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"
#include "tracefile/operation.h"

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3::rdma
{

class GraphThread;
class ReplayEngine;

/**
 * A processor of a schedule: computes one thing at a time, and nothing else begins on it meanwhile.
 *
 * What became ready first goes first; of one instant messages before receives before computing,
 * then by number.
 */
class ReplayProcessor
{
  public:
    /** @param order of its event among those of one time */
    ReplayProcessor(ReplayEngine& engine, EventOrder order);

    /** An operation has become ready; its thread gets OnProcessor when its turn has come. */
    void Ask(GraphThread& thread, uint64_t operation, OperationKind kind, SimTime now);

    bool IsBusy() const
    {
        return m_event.IsPending();
    }

  private:
    /** Since when it is ready, its kind, its number, and its thread's place in the trace. */
    using Entry = std::tuple<SimTime, OperationKind, uint64_t, uint32_t>;

    void SelectLater();
    void Select(SimTime now);
    void OnComputed(SimTime now);

    ReplayEngine& m_engine;
    Event m_event; ///< end of what is computed
    GraphThread* m_thread{nullptr};
    uint64_t m_operation{0};
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_ready;
    bool m_isDue{false}; ///< a selection has been asked for
};

} // namespace ns3::rdma
