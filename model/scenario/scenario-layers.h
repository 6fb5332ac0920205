// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/setting.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Key of a scenario file that names the file, or the list of files, that it lies over. */
inline constexpr std::string_view EXTENDS_KEY = "extends";

/** A key that ends so adds to the list that a lower file gives: "workload+". */
inline constexpr char ADD_SUFFIX = '+';

/** A scenario file with all files that it lies over, as one tree. */
struct ScenarioLayers
{
    Setting root;                   ///< a map without EXTENDS_KEY; each value knows its file
    std::vector<std::string> files; ///< what was read, the lowest first
};

/**
 * Reads a scenario file and the files that it extends, and lays them over each other.
 *
 * Of several files the later lies over the earlier, and the file that names them over them all.
 * Maps are merged key by key; a plain value or a list replaces what lies below; a list under
 * "<key>+" is added to it. A path starts at the file that names it.
 *
 * @choice "name" and "description" are not inherited: they tell files apart, and the name becomes
 *         the result folder, which a variant must not share with its base
 * @error what ReadScenarioFile finds in any of the files; a file that extends itself, with the
 *        chain; a "+" key without a list on both sides
 */
Expected<ScenarioLayers> ReadScenarioLayers(const std::string& file);

} // namespace ns3::rdma
