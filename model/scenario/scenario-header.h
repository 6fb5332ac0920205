// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/scenario.h"
#include "scenario/setting.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A key of a scenario that is no attribute of a class: name, seed, duration, ... */
struct HeaderRule
{
    std::string key;  ///< dotted: "engine.ports"
    std::string type; ///< for people
    std::string help;
    std::vector<std::string> names; ///< of a choice; empty otherwise
    std::string defaultText;
};

/** All of them, in the order in which they are explained. */
const std::vector<HeaderRule>& GetHeaderRules();

/** What the header keys of a group are for: "window", "engine". */
std::string GetHeaderGroupHelp(const std::string& group);

/**
 * Keys of a file that no run is left with: what it lies over, what it is varied by, what it brings.
 * For lists and the schema; others read them.
 */
const std::vector<HeaderRule>& GetFileRules();

/**
 * Reads the header keys of a scenario, and adds them to its parameters.
 *
 * @param root      the whole tree
 * @param nameIfNone the scenario's name when it gives none
 * @return what is wrong
 */
Diagnostics ReadHeader(const Setting& root, const std::string& nameIfNone, Scenario& scenario);

} // namespace ns3::rdma
