// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/group-rules.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A value given on the command line. */
struct SettingOverride
{
    std::string key;    ///< dotted; numbers index lists: "workload.0.bytes"
    std::string value;  ///< YAML in one line
    std::string option; ///< "--set", "--seed", ...; becomes the origin

    bool operator==(const SettingOverride&) const = default;
};

/** What to load; at least one of the two files is named. */
struct LoadRequest
{
    std::string file;       ///< a scenario in YAML
    std::string hpccConfig; ///< a configuration of the HPCC simulator
    std::vector<SettingOverride> overrides;
};

/**
 * Loads a scenario: reads, checks, generates topology and flows.
 *
 * Values, later wins: attribute default, parameter set, HPCC configuration, scenario file, command
 * line.
 *
 * @error everything that is wrong with the input, in one go; parts of the work that depend on
 *        something wrong are not tried, so that no error follows from another
 */
Expected<Scenario> LoadScenario(const LoadRequest& request,
                                const GroupRules& rules = GetGroupRules());

} // namespace ns3::rdma
