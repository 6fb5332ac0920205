// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/support/source-folder.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** A row of a table of measurements: comma-separated, a comment line, then the names. */
class MeasuredRow
{
  public:
    MeasuredRow(const std::vector<std::string>& names, const std::string& line)
        : m_names{names},
          m_values{Split(line)}
    {
    }

    const std::string& Text(const std::string& name) const
    {
        const auto column = std::ranges::find(m_names, name) - m_names.begin();
        return m_values.at(static_cast<std::size_t>(column));
    }

    double Number(const std::string& name) const
    {
        return std::stod(Text(name));
    }

    static std::vector<std::string> Split(const std::string& line)
    {
        std::vector<std::string> values;
        std::istringstream fields{line};
        for (std::string field; std::getline(fields, field, ',');)
        {
            values.push_back(field);
        }
        return values;
    }

  private:
    std::vector<std::string> m_names;
    std::vector<std::string> m_values;
};

/** The rows of tests/transport/data/retransmit.csv: when a ConnectX gave up on a silent peer. */
inline std::vector<MeasuredRow>
ReadRetransmitRows()
{
    std::ifstream file{GetSourceFolder() / "tests/transport/data/retransmit.csv"};
    std::string line;
    std::getline(file, line); // where the rows are from
    std::getline(file, line);
    const std::vector<std::string> names = MeasuredRow::Split(line);
    std::vector<MeasuredRow> rows;
    while (std::getline(file, line))
    {
        rows.emplace_back(names, line);
    }
    return rows;
}

} // namespace ns3::rdma
