// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/traffic-class.h"
#include "base/units.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * Remembers which (port, priority) a switch has paused and when each PAUSE must be repeated.
 *
 * A plain value: the switch sends the frames.
 */
class PauseKeeper
{
  public:
    struct Entry
    {
        SimTime refreshAt{};
        uint16_t port{0};
        uint8_t priority{0};
    };

    /** @param refreshAfter by port: the part of its pause time after which a PAUSE is repeated */
    void SetUp(std::vector<SimTime> refreshAfter)
    {
        m_refreshAfter = std::move(refreshAfter);
        m_paused.assign(m_refreshAfter.size(), 0);
    }

    /** Pauses of a port that are sent from now on are repeated after this part of their time. */
    void SetRefreshTime(uint16_t port, SimTime after)
    {
        m_refreshAfter[port] = after;
    }

    bool IsPaused(uint16_t port, uint8_t priority) const
    {
        return (m_paused[port] & PriorityBit(priority)) != 0;
    }

    bool HasPauses() const
    {
        return m_count != 0;
    }

    /** A PAUSE is sent now, for the first time or again. */
    void Pause(uint16_t port, uint8_t priority, SimTime now);

    /** A resume is sent. */
    void Resume(uint16_t port, uint8_t priority);

    /** When the next repetition is due; Never() without one. */
    SimTime NextRefresh();

    /** A (port, priority) whose PAUSE must be repeated by now. */
    std::optional<Entry> PopDue(SimTime now);

  private:
    void DropStale();

    std::vector<SimTime> m_refreshAfter;
    std::vector<PriorityMask> m_paused; ///< by port
    std::vector<Entry> m_heap;          ///< earliest first; entries of resumed pauses linger
    std::vector<SimTime> m_current;     ///< by (port, priority): the entry that counts
    uint32_t m_count{0};
};

} // namespace ns3::rdma
