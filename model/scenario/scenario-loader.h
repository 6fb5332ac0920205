// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/group-rules.h"
#include "scenario/scenario.h"
#include "scenario/setting.h"

#include <optional>
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

/** A value that was read already, and where it goes. */
struct SettingAt
{
    std::string key; ///< dotted, as in SettingOverride
    Setting value;
};

/** What to load; at least one of the two files is named. */
struct LoadRequest
{
    std::string file;       ///< a scenario in YAML
    std::string hpccConfig; ///< a configuration of the HPCC simulator
    std::vector<SettingOverride> overrides;
    /** Which run of a sweep it is: values that lie over all others. Nothing: no run of a sweep. */
    std::optional<std::vector<SettingAt>> point;
};

/** What the files of a request and its options give, without an HPCC configuration. */
struct RequestedSettings
{
    Setting root;
    std::vector<std::string> files;
};

/**
 * Reads the files of a request and lays its options over them; knows nothing of their meaning.
 *
 * @error files that cannot be read, options that are not YAML or lead nowhere
 */
Expected<RequestedSettings> ReadRequest(const LoadRequest& request);

/**
 * Loads a scenario: reads, checks, generates topology and flows.
 *
 * Values, later wins: attribute default, parameter set, HPCC configuration, files that the scenario
 * extends, scenario file, command line, point of a sweep.
 *
 * @error everything that is wrong with the input, in one go; parts of the work that depend on
 *        something wrong are not tried, so that no error follows from another
 */
Expected<Scenario> LoadScenario(const LoadRequest& request,
                                const GroupRules& rules = GetGroupRules());

} // namespace ns3::rdma
