// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "rnic/deadline-heap.h"
#include "rnic/queue-pair.h"

#include <array>

namespace ns3::rdma
{

/**
 * Which queue pair of a device sends next: round robin among those that may, by priority.
 *
 * A queue pair is ready (in the ring of its priority), paced (waits for its time), or idle. A
 * plain value: it is told of changes and asked at send times, which never go back.
 */
class SendScheduler
{
  public:
    /**
     * Puts a queue pair where it belongs after any change of its requester or limits.
     *
     * One that was ready keeps its place.
     */
    void Update(QueuePair& pair, SimTime now);

    /** The queue pair just sent; it goes to the end of its ring, or waits for its next time. */
    void AfterSend(QueuePair& pair);

    /** The earliest time, not before from, at which a queue pair of the priorities may send. */
    SimTime NextReady(SimTime from, PriorityMask open);

    /** The highest of the priorities with a ready queue pair at a time; -1 without one. */
    int ReadyPriority(SimTime at, PriorityMask open);

    /** Those of the priorities that have a ready queue pair at a time. */
    PriorityMask ReadyPriorities(SimTime at, PriorityMask open)
    {
        if (m_nextPaced <= at)
        {
            ReleasePaced(at, open);
        }
        return m_ready & open;
    }

    /** The queue pair of a priority whose turn it is; it must be ready. */
    QueuePair& Front(uint8_t priority)
    {
        return *m_rings[priority];
    }

    /** A queue pair goes away. */
    void Forget(QueuePair& pair);

  private:
    void Append(QueuePair& pair);
    void Remove(QueuePair& pair);
    void Pace(QueuePair& pair);
    void ReleasePaced(SimTime until, PriorityMask priorities);

    std::array<QueuePair*, PRIORITY_COUNT> m_rings{}; ///< heads of circular lists
    PriorityMask m_ready{0};
    PriorityMask m_hasPaced{0};
    SimTime m_nextPaced{SimTime::Never()}; ///< no paced queue pair of any priority is due before
    std::array<DeadlineHeap<QueuePair>, PRIORITY_COUNT> m_paced; ///< by priority
};

} // namespace ns3::rdma
