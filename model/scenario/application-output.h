// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "trace/result-file.h"
#include "workload/application.h"

#include <string>

namespace ns3::rdma
{

/** Writes a table as CSV; empty cells stay empty. */
void WriteResultTable(ResultFile& file, const ResultTable& table);

/** A table for a terminal: columns in which every cell is empty are left out. */
std::string FormatResultTable(const ResultTable& table, const std::string& indent);

} // namespace ns3::rdma
