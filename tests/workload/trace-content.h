// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/support/source-folder.h"
#include "workload/trace-reader.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** An operation with its dependencies, which live in the stream otherwise. */
struct KeptOperation
{
    TraceOperation operation;
    std::vector<Dependency> dependencies;
};

/** All operations of a thread. @param damage receives why the stream ended early, if it did */
inline std::vector<KeptOperation>
ReadOperations(OperationStream& stream, std::optional<Diagnostic>* damage = nullptr)
{
    std::vector<KeptOperation> operations;
    TraceOperation operation;
    while (stream.Next(operation))
    {
        operations.push_back(
            {operation, {operation.dependencies.begin(), operation.dependencies.end()}});
        operations.back().operation.dependencies = {};
    }
    if (damage != nullptr)
    {
        *damage = stream.GetDamage();
    }
    else
    {
        EXPECT_FALSE(stream.GetDamage()) << ToString(*stream.GetDamage());
    }
    return operations;
}

/** Opens files that have to be right. */
inline Trace
OpenWell(const std::vector<std::string>& paths, std::vector<TraceOption> options = {})
{
    auto trace = OpenTrace({.paths = paths, .format = "", .options = std::move(options)});
    if (!trace)
    {
        ADD_FAILURE() << ToString(trace.Errors());
        return {};
    }
    return std::move(*trace);
}

/** A small input of our own: "verbs-calls/pingpong.a.jsonl". */
inline std::string
TraceSample(const std::string& name)
{
    return (GetSourceFolder() / "tests/workload/data/traces" / name).string();
}

/** Recordings and captures of real hosts, beside the project where they are there. */
inline std::filesystem::path
RealCaptures()
{
    return (GetSourceFolder() / "../shared/captures").lexically_normal();
}

/** What a file of counts says: by file, and by what was counted there, the numbers behind. */
using CountTable = std::map<std::string, std::map<std::string, std::string>>;

/** Reads "file,what,numbers..." as one of the Python scripts beside wrote it. */
inline CountTable
ReadCounts(const std::string& name)
{
    CountTable table;
    std::ifstream file{GetSourceFolder() / "tests/workload/data" / name};
    std::string line;
    for (std::getline(file, line); std::getline(file, line);)
    {
        const std::size_t first = line.find(',');
        const std::size_t second = line.find(',', first + 1);
        table[line.substr(0, first)][line.substr(first + 1, second - first - 1)] =
            line.substr(second + 1);
    }
    EXPECT_FALSE(table.empty()) << name;
    return table;
}

} // namespace ns3::rdma
