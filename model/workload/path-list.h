// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ns3::rdma
{

/**
 * The words of a list as an attribute's text has it.
 *
 * They are separated by blanks, or by a comma and a blank if any word holds one.
 */
std::vector<std::string> SplitPaths(std::string_view text);

/** The text of a list: the other way round. */
std::string JoinPaths(const std::vector<std::string>& words);

} // namespace ns3::rdma
