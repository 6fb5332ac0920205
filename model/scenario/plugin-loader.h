// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/setting.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A plugin that is loaded. */
struct Plugin
{
    std::string path;   ///< as it was written first
    std::string digest; ///< of the file: 16 hexadecimal digits
};

/** Key of a scenario with a list of plugins; a relative path starts at the file that names it. */
inline constexpr std::string_view PLUGINS_KEY = "plugins";

/**
 * Loads a plugin: from then on its classes can be chosen like those of the program.
 *
 * A file that was loaded before is not loaded again. Nothing can be unloaded.
 *
 * @param path   of a shared library
 * @param origin where it was named, for messages
 * @error no such file, no plugin, a plugin of another program or another version of this one (none
 *        of its code has run then), or what the system's loader says
 */
Diagnostics LoadPlugin(const std::string& path, const SettingOrigin& origin);

/** Loads those that a scenario names. */
Diagnostics LoadPlugins(const Setting& root);

/** All that are loaded, in order. */
std::vector<Plugin> GetPlugins();

} // namespace ns3::rdma
