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
 *
 * Not modelled: ns3::HeapScheduler. In ns-3 3.37 its Remove can leave a late event above an early
 * one, and events then run out of order: of 1, 10, 2, 20, 21, 3, 5, 22, 23, 24, 25, 30, 31, 32 and
 * 6 ns, with that of 20 ns removed, 10 runs before 6.
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
