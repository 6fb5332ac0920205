// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/scenario-loader.h"
#include "scenario/sweep-axes.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** One combination of the values of a sweep. */
struct SweepRun
{
    std::vector<SettingAt> point;
    std::vector<std::string> values; ///< as text, by SweepPlan::keys
    std::string name;                ///< of its folder: "003-dcqcn-senders8-seed2"
};

/** Everything that a scenario asks to be run. */
struct SweepPlan
{
    LoadRequest request;           ///< what all runs have in common
    std::vector<std::string> keys; ///< of the sweep, in order; empty: one ordinary run
    std::vector<SweepRun> runs;    ///< the last key changes fastest; empty: one ordinary run
    Scenario first;                ///< the ordinary run, or the first of the sweep
    std::string digest;            ///< differs when anything that decides the results does
};

/**
 * Finds out what a request asks to be run, and checks it.
 *
 * Lists come from the group "sweep", and from options: "--set key=[a, b]" where the key takes one
 * value. An option with one value for a swept key takes the place of its list.
 *
 * @choice each value is checked with the first values of the other keys, not each combination: all
 *         that is wrong with a value shows before anything runs, at a price that grows with the
 *         sum of the lists instead of their product
 * @error what LoadScenario and ReadSweepAxes find, and too many combinations
 */
Expected<SweepPlan> MakeSweepPlan(const LoadRequest& request);

/** The request of one run of a plan. */
LoadRequest GetRequest(const SweepPlan& plan, const SweepRun& run);

/** What a plan runs, for people: its number of runs, and a line for each key. */
std::string DescribeSweep(const SweepPlan& plan);

} // namespace ns3::rdma
