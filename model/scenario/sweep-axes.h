// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/group-rules.h"
#include "scenario/setting.h"

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** Group of a scenario that makes it several runs. */
inline constexpr std::string_view SWEEP_KEY = "sweep";

/** Key inside it of groups of keys that change together. */
inline constexpr std::string_view ZIP_KEY = "zip";

/** A key of the scenario, and the values that it takes one after the other. */
struct SweptKey
{
    std::string key; ///< dotted, as --set takes it
    std::vector<Setting> values;
};

/** What changes from run to run: one key, or several that change together. */
struct SweepAxis
{
    std::vector<SweptKey> keys; ///< all with as many values

    size_t GetLength() const
    {
        return keys.front().values.size();
    }
};

/**
 * Reads the group "sweep": a list of values under each dotted key, or under nested keys.
 *
 * Keys under "zip" (a map, or a list of maps) change together, so that their lists must be of equal
 * length; all else is combined with all else. A plain value is a list of one; an empty one, no
 * list.
 *
 * @error a list without values, lists of different length under "zip", a key twice
 */
Expected<std::vector<SweepAxis>> ReadSweepAxes(const Setting& sweep);

/**
 * Whether a key of a scenario takes one plain value, so that a list given to it means several runs.
 *
 * False for keys that do not exist and for those whose value may be a list itself, such as the
 * senders of a workload.
 *
 * @param root  the scenario; says which class an entry is of
 */
bool TakesOneValue(const Setting& root, const GroupRules& rules, std::string_view key);

/** A value as text for people and tables: "4", "h0 h1", "pattern=incast bytes=1MB". */
std::string DescribeValue(const Setting& value);

} // namespace ns3::rdma
