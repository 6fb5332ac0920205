// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/text-reader.h"
#include "workload/hpcc-config-table.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/** A key of an HPCC configuration with its values. */
struct HpccEntry
{
    TextToken key;
    std::vector<TextToken> values; ///< of a map: rate, value, rate, value, ... without the count
};

/** The entries of a configuration by key. */
using HpccEntries = std::map<std::string, HpccEntry, std::less<>>;

/**
 * Cuts a configuration of the HPCC simulator into keys and values.
 *
 * Line breaks mean nothing. The rest of a line that begins with an unknown key is skipped.
 *
 * @param text     must outlive the result
 * @param errors   receives unknown keys (with the nearest known one) and missing values
 * @param warnings receives keys that are given twice; the last one holds
 */
HpccEntries ParseHpccEntries(std::string_view text,
                             DiagnosticList& errors,
                             std::vector<std::string>& warnings);

/** A value as a scenario takes it, with its unit; empty if malformed. */
std::string ConvertHpccValue(HpccConversion conversion, std::string_view value);

} // namespace ns3::rdma
