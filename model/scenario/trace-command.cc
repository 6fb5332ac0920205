// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/trace-command.h"

#include "scenario/trace-show.h"
#include "tracefile/trace-writer.h"
#include "workload/trace-reader.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ns3::rdma
{

namespace
{

/** How an action ended. */
struct ActionResult
{
    Diagnostics badInput; ///< nothing was done
    Diagnostics damages;  ///< where threads ended before their end
};

/** Something that is done to a trace. */
struct TraceAction
{
    const char* name;
    const char* option; ///< the one that only it has; empty: none
    ActionResult (*run)(Trace&, const CommandWords&, std::ostream&);
};

constexpr auto OK = static_cast<int>(ExitCode::OK);

Expected<uint64_t>
ParseLimit(const CommandWords& words)
{
    uint64_t limit = std::numeric_limits<uint64_t>::max();
    if (words.Has("--limit"))
    {
        const std::string text = words.GetLast("--limit");
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, limit);
        if (error != std::errc{} || stop != end)
        {
            return MakeWordDiagnostic("not such a number", text, "--limit <operations>");
        }
    }
    return limit;
}

ActionResult
Show(Trace& trace, const CommandWords& words, std::ostream& out)
{
    const auto limit = ParseLimit(words);
    if (!limit)
    {
        return {limit.Errors(), {}};
    }
    return {{}, ShowTrace(trace, out, *limit)};
}

ActionResult
Stats(Trace& trace, const CommandWords& words, std::ostream& out)
{
    static_cast<void>(words);
    const TraceStatistics statistics = CollectStatistics(trace);
    ShowStatistics(trace, statistics, out);
    return {{}, statistics.damages};
}

ActionResult
Convert(Trace& trace, const CommandWords& words, std::ostream& out)
{
    const std::string folder = words.GetLast("--out");
    if (folder.empty())
    {
        return {{MakeWordDiagnostic("no folder to convert into", "", "--out <folder>")}, {}};
    }
    const auto written = WriteTrace(trace, folder);
    if (!written)
    {
        return {written.Errors(), {}};
    }
    for (const std::string& note : trace.notes)
    {
        out << "note: " << note << "\n";
    }
    out << written->operations << " operations of " << trace.processes.size() << " processes, in "
        << folder << ": " << written->bytes << " bytes\n";
    return {{}, written->damages};
}

constexpr std::array<TraceAction, 3> ACTIONS{
    {{"show", "--limit", Show}, {"stats", "", Stats}, {"convert", "--out", Convert}}};
constexpr std::array<const char*, 2> OPTIONS_OF_ALL{"--format", "--option"};

/** Options that belong to other actions, and "--option" without name or value. */
Diagnostics
CheckOptions(const CommandWords& words, const TraceAction* action)
{
    Diagnostics errors;
    for (const OptionWord& option : words.options)
    {
        const bool isKnown =
            option.name == "--plugin" || std::ranges::count(OPTIONS_OF_ALL, option.name) != 0;
        if (action == nullptr ? option.name != "--plugin"
                              : !isKnown && option.name != action->option)
        {
            errors.push_back(MakeWordDiagnostic("this action has no such option", option.name));
        }
        if (option.name == "--option" && option.value.find('=') == std::string::npos)
        {
            errors.push_back(
                MakeWordDiagnostic("not a name and a value", option.value, "--option name=value"));
        }
    }
    return errors;
}

TraceRequest
MakeRequest(const CommandWords& words)
{
    TraceRequest request;
    request.paths.assign(words.operands.begin() + 1, words.operands.end());
    request.format = words.GetLast("--format");
    for (const std::string& option : words.GetAll("--option"))
    {
        const auto equals = option.find('=');
        request.options.push_back({option.substr(0, equals), option.substr(equals + 1)});
    }
    return request;
}

int
RunAction(const TraceAction& action, const CommandWords& words, const CommandContext& context)
{
    auto trace = OpenTrace(MakeRequest(words));
    if (!trace)
    {
        return ReportBadInput(trace.Errors(), context.err);
    }
    const ActionResult result = action.run(*trace, words, context.out);
    if (!result.badInput.empty())
    {
        return ReportBadInput(result.badInput, context.err);
    }
    if (result.damages.empty())
    {
        return OK;
    }
    context.err << "not all could be read:\n" << ToString(result.damages);
    return static_cast<int>(ExitCode::RUN_FAILED);
}

int
RunTrace(const CommandWords& words, const CommandContext& context)
{
    const std::string word = words.operands.empty() ? "" : words.operands.front();
    const auto action = std::ranges::find(ACTIONS, word, &TraceAction::name);
    const bool listsFormats = word == "formats";
    if (action == ACTIONS.end() && !listsFormats)
    {
        std::vector<std::string> known{"formats"};
        std::ranges::transform(ACTIONS, std::back_inserter(known), &TraceAction::name);
        return ReportBadInput({MakeWordDiagnostic("no such action of 'trace'", word, "", known)},
                              context.err);
    }
    const auto errors = CheckOptions(words, listsFormats ? nullptr : &*action);
    if (!errors.empty())
    {
        return ReportBadInput(errors, context.err);
    }
    if (!listsFormats)
    {
        return RunAction(*action, words, context);
    }
    for (const std::string& format : GetTraceFormats())
    {
        context.out << format << "\n";
    }
    return OK;
}

} // namespace

Command
MakeTraceCommand()
{
    return {"trace",
            "show|stats|convert file...",
            "Shows traces and schedules, and converts them; 'trace formats' lists what is read",
            {{"--format", "name", "The format, where the content does not tell"},
             {"--option", "name=value", "An option of the format's reader, as often as needed"},
             {"--limit", "n", "Of show: how many operations"},
             {"--out", "folder", "Of convert: where our own format goes; a new folder"}},
            RunTrace};
}

} // namespace ns3::rdma
