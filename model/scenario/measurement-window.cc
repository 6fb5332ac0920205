// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/measurement-window.h"

#include "base/quantity.h"

#include <algorithm>

namespace ns3::rdma
{

FlowRange
FindFlows(const MeasurementWindow& window, const FlowList& flows)
{
    const auto find = [&flows](SimTime time)
    {
        const auto found =
            std::lower_bound(flows.begin(),
                             flows.end(),
                             time,
                             [](const Flow& flow, SimTime t) { return flow.start < t; });
        return static_cast<uint32_t>(found - flows.begin());
    };
    return {find(window.warmUp), find(window.cutOff)};
}

std::string
Describe(const MeasurementWindow& window)
{
    if (window.IsWhole())
    {
        return "all flows";
    }
    return "flows that start from " + ToString(window.warmUp) +
           (window.cutOff.IsNever() ? " on" : " to " + ToString(window.cutOff));
}

} // namespace ns3::rdma
