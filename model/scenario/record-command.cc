// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/record-command.h"

#include "scenario/traced-program.h"
#include "tracefile/thread-file-header.h"
#include "tracefile/trace-manifest.h"

#include <filesystem>
#include <set>

namespace ns3::rdma
{

namespace
{

namespace fs = std::filesystem;

constexpr const char* DEFAULT_FOLDER = "rdmasim-trace";

/** The folders of processes below a folder. */
std::set<fs::path>
FindProcesses(const fs::path& folder)
{
    std::set<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
    {
        if (fs::exists(entry.path() / TraceManifest::FILE_NAME, none))
        {
            found.insert(entry.path());
        }
    }
    return found;
}

std::string
Count(std::size_t number, const std::string& one, const std::string& many)
{
    return std::to_string(number) + " " + (number == 1 ? one : many);
}

/** One line: where the trace is, and how much there is of it. */
void
Summarize(const fs::path& folder, const std::set<fs::path>& before, std::ostream& err)
{
    std::size_t processes = 0;
    std::size_t threads = 0;
    uintmax_t bytes = 0;
    std::error_code none;
    for (const fs::path& process : FindProcesses(folder))
    {
        if (before.contains(process))
        {
            continue;
        }
        ++processes;
        for (const auto& entry : fs::directory_iterator(process, none))
        {
            threads += entry.path().extension() == ThreadFileHeader::SUFFIX ? 1 : 0;
            bytes += entry.file_size(none);
        }
    }
    if (processes == 0)
    {
        err << "rdmasim record: nothing recorded: no process used verbs\n";
        return;
    }
    err << "rdmasim record: " << folder.string() << ": " << Count(processes, "process", "processes")
        << ", " << Count(threads, "thread", "threads") << ", " << Count(bytes, "byte", "bytes")
        << "\n";
}

int
RunRecord(const CommandWords& words, const CommandContext& context)
{
    if (words.operands.empty())
    {
        return ReportBadInput({MakeWordDiagnostic("no program to record",
                                                  "",
                                                  "record [--out <folder>] -- <program>")},
                              context.err);
    }
    const std::string out = words.Has("--out") ? words.GetLast("--out") : DEFAULT_FOLDER;
    const fs::path folder = fs::absolute(out).lexically_normal();
    const auto libraries = FindRecorder();
    if (!libraries)
    {
        return ReportBadInput(libraries.Errors(), context.err);
    }
    if (!libraries->note.empty())
    {
        context.err << "rdmasim record: " << libraries->note << "\n";
    }
    const auto before = FindProcesses(folder);
    const auto code = RunTracedProgram(words.operands, *libraries, folder.string());
    if (!code)
    {
        constexpr int NOT_FOUND = 127; // as a shell has it
        ReportBadInput(code.Errors(), context.err);
        return NOT_FOUND;
    }
    Summarize(folder, before, context.err);
    return *code;
}

} // namespace

Command
MakeRecordCommand()
{
    return {"record",
            "-- <program> [<argument>...]",
            "Runs a verbs program and records what it does, as a trace",
            {{"--out", "<folder>", std::string{"where to; default "} + DEFAULT_FOLDER}},
            RunRecord};
}

} // namespace ns3::rdma
