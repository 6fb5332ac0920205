// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "engine/event-queue.h"

#include "ns3/event-id.h"

#include <cstdint>

namespace ns3::rdma
{

/**
 * Runs an EventQueue on a stock ns-3 simulator implementation, with the results of
 * FabricSimulatorImpl.
 *
 * The queue hangs on one ns-3 event at the time of its first event. When that fires, it posts
 * itself again at the same time, until no other ns-3 event has run in between: then all of this
 * picosecond have run, and the fabric's events of the picosecond follow. ns-3 events that these
 * add at the same time run next, and if they add fabric events, the queue hangs itself again.
 *
 * The hanging event is removed, not left to fire idly, when the first event moves: otherwise the
 * simulation could end at a time at which nothing happened.
 *
 * Works with DefaultSimulatorImpl and any Scheduler. The resolution of Time must be picoseconds.
 */
class StockEventDriver final : public EventQueue::Host
{
  public:
    StockEventDriver();

    EventQueue& GetEventQueue()
    {
        return m_queue;
    }

    SimTime GetHostTime() const override;
    void OnNextTimeChanged() override;

  private:
    void Hang();
    void OnFirstTurn();
    void OnLaterTurn();
    void PostAgain();
    void Close();

    EventQueue m_queue;
    EventId m_hanger;
    SimTime m_hangerTime{SimTime::Never()}; ///< when m_hanger fires; Never() when there is none
    uint64_t m_eventCount{0};               ///< ns-3 events at the last turn of this picosecond
};

} // namespace ns3::rdma
