// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/text-table.h"

#include <algorithm>

namespace ns3::rdma
{

std::string
FormatTable(const std::vector<std::vector<std::string>>& lines,
            const std::string& indent,
            size_t limit)
{
    std::vector<size_t> widths;
    for (const auto& line : lines)
    {
        widths.resize(std::max(widths.size(), line.size()));
        for (size_t i = 0; i < line.size(); i++)
        {
            widths[i] = std::max(widths[i], std::min(line[i].size(), limit));
        }
    }
    std::string text;
    for (const auto& line : lines)
    {
        std::string padded = indent;
        for (size_t i = 0; i < line.size(); i++)
        {
            const size_t width = i + 1 < line.size() ? widths[i] + 2 : 0;
            padded += line[i];
            padded.append(std::max<size_t>(width, line[i].size() + (width > 0 ? 2 : 0)) -
                              line[i].size(),
                          ' ');
        }
        padded.erase(padded.find_last_not_of(' ') + 1);
        text += padded + "\n";
    }
    return text;
}

} // namespace ns3::rdma
