// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Lines of cells set in columns, two blanks apart.
 *
 * A column is as wide as its widest cell, but no wider than limit; longer cells push the rest of
 * their line to the right. The last cell of a line is never padded.
 */
std::string FormatTable(const std::vector<std::vector<std::string>>& lines,
                        const std::string& indent,
                        size_t limit = 48);

} // namespace ns3::rdma
