// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * The names of the engines: "fabric" for FabricSimulatorImpl, and ns-3's DefaultSimulatorImpl by
 * the scheduler it sorts its events with.
 */
std::vector<std::string> GetEngineNames();

/**
 * Makes an engine the running one; results are the same on all of them, speed is not.
 *
 * Sets ns-3's global values SimulatorImplementationType and SchedulerType and creates the
 * implementation. Call it before anything uses ns3::Simulator: a node is enough to create one.
 *
 * @param name one of GetEngineNames()
 * @return what is wrong: an unknown name, or another implementation that runs already
 */
[[nodiscard]] std::optional<Diagnostic> SelectEngine(const std::string& name);

} // namespace ns3::rdma
