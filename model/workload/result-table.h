// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include <string>
#include <vector>

namespace ns3::rdma
{

/** Rows that an application contributes to a result file; files of one name are one table. */
struct ResultTable
{
    std::string file;                 ///< "perftest.csv"
    std::vector<std::string> columns; ///< with their units
    std::vector<std::vector<std::string>> rows;
    bool isShown{true}; ///< on the terminal, after the run
};

} // namespace ns3::rdma
