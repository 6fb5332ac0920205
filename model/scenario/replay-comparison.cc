// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/replay-comparison.h"

#include "scenario/text-table.h"
#include "topology/text-reader.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ns3::rdma
{

namespace
{

using Row = std::vector<std::string>;

/** A result table as it was written. */
struct ReadTable
{
    std::vector<std::string> columns;
    std::vector<Row> rows;
};

/** A line's cells; those in quotes may hold commas. */
Row
SplitLine(const std::string& line)
{
    Row cells{""};
    bool isQuoted = false;
    for (const char letter : line)
    {
        if (letter == '"')
        {
            isQuoted = !isQuoted;
        }
        else if (letter == ',' && !isQuoted)
        {
            cells.emplace_back();
        }
        else
        {
            cells.back() += letter;
        }
    }
    return cells;
}

Expected<ReadTable>
ReadResult(const std::string& path)
{
    const auto text = ReadTextFile(path);
    if (!text)
    {
        return text.Errors();
    }
    std::istringstream stream{*text};
    ReadTable table;
    std::string line;
    std::getline(stream, line);
    table.columns = SplitLine(line);
    while (std::getline(stream, line))
    {
        table.rows.push_back(SplitLine(line));
        table.rows.back().resize(table.columns.size());
    }
    return table;
}

/** Which columns of a table are shown, and by which rows are told apart. */
struct Selection
{
    const char* file;
    std::vector<std::string> keys;
    std::vector<std::string> values;
};

/** "2.5"; empty where there is nothing to divide. */
std::string
DivideText(const std::string& second, const std::string& first)
{
    const auto a = ParseReal(first);
    const auto b = ParseReal(second);
    if (!a || !b || *a == 0.0)
    {
        return "-";
    }
    std::ostringstream text;
    text.precision(4);
    text << *b / *a;
    return text.str();
}

/** Rows of one result table, by their keys. */
std::map<Row, Row>
Select(const ReadTable& table, const Selection& selection)
{
    const auto pick = [&table](const Row& row, const std::vector<std::string>& names)
    {
        Row cells;
        for (const std::string& name : names)
        {
            const auto column = std::ranges::find(table.columns, name) - table.columns.begin();
            const bool isThere = static_cast<std::size_t>(column) < row.size();
            cells.push_back(isThere ? row[static_cast<std::size_t>(column)] : "");
        }
        return cells;
    };
    std::map<Row, Row> rows;
    for (const Row& row : table.rows)
    {
        rows[pick(row, selection.keys)] = pick(row, selection.values);
    }
    return rows;
}

Expected<std::string>
CompareTables(const std::vector<std::string>& folders, const Selection& selection)
{
    std::vector<ReadTable> tables;
    for (const std::string& folder : folders)
    {
        auto table = ReadResult(folder + "/" + selection.file);
        if (!table)
        {
            return table.Errors();
        }
        tables.push_back(std::move(*table));
    }
    const auto first = Select(tables[0], selection);
    const auto second = Select(tables[1], selection);
    std::vector<Row> lines{selection.keys};
    for (const std::string& name : selection.values)
    {
        lines.front().insert(lines.front().end(), {name, "second", "ratio"});
    }
    const Row nothing(selection.values.size());
    auto all = first;
    all.insert(second.begin(), second.end());
    for (const auto& [key, ignored] : all)
    {
        const Row& a = first.contains(key) ? first.at(key) : nothing;
        const Row& b = second.contains(key) ? second.at(key) : nothing;
        Row line = key;
        for (std::size_t i = 0; i < selection.values.size(); ++i)
        {
            line.insert(
                line.end(),
                {a[i].empty() ? "-" : a[i], b[i].empty() ? "-" : b[i], DivideText(b[i], a[i])});
        }
        lines.push_back(line);
    }
    return FormatTable(lines, "    ");
}

} // namespace

Expected<std::string>
CompareReplays(const std::vector<std::string>& folders)
{
    const std::vector<Selection> selections{
        {"replay.csv", {"process"}, {"completion_ns", "waiting_ns"}},
        {"messages.csv", {"opcode", "bytes_from", "bytes_to"}, {"p50_ns", "p99_ns", "max_ns"}}};
    std::string text = "comparison of " + folders[0] + " and " + folders[1] + ":\n";
    for (const Selection& selection : selections)
    {
        const auto table = CompareTables(folders, selection);
        if (!table)
        {
            return table.Errors();
        }
        text += std::string{"  "} + selection.file + ":\n" + *table;
    }
    return text;
}

std::string
MakeComparisonReport(const std::vector<std::string>& folders, const std::string& path)
{
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    std::string tool = (program.parent_path() / "../analysis/report").lexically_normal().string();
    if (error || !std::filesystem::exists(tool, error))
    {
        return "";
    }
    std::vector<std::string> words{tool, folders[0], folders[1], "--out", path};
    std::vector<char*> arguments;
    for (std::string& word : words)
    {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    // What it says of its progress is of no interest here; only the report is.
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int failure =
        posix_spawn(&child, tool.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    while (failure == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    const bool isDone = failure == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return isDone && std::filesystem::exists(path, error) ? path : "";
}

} // namespace ns3::rdma
