// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/replay-command.h"

#include "scenario/replay-comparison.h"
#include "scenario/sweep-plan.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace ns3::rdma
{

namespace
{

constexpr const char* OWN = "replay";
constexpr const char* USUAL_FOLDER = "results/replay";

/** A text as a YAML scalar in quotes. */
std::string
Quote(const std::string& text)
{
    std::string quoted = "\"";
    for (const char letter : text)
    {
        quoted += letter == '"' || letter == '\\' ? std::string{'\\', letter} : std::string{letter};
    }
    return quoted + "\"";
}

std::string
QuoteList(const std::vector<std::string>& words)
{
    std::string list;
    for (const std::string& word : words)
    {
        list += (list.empty() ? "" : ", ") + Quote(word);
    }
    return "[" + list + "]";
}

/** The workload that takes the place of the scenario's, as YAML. */
std::string
MakeWorkload(const CommandWords& words)
{
    struct Key
    {
        const char* option;
        const char* key;
    };

    constexpr std::array KEYS{Key{"--mode", "mode"},
                              Key{"--map", "map_file"},
                              Key{"--compute-scale", "compute_scale"},
                              Key{"--format", "format"}};
    std::string workload = "[{pattern: replay, files: " + QuoteList(words.operands);
    for (const auto& [option, key] : KEYS)
    {
        if (words.Has(option))
        {
            workload += std::string{", "} + key + ": " + Quote(words.GetLast(option));
        }
    }
    if (words.Has("--option"))
    {
        workload += ", options: " + QuoteList(words.GetAll("--option"));
    }
    return workload + "}]";
}

Expected<LoadRequest>
MakeRequest(const CommandWords& words, const std::string& fabric)
{
    LoadRequest request;
    request.file = fabric;
    request.overrides.push_back({"workload", MakeWorkload(words), OWN});
    for (const OptionWord& option : words.options)
    {
        if (option.name == "--seed" || option.name == "--duration")
        {
            request.overrides.push_back({option.name.substr(2), option.value, option.name});
        }
        if (option.name != "--set")
        {
            continue;
        }
        const auto equals = option.value.find('=');
        if (equals == std::string::npos || equals == 0)
        {
            return MakeWordDiagnostic("not a key and a value", option.value, "--set key=value");
        }
        request.overrides.push_back(
            {option.value.substr(0, equals), option.value.substr(equals + 1), option.name});
    }
    return request;
}

/** A fabric that the trace is run on. */
struct ReplayRun
{
    Scenario scenario;
    RunRequest request;
};

Expected<Scenario>
LoadFabric(const CommandWords& words, const std::string& fabric)
{
    const auto request = MakeRequest(words, fabric);
    if (!request)
    {
        return request.Errors();
    }
    auto plan = MakeSweepPlan(*request);
    if (!plan)
    {
        return plan.Errors();
    }
    if (!plan->runs.empty())
    {
        Diagnostic error = MakeWordDiagnostic("a replay is one run, this is a sweep", fabric);
        error.expected = "a scenario without sweep, and one value for each key";
        return error;
    }
    return std::move(plan->first);
}

/** Folders of two runs, which have other names even if their scenarios have not. */
std::vector<std::string>
NameFolders(const std::vector<std::string>& fabrics, const std::string& out)
{
    std::vector<std::string> folders;
    for (const std::string& fabric : fabrics)
    {
        std::string folder =
            (std::filesystem::path{out} / std::filesystem::path{fabric}.stem()).string();
        folder += std::ranges::count(folders, folder) != 0 ? "-2" : "";
        folders.push_back(folder);
    }
    return folders;
}

int
Compare(const std::vector<ReplayRun>& runs, const std::string& out, const CommandContext& context)
{
    int code = 0;
    for (const ReplayRun& run : runs)
    {
        code = std::max(code, context.runner(run.scenario, run.request));
    }
    const std::vector<std::string> folders{runs[0].request.outFolder, runs[1].request.outFolder};
    const auto table = CompareReplays(folders);
    if (!table)
    {
        return std::max(code, ReportBadInput(table.Errors(), context.err));
    }
    context.out << *table;
    const std::string report = MakeComparisonReport(folders, out + "/comparison.html");
    if (!report.empty())
    {
        context.out << "  report in " << report << "\n";
    }
    return code;
}

int
RunReplay(const CommandWords& words, const CommandContext& context)
{
    Diagnostics errors;
    if (words.operands.empty())
    {
        errors.push_back(MakeWordDiagnostic("no trace", "", "rdmasim replay <file...>"));
    }
    if (!words.Has("--fabric"))
    {
        errors.push_back(MakeWordDiagnostic("no fabric", "", "--fabric scenario.yaml"));
    }
    if (!errors.empty())
    {
        return ReportBadInput(errors, context.err);
    }
    std::vector<std::string> fabrics{words.GetLast("--fabric")};
    const bool compares = words.Has("--compare");
    if (compares)
    {
        fabrics.push_back(words.GetLast("--compare"));
    }
    const std::string out = words.Has("--out") ? words.GetLast("--out") : USUAL_FOLDER;
    const auto folders =
        compares ? NameFolders(fabrics, out) : std::vector<std::string>{words.GetLast("--out")};
    std::vector<ReplayRun> runs;
    for (std::size_t i = 0; i < fabrics.size(); ++i)
    {
        auto scenario = LoadFabric(words, fabrics[i]);
        if (!scenario)
        {
            errors.insert(errors.end(), scenario.Errors().begin(), scenario.Errors().end());
            continue;
        }
        RunRequest request;
        request.outFolder = folders[i];
        request.isQuiet = words.Has("--quiet");
        runs.push_back({std::move(*scenario), request});
    }
    if (!errors.empty())
    {
        return ReportBadInput(errors, context.err);
    }
    return compares ? Compare(runs, out, context)
                    : context.runner(runs[0].scenario, runs[0].request);
}

} // namespace

Command
MakeReplayCommand()
{
    return {"replay",
            "<file...> --fabric scenario.yaml",
            "Runs a trace on the fabric of a scenario",
            {{"--fabric", "scenario.yaml", "Whose workload the trace takes the place of"},
             {"--compare", "scenario.yaml", "Another fabric; both are shown side by side"},
             {"--mode", "mode", "recorded, dependent or fast"},
             {"--map", "file", "Where processes run: process,host[,interface[,device]]"},
             {"--compute-scale", "factor", "Of what programs do between their calls"},
             {"--format", "name", "Reader of the trace; found by content otherwise"},
             {"--option", "name=value", "Option of the reader, as often as needed"},
             {"--set", "key=value", "Sets any key of the scenario, as often as needed"},
             {"--seed", "n", "The same as --set seed=n"},
             {"--duration", "time", "The same as --set duration=time"},
             {"--out", "folder", "Where the results go"},
             {"--quiet", "", "No progress and no summary"}},
            RunReplay};
}

} // namespace ns3::rdma
