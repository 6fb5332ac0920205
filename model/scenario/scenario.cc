// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

#include "scenario/component-catalog.h"
#include "scenario/group-rules.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3::rdma
{

Scenario
MakeDefaultScenario(Topology topology)
{
    Scenario scenario;
    scenario.name = topology.family;
    scenario.topology = std::move(topology);
    for (const GroupRule& rule : GetGroupRules())
    {
        if (rule.slot == nullptr)
        {
            continue;
        }
        std::optional<TypeId> type;
        if (rule.selector.empty())
        {
            type = FindType(rule.typeName);
        }
        for (const Component& component : FindComponents(rule.typeName, rule.noun))
        {
            if (!rule.selector.empty() && component.name == rule.defaultChoice)
            {
                type = component.type;
            }
        }
        NS_ABORT_MSG_IF(!type, "no class is registered for " << rule.key);
        (scenario.*rule.slot).SetTypeId(*type);
    }
    return scenario;
}

Diagnostics
LocateDiagnostics(Diagnostics diagnostics, const Scenario& scenario)
{
    for (Diagnostic& diagnostic : diagnostics)
    {
        const auto parameter =
            std::find_if(scenario.parameters.begin(),
                         scenario.parameters.end(),
                         [&diagnostic](const auto& p) { return p.key == diagnostic.key; });
        if (diagnostic.file.empty() && parameter != scenario.parameters.end())
        {
            diagnostic.file = parameter->origin;
        }
    }
    return diagnostics;
}

} // namespace ns3::rdma
