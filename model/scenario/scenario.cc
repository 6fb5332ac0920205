// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/scenario.h"

#include <algorithm>

namespace ns3::rdma
{

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
