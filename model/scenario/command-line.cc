// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-line.h"

#include "engine/simulator-choice.h"
#include "scenario/command-table.h"
#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/instrument-set.h"
#include "scenario/json-schema.h"
#include "scenario/listing.h"
#include "scenario/sweep-runner.h"
#include "scenario/text-table.h"
#include "scenario/timeline.h"
#include "scenario/version.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

namespace ns3::rdma
{

namespace
{

/** An option of the commands that are described here. */
struct ScenarioOption
{
    OptionRule rule;
    std::string command; ///< the one that has it; empty: all that load a scenario; "*": all
};

struct CommandRule
{
    std::string name;
    std::string operands;
    size_t maximum; ///< number of operands
    bool takesScenario;
    std::string help;
};

const std::vector<ScenarioOption>&
Options()
{
    static const std::vector<ScenarioOption> OPTIONS{
        {{"--set",
          "key=value",
          "Sets any key, as often as needed: workload.0.bytes=2MB; key=[a, b]: a run for each"},
         ""},
        {{"--seed", "n", "The same as --set seed=n"}, ""},
        {{"--duration", "time", "The same as --set duration=time"}, ""},
        {{"--hpcc", "config.txt", "Reads a configuration of the HPCC simulator"}, ""},
        {{"--plugin", "file.so", "Loads components that are not part of the program"}, "*"},
        {{"--out", "folder", "Where the results go; results/<name> otherwise"}, "run"},
        {{"--jobs", "n", "Of a sweep: runs at a time; as many as processors otherwise"}, "run"},
        {{"--restart", "", "Of a sweep: makes the runs again that are there already"}, "run"},
        {{"--quiet", "", "No progress and no summary"}, "run"},
        {{"--changed", "", "Only what is not default"}, "explain"},
        {{"--json", "", "For programs"}, "explain"},
    };
    return OPTIONS;
}

const std::vector<CommandRule>&
Commands()
{
    static const std::vector<CommandRule> COMMANDS{
        {"run", "[scenario.yaml]", 1, true, "Runs a scenario and writes its results"},
        {"check", "[scenario.yaml]", 1, true, "Loads a scenario and says what is wrong with it"},
        {"explain", "[scenario.yaml]", 1, true, "Shows each parameter and where it came from"},
        {"list", "[kind [name]]", 2, false, "Shows what can be chosen, and the keys of each"},
        {"schema", "", 0, false, "Prints the JSON Schema of scenarios"},
        {"version", "", 0, false, "Prints the version"},
        {"help", "", 0, false, "Prints this"},
    };
    return COMMANDS;
}

std::vector<OptionRule>
OptionRules()
{
    std::vector<OptionRule> rules;
    std::ranges::transform(Options(), std::back_inserter(rules), &ScenarioOption::rule);
    return rules;
}

/** Of all commands, also those of the table. */
std::vector<std::string>
CommandNames()
{
    std::vector<std::string> names;
    std::ranges::transform(Commands(), std::back_inserter(names), &CommandRule::name);
    std::ranges::transform(GetCommandTable(), std::back_inserter(names), &Command::name);
    return names;
}

/** Takes words apart; an object because options depend on the command found before. */
class Parser
{
  public:
    explicit Parser(const std::vector<std::string>& words) : m_words{words} {}

    Expected<CommandLine> Run()
    {
        ParseCommand();
        const std::span<const std::string> words{m_words};
        const CommandWords split =
            SplitWords(words.subspan(std::min<std::size_t>(1, words.size())), OptionRules());
        m_errors.insert(m_errors.end(), split.errors.begin(), split.errors.end());
        m_result.operands = split.operands;
        for (const OptionWord& option : split.options)
        {
            CheckOption(option.name);
            Apply(option.name, option.value);
        }
        CheckOperands();
        if (!m_errors.empty())
        {
            return m_errors;
        }
        return m_result;
    }

  private:
    void Report(const std::string& message,
                const std::string& got,
                const std::string& expected,
                const std::vector<std::string>& known)
    {
        m_errors.push_back(MakeWordDiagnostic(message, got, expected, known));
    }

    void ParseCommand()
    {
        if (m_words.empty())
        {
            Report("no command", "", "", CommandNames());
            return;
        }
        const std::string& word = m_words.front();
        m_result.command = word == "--help" || word == "-h" ? "help" : word;
        m_result.command = word == "--version" ? "version" : m_result.command;
        const auto rule = std::ranges::find(Commands(), m_result.command, &CommandRule::name);
        if (rule == Commands().end())
        {
            Report("unknown command", word, "", CommandNames());
            return;
        }
        m_command = &*rule;
    }

