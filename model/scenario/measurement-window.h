// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"
#include "workload/flow.h"

#include <cstdint>
#include <string>

namespace ns3::rdma
{

/**
 * Which flows count for the statistics: those that start in it. The others are traffic all the
 * same.
 *
 * Leaving out what starts before the network has filled is usual; leaving out what starts shortly
 * before the end keeps long flows from being missed more often than short ones.
 */
struct MeasurementWindow
{
    SimTime warmUp{};                 ///< the first start that counts
    SimTime cutOff{SimTime::Never()}; ///< the first that does not any more; Never(): all count

    bool Holds(SimTime start) const
    {
        return warmUp <= start && start < cutOff;
    }

    /** Whether it leaves nothing out. */
    bool IsWhole() const
    {
        return *this == MeasurementWindow{};
    }

    bool operator==(const MeasurementWindow&) const = default;
};

/** Numbers of flows, from the first to the one behind the last. */
struct FlowRange
{
    uint32_t first{0};
    uint32_t behind{0};
};

/** The flows that start in a window, of a list that is ordered by start. */
FlowRange FindFlows(const MeasurementWindow& window, const FlowList& flows);

/** "flows that start from 1ms to 9ms"; "all flows" of a window that is whole. */
std::string Describe(const MeasurementWindow& window);

} // namespace ns3::rdma
