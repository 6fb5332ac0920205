// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** A priority of a direction of a cable that its receiver has paused for ever. */
struct BlockedClass
{
    uint32_t direction{0}; ///< index into Fabric::GetLinks
    uint8_t priority{0};

    auto operator<=>(const BlockedClass&) const = default;
};

/** What waits for itself. */
struct Deadlock
{
    std::vector<BlockedClass> cycle; ///< each waits for the next, the last for the first
    std::size_t blocked{0};          ///< classes that no frame will leave again, cycle included

    bool IsFound() const
    {
        return !cycle.empty();
    }
};

/**
 * Finds classes of links between switches that wait for each other in a circle.
 *
 * A paused transmitter waits for the egress queues of the switch behind its cable that hold frames
 * which came in by that cable in that priority: only when they leave may it be resumed. It is
 * deadlocked if all of these queues are deadlocked, too. Who waits for a host, or for a queue that
 * moves, is not: its wait may end.
 *
 * @choice a class is deadlocked only if all that it waits for is: one frame in a queue that still
 * moves puts off the verdict until it has left, and there are no false alarms
 */
class DeadlockFinder
{
  public:
    /** @param fabric outlives the finder */
    explicit DeadlockFinder(Fabric& fabric);

    /**
     * Looks at the fabric as it is; its ports make up for their departures.
     *
     * Costs little while no pause between switches is older than minAge.
     *
     * @param minAge pauses that are younger end the search; 0 takes all
     */
    Deadlock Find(SimTime now, SimTime minAge = {});

    /** The cycle, link by link: "s0 port 1 -> s1 port 2 -> s0 port 1, priority 3". */
    std::string Describe(const Deadlock& deadlock) const;

  private:
    using Waits = std::map<BlockedClass, std::vector<BlockedClass>>;

    Waits FindPaused(SimTime now, SimTime minAge);
    std::vector<BlockedClass> FindQueuesOf(const BlockedClass& blocked, SimTime now) const;
    static void RemoveMoving(Waits& waits);
    static std::vector<BlockedClass> CutCycle(const Waits& waits);

    Fabric& m_fabric;
    std::vector<uint32_t> m_between; ///< directions from a switch to a switch
    /** The direction that leaves a switch by a port. */
    std::map<std::pair<const RdmaSwitch*, uint16_t>, uint32_t> m_directionOf;
};

} // namespace ns3::rdma
