// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/application-output.h"

#include "scenario/text-table.h"
#include "trace/csv-table.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

std::string
JoinColumns(const std::vector<std::string>& columns)
{
    std::string line;
    for (const std::string& column : columns)
    {
        line += (line.empty() ? "" : ",") + column;
    }
    return line;
}

bool
IsEmptyColumn(const ResultTable& table, std::size_t column)
{
    return std::all_of(table.rows.begin(),
                       table.rows.end(),
                       [column](const auto& row) { return row[column].empty(); });
}

} // namespace

void
WriteResultTable(ResultFile& file, const ResultTable& table)
{
    CsvTable csv{file, JoinColumns(table.columns)};
    for (const std::vector<std::string>& row : table.rows)
    {
        for (const std::string& cell : row)
        {
            csv.Text(cell);
        }
        csv.EndRow();
    }
}

std::string
FormatResultTable(const ResultTable& table, const std::string& indent)
{
    std::vector<std::vector<std::string>> lines(table.rows.size() + 1);
    for (std::size_t column = 0; column < table.columns.size(); ++column)
    {
        if (IsEmptyColumn(table, column))
        {
            continue;
        }
        lines.front().push_back(table.columns[column]);
        for (std::size_t row = 0; row < table.rows.size(); ++row)
        {
            const std::string& cell = table.rows[row][column];
            lines[row + 1].push_back(cell.empty() ? "-" : cell);
        }
    }
    return FormatTable(lines, indent);
}

} // namespace ns3::rdma