    void CheckOption(const std::string& name)
    {
        const auto found = std::ranges::find(
            Options(), name, [](const ScenarioOption& option) { return option.rule.name; });
        const bool isAllowed =
            m_command == nullptr || found->command == "*" ||
            (found->command.empty() ? m_command->takesScenario : found->command == m_command->name);
        if (!isAllowed)
        {
            Report("'" + m_command->name + "' has no such option", name, "", {});
        }
    }

    void Apply(const std::string& name, const std::string& value)
    {
        if (name == "--set")
        {
            const auto equals = value.find('=');
            if (equals == std::string::npos || equals == 0)
            {
                Report("not a key and a value", value, "--set key=value", {});
                return;
            }
            m_result.load.overrides.push_back(
                {value.substr(0, equals), value.substr(equals + 1), name});
        }
        if (name == "--seed" || name == "--duration")
        {
            m_result.load.overrides.push_back({name.substr(2), value, name});
        }
        if (name == "--hpcc")
        {
            m_result.load.hpccConfig = value;
        }
        if (name == "--out")
        {
            m_result.run.outFolder = value;
        }
        if (name == "--jobs")
        {
            ParseJobs(value);
        }
        if (name == "--plugin")
        {
            m_result.plugins.push_back(value);
        }
        m_result.showsChanged = m_result.showsChanged || name == "--changed";
        m_result.showsJson = m_result.showsJson || name == "--json";
        m_result.run.isQuiet = m_result.run.isQuiet || name == "--quiet";
        m_result.run.restarts = m_result.run.restarts || name == "--restart";
    }

    void ParseJobs(const std::string& value)
    {
        constexpr uint32_t MOST = 4096;
        const char* end = value.data() + value.size();
        const auto [stop, error] = std::from_chars(value.data(), end, m_result.run.jobs);
        const bool isNumber = error == std::errc{} && stop == end;
        if (!isNumber || m_result.run.jobs == 0 || m_result.run.jobs > MOST)
        {
            Report("not such a number", value, "--jobs 1 .. " + std::to_string(MOST), {});
        }
    }

    void CheckOperands()
    {
        if (m_command == nullptr)
        {
            return;
        }
        if (m_result.operands.size() > m_command->maximum)
        {
            Report("too many words",
                   m_result.operands[m_command->maximum],
                   "rdmasim " + m_command->name + " " + m_command->operands,
                   {});
        }
        if (!m_command->takesScenario)
        {
            return;
        }
        m_result.load.file = m_result.operands.empty() ? "" : m_result.operands.front();
        if (m_result.load.file.empty() && m_result.load.hpccConfig.empty())
        {
            Report("no scenario",
                   "",
                   "rdmasim " + m_command->name + " scenario.yaml, or --hpcc config.txt",
                   {});
        }
    }

