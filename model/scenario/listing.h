// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/group-rules.h"
#include "scenario/scenario.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3::rdma
{

/** All groups, and the names that can be chosen in each: an overview for "rdmasim list". */
std::string ListGroups(const GroupRules& rules);

/**
 * One group in full: each class with its attributes, types, units, ranges, defaults, and its
 * parameter sets with their sources.
 *
 * @param kind  key of a group ("switch.buffer"), of a header key ("duration") or of a list of names
 *              ("transport.policy"), or its last word ("buffer"); or the name of a class, wherever
 *              it belongs
 * @param name  of one class; empty for all
 * @error an unknown kind or name, with the nearest and all known
 */
Expected<std::string> ListGroup(const GroupRules& rules,
                                const std::string& kind,
                                const std::string& name);

/** Which parameters are explained. */
enum class Explained : uint8_t
{
    ALL,
    CHANGED, ///< those that are not at the default of their class
};

/** Each parameter in force: key, value with its unit, where it came from, type and help. */
std::string ExplainScenario(const Scenario& scenario, Explained which = Explained::ALL);

/** The same for programs: a list of maps key, value, origin, type, help; notes and warnings. */
nlohmann::ordered_json ExplainScenarioAsJson(const Scenario& scenario,
                                             Explained which = Explained::ALL);

/** "16 hosts, 1 switch, 16 links, 15 flows of 15MB in all" */
std::string SummariseScenario(const Scenario& scenario);

} // namespace ns3::rdma
