// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ns3::rdma
{

/**
 * Reads a map of small numbers such as "26:3 48:6" into a table; "*:1" sets all entries.
 *
 * @param text    entries <index>:<value> with spaces or commas between, later ones win
 * @param table   by index; entries that the text does not name stay as they are
 * @param maximum the largest value
 * @return the first entry that is wrong, without key and expected form; the table is then not to be
 *         used. Nothing if all is well
 */
std::optional<Diagnostic> ReadNumberMap(const std::string& text,
                                        std::span<uint8_t> table,
                                        uint8_t maximum);

} // namespace ns3::rdma