    const std::vector<std::string>& m_words;
    const CommandRule* m_command{nullptr};
    CommandLine m_result;
    Diagnostics m_errors;
};

/** Builds the fabric without running it: thresholds, headroom and policies are checked there. */
int
CheckScenario(const Scenario& scenario, std::ostream& out, std::ostream& err)
{
    if (const auto error = SelectEngine(scenario.engine.simulator))
    {
        return ReportBadInput(LocateDiagnostics({*error}, scenario), err);
    }
    auto fabric = Fabric::Build(scenario);
    if (!fabric)
    {
        return ReportBadInput(LocateDiagnostics(fabric.Errors(), scenario), err);
    }
    const auto runner = FlowRunner::Make(**fabric, scenario.flows, scenario.seed);
    if (!runner)
    {
        return ReportBadInput(LocateDiagnostics(runner.Errors(), scenario), err);
    }
    const auto timeline = Timeline::Make({scenario, **fabric, **runner});
    if (!timeline)
    {
        return ReportBadInput(LocateDiagnostics(timeline.Errors(), scenario), err);
    }
    const auto instruments = InstrumentSet::Make(scenario, **runner);
    if (!instruments)
    {
        return ReportBadInput(LocateDiagnostics(instruments.Errors(), scenario), err);
    }
    for (const std::string& note : instruments->GetNotes())
    {
        out << "note: " << note << "\n";
    }
    std::vector<std::string> warnings = scenario.warnings;
    for (const auto& more : {(*fabric)->GetWarnings(), instruments->GetWarnings()})
    {
        warnings.insert(warnings.end(), more.begin(), more.end());
    }
    for (const std::string& warning : warnings)
    {
        out << "warning: " << warning << "\n";
    }
    out << scenario.name << " is a good scenario: " << SummariseScenario(scenario) << "\n";
    return static_cast<int>(ExitCode::OK);
}

/** Options that only a sweep has, where there is none. */
Diagnostics
CheckSweepOptions(const RunRequest& request, const SweepPlan& plan)
{
    Diagnostics findings;
    const auto misfit = [&findings](const std::string& option)
    {
        Diagnostic finding;
        finding.file = option;
        finding.message = "this scenario has no sweep";
        finding.expected = "'sweep:' in the scenario, or --set key=[a, b]";
        findings.push_back(finding);
    };
    if (plan.runs.empty() && request.jobs != 0)
    {
        misfit("--jobs");
    }
    if (plan.runs.empty() && request.restarts)
    {
        misfit("--restart");
    }
    return findings;
}

/** The commands that load a scenario first. */
int
RunWithScenario(const CommandLine& line,
                const ScenarioRunner& runner,
                std::ostream& out,
                std::ostream& err)
{
    const auto plan = MakeSweepPlan(line.load);
    if (!plan)
    {
        return ReportBadInput(plan.Errors(), err);
    }
    if (line.command == "run")
    {
        if (const auto misfits = CheckSweepOptions(line.run, *plan); !misfits.empty())
        {
            return ReportBadInput(misfits, err);
        }
        return plan->runs.empty() ? runner(plan->first, line.run)
                                  : RunSweep(*plan, runner, line.run, {out, err});
    }
    const std::string sweep = plan->runs.empty() ? "" : DescribeSweep(*plan);
    if (line.command == "check")
    {
        const int code = CheckScenario(plan->first, out, err);
        out << (code == static_cast<int>(ExitCode::OK) ? sweep : "");
        return code;
    }
    const Explained which = line.showsChanged ? Explained::CHANGED : Explained::ALL;
    if (line.showsJson)
    {
        constexpr int INDENT = 2;
        auto json = ExplainScenarioAsJson(plan->first, which);
        for (const SweepRun& run : plan->runs)
        {
            json["sweep"]["runs"].push_back(run.values);
        }
        json["sweep"]["keys"] = plan->keys;
        out << json.dump(INDENT, ' ', true, nlohmann::json::error_handler_t::replace) << "\n";
        return static_cast<int>(ExitCode::OK);
    }
    out << ExplainScenario(plan->first, which) << sweep;
    return static_cast<int>(ExitCode::OK);
}

} // namespace

Expected<CommandLine>
ParseCommandLine(const std::vector<std::string>& words)
{
    return Parser{words}.Run();
}

std::string
GetUsage()
{
    std::vector<std::vector<std::string>> commands;
    for (const CommandRule& rule : Commands())
    {
        commands.push_back({"rdmasim " + rule.name + " " + rule.operands, rule.help});
    }
    std::vector<std::vector<std::string>> options;
    for (const auto& [rule, command] : Options())
    {
        options.push_back(
            {rule.name + " " + rule.value,
             rule.help + (command.empty() || command == "*" ? "" : " (" + command + ")")});
    }
    std::string more;
    for (const Command& command : GetCommandTable())
    {
        commands.push_back({"rdmasim " + command.name + " " + command.operands, command.summary});
        more += DescribeOptions(command);
    }
    return "Simulates RDMA fabrics packet by packet.\n\n" + FormatTable(commands, "  ") +
           "\nOptions of run, check and explain; --plugin of all:\n" + FormatTable(options, "  ") +
           more + "\nExit codes: 0 done, 1 the run ended with failures, 2 bad input.\n";
}

int
RunCommandLine(const std::vector<std::string>& words,
               const ScenarioRunner& runner,
               std::ostream& out,
               std::ostream& err)
{
    if (const auto code = RunTableCommand(words, {runner, out, err}))
    {
        return *code;
    }
    const auto line = ParseCommandLine(words);
    if (!line)
    {
        return ReportBadWords(line.Errors(), err);
    }
    if (const auto errors = LoadPlugins(line->plugins); !errors.empty())
    {
        return ReportBadInput(errors, err);
    }
    if (line->command == "help")
    {
        out << GetUsage();
    }
    else if (line->command == "version")
    {
        out << "rdmasim " << GetVersion() << " on ns-" << GetNs3Version() << "\n";
    }
    else if (line->command == "schema")
    {
        constexpr int INDENT = 2;
        out << GetScenarioSchema().dump(INDENT) << "\n";
    }
    else if (line->command != "list")
    {
        return RunWithScenario(*line, runner, out, err);
    }
    else if (line->operands.empty())
    {
        out << ListGroups(GetGroupRules());
    }
    else
    {
        const std::string name = line->operands.size() > 1 ? line->operands[1] : "";
        const auto text = ListGroup(GetGroupRules(), line->operands.front(), name);
        if (!text)
        {
            return ReportBadInput(text.Errors(), err);
        }
        out << *text;
    }
    return static_cast<int>(ExitCode::OK);
}

} // namespace ns3::rdma
