// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/run-request.h"
#include "scenario/sweep-plan.h"

#include <ostream>

namespace ns3::rdma
{

/** Where a sweep tells what it does. */
struct SweepStreams
{
    std::ostream& out; ///< receives what was done
    std::ostream& err; ///< receives diagnostics, and a line for each run that ends
};

/**
 * Runs all runs of a plan, each in a process of its own, and writes a folder for all of them.
 *
 * Runs that the folder already holds in full are not made again. A run that fails keeps no other
 * from being made. Ctrl-C ends those that are under way, which write what they have; a second one
 * does not wait for that. What a run has to say is in messages.txt of its folder.
 *
 * The processes are copies of this one: values, plugins and places of files are those of the plan.
 *
 * @param plan    with runs
 * @param runner  is called in the copies
 * @param request folder, number of processes
 * @return an ExitCode
 */
int RunSweep(const SweepPlan& plan,
             const ScenarioRunner& runner,
             const RunRequest& request,
             const SweepStreams& streams);

} // namespace ns3::rdma
