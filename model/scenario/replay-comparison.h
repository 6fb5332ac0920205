// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/**
 * Two replays of a trace side by side, for a terminal: when each process ended, and how long
 * messages of each opcode and size took, with the second as a multiple of the first.
 *
 * @param folders results of two runs
 * @error a table that is missing or is none
 */
Expected<std::string> CompareReplays(const std::vector<std::string>& folders);

/**
 * Has the analysis make a report of both, where it is there: beside the program's folder.
 *
 * @return the report's path; empty if there is no analysis or it failed
 */
std::string MakeComparisonReport(const std::vector<std::string>& folders, const std::string& path);

} // namespace ns3::rdma
