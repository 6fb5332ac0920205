// SPDX-License-Identifier: GPL-2.0-only
#include "topology/table-reader.h"

#include <algorithm>
#include <set>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view BLANKS = " \t\r";

std::string_view
Trim(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(BLANKS), text.size()));
    return text.substr(0, text.find_last_not_of(BLANKS) + 1);
}

/** Where the cell that begins at a position ends: at a comma that is not in quotes. */
std::size_t
FindEnd(std::string_view line, std::size_t at)
{
    const std::size_t first = line.find_first_not_of(BLANKS, at);
    if (first != std::string_view::npos && line[first] == '"')
    {
        at = std::min(line.find('"', first + 1), line.size());
    }
    return std::min(line.find(',', at), line.size());
}

/** The name that was meant: the same with a unit, or the nearest. */
std::string
FindMeant(const std::string& name, const std::vector<std::string>& known)
{
    const auto withUnit =
        std::find_if(known.begin(),
                     known.end(),
                     [&](const std::string& other) { return other.starts_with(name + "_"); });
    return withUnit != known.end() ? *withUnit : NearestName(name, known);
}

} // namespace

std::vector<TextToken>
CutAtCommas(std::string_view line, uint32_t number)
{
    std::vector<TextToken> cells;
    for (std::size_t at = 0; at <= line.size();)
    {
        const std::size_t end = FindEnd(line, at);
        std::string_view cell = Trim(line.substr(at, end - at));
        const auto first = static_cast<std::size_t>(cell.data() - line.data());
        if (cell.size() >= 2 && cell.front() == '"' && cell.find('"', 1) == cell.size() - 1)
        {
            cell = cell.substr(1, cell.size() - 2);
        }
        cells.push_back({cell, number, static_cast<uint32_t>(first + 1)});
        at = end + 1;
    }
    return cells;
}

TableReader::TableReader(std::string_view text, DiagnosticList& errors)
    : m_rest{SkipByteOrderMark(text)},
      m_errors{errors}
{
}

/** Cuts the next line that is neither empty nor a comment. */
bool
TableReader::NextLine(std::vector<TextToken>& cells)
{
    while (!m_rest.empty())
    {
        ++m_line;
        const std::size_t end = std::min(m_rest.find('\n'), m_rest.size());
        const std::string_view line = m_rest.substr(0, end);
        m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
        if (!line.starts_with('#') && !Trim(line).empty())
        {
            cells = CutAtCommas(line, m_line);
            return true;
        }
    }
    return false;
}

bool
TableReader::ReadNames(const std::vector<std::string>& known,
                       const std::vector<std::string>& needed)
{
    std::vector<TextToken> cells;
    if (!NextLine(cells))
    {
        m_errors.Add(
            0, "the file is empty", "", "a line of column names, then a line for each row");
        return false;
    }
    bool isRight = true;
    std::set<std::string> seen;
    for (const TextToken& cell : cells)
    {
        const std::string name{cell.text};
        if (std::find(known.begin(), known.end(), name) == known.end())
        {
            Diagnostic diagnostic;
            diagnostic.line = cell.line;
            diagnostic.message = "unknown column";
            diagnostic.got = name;
            diagnostic.nearest = FindMeant(name, known);
            diagnostic.knownNames = known;
            m_errors.Add(std::move(diagnostic));
            isRight = false;
        }
        if (!seen.insert(name).second)
        {
            m_errors.Add(cell, "the column is named twice", "each column once");
            isRight = false;
        }
        m_names.push_back(name);
    }
    for (const std::string& name : needed)
    {
        if (!seen.contains(name))
        {
            m_errors.Add(cells[0].line, "a column is missing", "", name);
            isRight = false;
        }
    }
    return isRight;
}

std::optional<std::size_t>
TableReader::Find(std::string_view name) const
{
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found == m_names.end())
    {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - m_names.begin());
}

bool
TableReader::Next(std::vector<TextToken>& cells)
{
    while (NextLine(cells))
    {
        if (cells.size() == m_names.size())
        {
            return true;
        }
        m_errors.Add(m_line,
                     "the line has not as many columns as the first",
                     std::to_string(cells.size()),
                     std::to_string(m_names.size()));
    }
    return false;
}

} // namespace ns3::rdma
