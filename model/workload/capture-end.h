// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tracefile/operation.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3::rdma
{

/**
 * What one end of a capture did, put in order while parts of it are still being seen.
 *
 * An operation takes its place when its first packet is seen; it is yielded when it is known whole
 * and all before it were yielded.
 */
class CaptureEnd
{
  public:
    /** The place of an operation, counted from 0. */
    using Place = uint64_t;

    /** Takes the next place for an operation of a time; nothing behind it is yielded before it. */
    Place Reserve(const TraceOperation& operation);

    /** An operation that is known whole takes the next place. */
    void Add(const TraceOperation& operation)
    {
        Release(Reserve(operation));
    }

    /** The operation of a place that was not released yet. */
    TraceOperation& At(Place place)
    {
        return m_entries[place - m_first].operation;
    }

    /** The operation is known whole. */
    void Release(Place place)
    {
        m_entries[place - m_first].state = State::READY;
    }

    /** There is no such operation after all. */
    void Drop(Place place)
    {
        m_entries[place - m_first].state = State::DROPPED;
    }

    /** Takes the next operation. @return false: there is none that is known whole */
    bool Pop(TraceOperation& operation);

    /** How many operations have a place and were not yielded. */
    std::size_t GetHeld() const
    {
        return m_entries.size();
    }

  private:
    enum class State : uint8_t
    {
        HELD,
        READY,
        DROPPED,
    };

    struct Entry
    {
        TraceOperation operation;
        State state{State::HELD};
    };

    std::deque<Entry> m_entries;
    Place m_first{0}; ///< place of the oldest entry
    int64_t m_lastTimeNs{INT64_MIN};
};

} // namespace ns3::rdma
