// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/**
 * Follows what a buffer holds from frame to frame, though it is told late of some.
 *
 * A frame is held from its arrival until its port is free again, as a switch counts it. Of one
 * instant those that leave come before those that arrive.
 */
class BufferTrack
{
  public:
    /** A frame has been accepted. */
    void OnArrival(uint32_t frameBytes, SimTime now)
    {
        m_steps.push_back({now, frameBytes});
    }

    /** A frame has started at an egress port; possibly before arrivals that were told of. */
    void OnStart(uint16_t port, BitRate rate, uint32_t frameBytes, SimTime start);

    /** A frame that waited is lost. */
    void OnFlush(uint32_t frameBytes, SimTime now)
    {
        m_steps.push_back({now, -static_cast<int64_t>(frameBytes)});
    }

    /** Arrivals and departures that have not been followed yet. */
    std::size_t GetWaitingCount() const
    {
        return m_steps.size();
    }

    /** Everything before a time has been told of. */
    void Follow(SimTime time);

    /** The most that was held since the last call, at the last call itself too; until now. */
    uint64_t TakeWatermark(SimTime now);

    /** What the buffer holds now, all that was told of included. */
    void Begin(uint64_t heldBytes)
    {
        m_held = static_cast<int64_t>(heldBytes);
        m_watermark = m_held;
    }

  private:
    struct Step
    {
        SimTime time{};
        int64_t bytes{0}; ///< negative: they leave
    };

    /** The clock of a port, which carries what is left of a picosecond from frame to frame. */
    struct PortClock
    {
        SimTime freeAt{};
        uint64_t remainder{0};
    };

    std::vector<Step> m_steps;
    std::vector<PortClock> m_clocks; ///< by port
    int64_t m_held{0};
    int64_t m_watermark{0};
};

} // namespace ns3::rdma
