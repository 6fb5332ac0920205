// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/topology/generate.h"
#include "workload/workload-generator.h"

namespace ns3::rdma
{

/** The flows of a workload class on a topology, with its notes thrown away. */
inline Expected<FlowList>
GenerateFlows(const Topology& topology,
              const std::string& name,
              const AttributeTexts& attributes = {},
              uint64_t seed = 1)
{
    std::vector<std::string> notes;
    return Make<WorkloadGenerator>(name, attributes)->Generate(topology, seed, notes);
}

/** The same; an empty list, and a failure, if there is an error. */
inline FlowList
MustGenerateFlows(const Topology& topology,
                  const std::string& name,
                  const AttributeTexts& attributes = {},
                  uint64_t seed = 1)
{
    const auto flows = GenerateFlows(topology, name, attributes, seed);
    if (!flows)
    {
        ADD_FAILURE() << ToString(flows.Errors()[0]);
        return {};
    }
    return *flows;
}

} // namespace ns3::rdma
