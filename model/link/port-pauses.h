// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "link/pfc.h"

#include <array>
#include <cstdint>

namespace ns3::rdma
{

/** One pause time of a PFC frame. */
struct PauseRequest
{
    uint8_t priority{0};
    SimTime pause{};    ///< counted from the reception; 0 resumes
    SimTime response{}; ///< after the reception, until no further frame starts
};

/**
 * The pauses that a transmitter obeys, by priority: a plain value.
 *
 * A priority may be told not to obey any, as a watchdog does with a peer that never resumes.
 */
class PortPauses
{
  public:
    /** The peer has sent a pause time. A PAUSE of a paused class restarts its time. */
    void Receive(const PauseRequest& request, SimTime now);

    /** From now on pauses of a priority are obeyed, or not; the one that runs ends either way. */
    void Ignore(uint8_t priority, bool isIgnored, SimTime now);

    /** Nothing is paused any more; what is ignored stays so. */
    void EndAll(SimTime now);

    bool IsIgnored(uint8_t priority) const
    {
        return (m_ignored & PriorityBit(priority)) != 0;
    }

    /** The latest pause of a priority; without a gap since its from if it still holds. */
    const PfcPause& Get(uint8_t priority) const
    {
        return m_pauses[priority];
    }

    /** Priorities that may start a frame. */
    PriorityMask OpenPriorities(SimTime at) const;

    /** Total time that a priority was paused until now. */
    SimTime GetTotal(uint8_t priority, SimTime now) const;

  private:
    void End(PfcPause& pause, SimTime now);

    PriorityMask m_ignored{0};
    std::array<PfcPause, PRIORITY_COUNT> m_pauses{};
};

} // namespace ns3::rdma
