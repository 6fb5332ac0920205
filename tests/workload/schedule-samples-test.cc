// SPDX-License-Identifier: GPL-2.0-only
// Schedules and flow lists that nobody here wrote, beside counts that a script made of the same
// files (count_schedules.py, data/schedule-counts.csv); and files of our own that are wrong.
#include "tests/workload/trace-content.h"

#include "ns3/object-factory.h"

#include <algorithm>

namespace ns3::rdma
{
namespace
{

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::vector<std::string> FORMATS{"csv", "goal", "goal-binary", "hpcc-flow", "htsim-matrix"};

fs::path
Samples()
{
    return (GetSourceFolder() / "../shared/samples").lexically_normal();
}

/** Files below a folder, in order. */
std::vector<fs::path>
FilesBelow(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator{folder})
    {
        if (entry.is_regular_file())
        {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

/** The script's table for one file, from what the reader yields. */
std::map<std::string, std::string>
Count(Trace& trace)
{
    std::map<std::string, std::pair<uint64_t, uint64_t>> counts;
    const auto add = [&](const std::string& what, uint64_t times, uint64_t amount)
    {
        counts[what].first += times;
        counts[what].second += amount;
    };
    add("processes", trace.processes.size(), 0);
    for (TraceThread& thread : trace.threads)
    {
        for (const auto& [operation, dependencies] : ReadOperations(*thread.operations))
        {
            const auto time = static_cast<uint64_t>(operation.timeNs);
            add("dependencies", dependencies.size(), 0);
            add("starts", time == 0 ? 0 : 1, time);
            add("connections", operation.kind == OperationKind::CONTROL ? 1 : 0, 0);
            add("messages",
                operation.kind == OperationKind::MESSAGE ? 1 : 0,
                operation.kind == OperationKind::MESSAGE ? operation.bytes : 0);
            add("receives",
                operation.kind == OperationKind::MESSAGE_RECEIVE ? 1 : 0,
                operation.kind == OperationKind::MESSAGE_RECEIVE ? operation.bytes : 0);
            add("computations",
                operation.kind == OperationKind::COMPUTE ? 1 : 0,
                static_cast<uint64_t>(operation.durationNs));
        }
    }
    std::map<std::string, std::string> table;
    for (const auto& [what, numbers] : counts)
    {
        if (numbers != std::pair<uint64_t, uint64_t>{})
        {
            table[what] = std::to_string(numbers.first) + "," + std::to_string(numbers.second);
        }
    }
    return table;
}

TEST(ScheduleSamples, HoldWhatTheScriptCounts)
{
    if (!fs::exists(Samples()))
    {
        GTEST_SKIP() << "no samples in " << Samples();
    }
    const CountTable table = ReadCounts("schedule-counts.csv");
    EXPECT_EQ(table.size(), 20U);
    for (const auto& [file, expected] : table)
    {
        SCOPED_TRACE(file);
        // htsim/a2a.cm announces 3600 flows and 3360 triggers; it has 240 flows and no trigger.
        Trace trace = OpenWell({(Samples() / file).string()});
        EXPECT_EQ(trace.format,
                  file.ends_with(".goal") ? "goal"
                  : file.ends_with(".cm") ? "htsim-matrix"
                                          : "hpcc-flow");
        EXPECT_EQ(Count(trace), expected);
    }
}

TEST(ScheduleSamples, AMatrixThatContradictsItselfIsRefusedIfThatIsWanted)
{
    if (!fs::exists(Samples()))
    {
        GTEST_SKIP() << "no samples in " << Samples();
    }
    const auto trace = OpenTrace({.paths = {(Samples() / "htsim/a2a.cm").string()},
                                  .format = "",
                                  .options = {{"strict", "true"}}});
    ASSERT_FALSE(trace);
    const std::string findings = ToString(trace.Errors());
    EXPECT_THAT(findings, HasSubstr("Connections: the number in the header"));
    EXPECT_THAT(findings, HasSubstr("240 lines"));
    EXPECT_THAT(findings, HasSubstr("3600"));
    EXPECT_THAT(findings, HasSubstr("trigger 1 is used and not defined"));
}

/** The matrices of htsim and the flow lists of HPCC that hold the same flows, 2 s later. */
TEST(ScheduleSamples, TheSameFlowsInTwoFormatsAreTheSameMessages)
{
    if (!fs::exists(Samples()))
    {
        GTEST_SKIP() << "no samples in " << Samples();
    }
    using Message = std::tuple<int64_t, std::string, std::string, uint64_t>;
    const auto list = [](Trace trace, int64_t originNs)
    {
        std::vector<Message> messages;
        for (TraceThread& thread : trace.threads)
        {
            std::map<ObjectId, uint32_t> peers;
            for (const auto& [operation, dependencies] : ReadOperations(*thread.operations))
            {
                if (operation.kind == OperationKind::CONTROL)
                {
                    peers[operation.object] =
                        std::get<ConnectionDetail>(operation.control.detail).peerProcess;
                    continue;
                }
                messages.emplace_back(operation.timeNs - originNs,
                                      trace.processes[thread.process].name,
                                      trace.processes[peers.at(operation.object)].name,
                                      operation.bytes);
            }
        }
        std::ranges::sort(messages);
        return messages;
    };
    for (const std::string name : {"a", "b", "bs", "c"})
    {
        const fs::path folder = Samples() / "benchmark";
        const auto matrix = list(OpenWell({(folder / (name + ".cm")).string()}), 0);
        const auto flows =
            list(OpenWell({(folder / (name + "_flow.txt")).string()}), 2'000'000'000);
        EXPECT_FALSE(matrix.empty());
        EXPECT_EQ(matrix, flows) << name;
    }
}

/** Readers that say that a file is theirs, or may be. */
std::vector<std::string>
Claims(const fs::path& path)
{
    std::ifstream file{path, std::ios::binary};
    std::string head(TraceReader::PROBE_BYTES, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    const std::map<std::string, std::string> classes{{"csv", "CsvTraceReader"},
                                                     {"goal", "GoalTraceReader"},
                                                     {"goal-binary", "GoalBinaryTraceReader"},
                                                     {"hpcc-flow", "HpccFlowTraceReader"},
                                                     {"htsim-matrix", "HtsimMatrixTraceReader"}};
    std::vector<std::string> claims;
    for (const std::string& format : FORMATS)
    {
        ObjectFactory factory{"ns3::rdma::" + classes.at(format)};
        const auto match = factory.Create<TraceReader>()->Probe(
            path.string(), std::as_bytes(std::span{head.data(), head.size()}));
        if (match != TraceReader::Match::NO)
        {
            claims.push_back(format);
        }
    }
    return claims;
}

TEST(ScheduleSamples, EachFileIsClaimedByItsReaderAlone)
{
    const fs::path root{TraceSample("")};
    std::size_t ours = 0;
    for (const fs::path& path : FilesBelow(root))
    {
        const std::string format = path.lexically_relative(root).begin()->string();
        if (path.extension() == ".expected" || path.parent_path().filename() == "bad")
        {
            continue; // what is damaged may be unrecognisable
        }
        const bool isOurs = std::ranges::count(FORMATS, format) > 0;
        EXPECT_EQ(Claims(path), isOurs ? std::vector{format} : std::vector<std::string>{}) << path;
        ours += isOurs ? 1 : 0;
    }
    EXPECT_EQ(ours, 10U);
}

TEST(ScheduleSamples, NoReaderClaimsFilesOfOthers)
{
    if (!fs::exists(Samples()))
    {
        GTEST_SKIP() << "no samples in " << Samples();
    }
    const CountTable table = ReadCounts("schedule-counts.csv");
    std::size_t others = 0;
    for (const fs::path& path : FilesBelow(Samples()))
    {
        const bool isSchedule = table.contains(path.lexically_relative(Samples()).string());
        EXPECT_EQ(Claims(path).size(), isSchedule ? 1U : 0U) << path;
        others += isSchedule ? 0 : 1;
    }
    EXPECT_GT(others, 40U);
}

/**
 * Each file of a folder "bad" is refused with what stands in the file of the same name that ends in
 * ".expected".
 */
TEST(ScheduleSamples, WhatIsWrongIsReportedWithItsPlace)
{
    const std::vector<TraceOption> STRICT{{"strict", "true"}};
    const std::vector<TraceOption> DEFAULTS;
    std::size_t refused = 0;
    for (const std::string& format : FORMATS)
    {
        for (const fs::path& path : FilesBelow(TraceSample(format + "/bad")))
        {
            if (path.extension() == ".expected")
            {
                continue;
            }
            SCOPED_TRACE(path);
            const bool isMatrix = format == "htsim-matrix";
            const auto trace = OpenTrace({.paths = {path.string()},
                                          .format = format,
                                          .options = isMatrix ? STRICT : DEFAULTS});
            ASSERT_FALSE(trace);
            Diagnostics findings = trace.Errors();
            for (Diagnostic& finding : findings)
            {
                EXPECT_EQ(finding.file, path.string());
                finding.file = path.filename().string();
            }
            std::ifstream file{path.string() + ".expected"};
            const std::string expected{std::istreambuf_iterator<char>{file}, {}};
            EXPECT_EQ(ToString(findings), expected);
            refused++;
        }
    }
    EXPECT_EQ(refused, 33U);
}

} // namespace
} // namespace ns3::rdma
