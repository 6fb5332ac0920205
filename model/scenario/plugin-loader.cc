// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/plugin-loader.h"

#include "base/hash.h"
#include "scenario/plugin.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <sstream>

namespace ns3::rdma
{

namespace
{

/** What is loaded, by the whole path. */
std::vector<std::pair<std::string, Plugin>>&
Loaded()
{
    static std::vector<std::pair<std::string, Plugin>> loaded;
    return loaded;
}

std::string
ReadAll(const std::string& path)
{
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

std::string
MakeDigest(const std::string& content)
{
    constexpr int HEX_DIGITS = 16;
    std::ostringstream text;
    text << std::hex << std::setw(HEX_DIGITS) << std::setfill('0') << HashName(content);
    return text.str();
}

Diagnostic
At(const SettingOrigin& origin, const std::string& message, const std::string& got)
{
    return {origin.file, origin.line, std::string{PLUGINS_KEY}, message, got, "", "", {}};
}

/** The id behind the mark in a file; nothing without a mark. */
std::string
FindId(const std::string& content)
{
    const std::string mark{RDMASIM_PLUGIN_MARK};
    const auto found = content.find(mark);
    if (found == std::string::npos)
    {
        return {};
    }
    return content.substr(found + mark.size(), sizeof(RDMASIM_PLUGIN_ABI) - 1);
}

/**
 * Whether a file is a shared library in full: the system's loader does not survive half of one.
 *
 * @spec Tool Interface Standard, Executable and Linking Format 1.2: the section table is the last
 * part
 */
bool
IsWhole(const std::string& content)
{
    Elf64_Ehdr header{};
    if (content.size() < sizeof(header) || !content.starts_with(ELFMAG))
    {
        return false;
    }
    std::memcpy(&header, content.data(), sizeof(header));
    return header.e_shoff + uint64_t{header.e_shnum} * header.e_shentsize <= content.size();
}

/** Everything that can be told without running the file's code. */
Diagnostics
CheckFile(const std::string& path, const std::string& content, const SettingOrigin& origin)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
    {
        return {At(origin, "no such file", path)};
    }
    const std::string id = FindId(content);
    if (id.empty())
    {
        Diagnostic error = At(origin, "not a plugin", path);
        error.expected = "a shared library with RDMASIM_PLUGIN(), see examples/plugin";
        return {error};
    }
    if (!IsWhole(content))
    {
        return {At(origin, "the plugin is no whole shared library", path)};
    }
    if (id != RDMASIM_PLUGIN_ABI)
    {
        Diagnostic error =
            At(origin, "the plugin was built for another rdmasim", path + " for " + id);
        error.expected = std::string{RDMASIM_PLUGIN_ABI} + "; build it again";
        return {error};
    }
    return {};
}

} // namespace

Diagnostics
LoadPlugin(const std::string& path, const SettingOrigin& origin)
{
    std::error_code ignored;
    const std::string whole = std::filesystem::weakly_canonical(path, ignored).string();
    const bool isLoaded = std::any_of(
        Loaded().begin(), Loaded().end(), [&whole](const auto& one) { return one.first == whole; });
    if (isLoaded)
    {
        return {};
    }
    const std::string content = ReadAll(path);
    if (Diagnostics errors = CheckFile(path, content, origin); !errors.empty())
    {
        return errors;
    }
    if (dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr)
    {
        const char* reason = dlerror();
        return {At(origin, "the plugin cannot be loaded", reason == nullptr ? path : reason)};
    }
    Loaded().push_back({whole, {path, MakeDigest(content)}});
    return {};
}

Diagnostics
LoadPlugins(const Setting& root)
{
    const Setting* plugins = root.Find(PLUGINS_KEY);
    if (plugins == nullptr || plugins->IsEmpty())
    {
        return {};
    }
    const bool isList = plugins->kind == Setting::Kind::LIST;
    Diagnostics errors;
    for (const Setting& plugin : isList ? plugins->items : std::vector<Setting>{*plugins})
    {
        if (plugin.kind != Setting::Kind::SCALAR || plugin.IsEmpty())
        {
            errors.push_back(At(plugin.origin, "not the name of a file", ""));
            errors.back().expected = "paths of shared libraries, such as [./my-control.so]";
            continue;
        }
        const Diagnostics more =
            LoadPlugin(ResolveSettingPath(plugin.text, plugin.origin), plugin.origin);
        errors.insert(errors.end(), more.begin(), more.end());
    }
    return errors;
}

std::vector<Plugin>
GetPlugins()
{
    std::vector<Plugin> plugins;
    for (const auto& [whole, plugin] : Loaded())
    {
        plugins.push_back(plugin);
    }
    return plugins;
}

} // namespace ns3::rdma
