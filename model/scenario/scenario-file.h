// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/setting.h"

#include <string>

namespace ns3::rdma
{

/**
 * Reads a YAML file into a tree of settings; knows nothing of their meaning.
 *
 * @error no such file, empty file, no map at the top, malformed YAML with its line, a key twice
 *        in one map (all of them), keys that are no plain text
 * @spec YAML 1.2; several documents in one file are refused
 */
Expected<Setting> ReadScenarioFile(const std::string& file);

/** The same of a text; file stands in origins and diagnostics. */
Expected<Setting> ParseScenarioText(const std::string& text, const std::string& file);

/** The value of "--set key=value": YAML in one line, so that lists and maps can be given. */
Expected<Setting> ParseSettingText(const std::string& text, const SettingOrigin& origin);

} // namespace ns3::rdma
