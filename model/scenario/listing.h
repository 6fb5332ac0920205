// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/group-rules.h"
#include "scenario/scenario.h"

#include <string>

namespace ns3::rdma
{

/** All groups, and the names that can be chosen in each: an overview for "rdmasim list". */
std::string ListGroups(const GroupRules& rules);

/**
 * One group in full: each class with its attributes, types, units, ranges, defaults, and its
 * parameter sets with their sources.
 *
 * @param kind  key of a group, or its last word ("buffer")
 * @param name  of one class; empty for all
 * @error an unknown kind or name, with the nearest and all known
 */
Expected<std::string> ListGroup(const GroupRules& rules,
                                const std::string& kind,
                                const std::string& name);

/** Each parameter in force: key, value, where it came from, type and help. */
std::string ExplainScenario(const Scenario& scenario);

/** "16 hosts, 1 switch, 16 links, 15 flows of 15MB in all" */
std::string SummariseScenario(const Scenario& scenario);

} // namespace ns3::rdma
