// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Where a setting was written. */
struct SettingOrigin
{
    std::string file; ///< file, or the command-line option
    uint32_t line{0}; ///< from 1; 0 on the command line
    std::string text; ///< for people: "incast.yaml:12", "config.txt:34 RATE_AI", "--set"
};

struct SettingField;

/**
 * A value that the user wrote, or a list or map of values, and where he wrote each.
 *
 * Trees of it are what scenario files, HPCC configurations and --set have in common.
 */
struct Setting
{
    enum class Kind : uint8_t
    {
        SCALAR,
        LIST,
        MAP,
    };

    Kind kind{Kind::SCALAR};
    std::string text;                 ///< of a scalar
    std::vector<Setting> items;       ///< of a list
    std::vector<SettingField> fields; ///< of a map, in order
    SettingOrigin origin;
    std::vector<std::string> replaced; ///< texts of the scalars that this one stands for instead

    /** The value of a key of a map; null without it. */
    const Setting* Find(std::string_view key) const;
    Setting* Find(std::string_view key);

    /** True for nothing at all, as after "pfc:". */
    bool IsEmpty() const;
};

struct SettingField
{
    std::string key;
    Setting value;
};

/** Writes one tree over another: maps key by key, everything else as a whole. */
void MergeSettings(Setting& under, const Setting& over);

/**
 * Writes one value at a dotted path, making maps on the way; numbers index lists.
 *
 * @return what keeps it from being done: an index beyond the list, a path through a plain value
 */
Diagnostics SetAtPath(Setting& root, std::string_view path, const Setting& value);

/**
 * A scalar, or a list as the text that an attribute takes.
 *
 * Items are joined with blanks; items that are lists or hold blanks themselves, with ", ".
 *
 * @return nothing for a map, or a list with a map in it
 */
std::optional<std::string> ToAttributeText(const Setting& setting);

/** What to tell somebody who wrote a list where one value is wanted. */
inline constexpr std::string_view SWEEP_HINT = "; values for several runs stand below 'sweep:'";

/** A path as it must be opened: a relative one starts at the file that names it. */
std::string ResolveSettingPath(const std::string& path, const SettingOrigin& origin);

} // namespace ns3::rdma
