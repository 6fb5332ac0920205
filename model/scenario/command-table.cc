// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/command-table.h"

#include "scenario/plugin-loader.h"
#include "scenario/record-command.h"
#include "scenario/replay-command.h"
#include "scenario/text-table.h"
#include "scenario/trace-command.h"

#include <algorithm>
#include <span>

namespace ns3::rdma
{

const std::vector<Command>&
GetCommandTable()
{
    static const std::vector<Command> COMMANDS{
        MakeTraceCommand(),
        MakeReplayCommand(),
        MakeRecordCommand(),
    };
    return COMMANDS;
}

std::string
DescribeOptions(const Command& command)
{
    std::vector<std::vector<std::string>> lines;
    for (const OptionRule& rule : command.options)
    {
        lines.push_back({rule.name + " " + rule.value, rule.help});
    }
    return lines.empty() ? "" : "\nOptions of " + command.name + ":\n" + FormatTable(lines, "  ");
}

std::optional<int>
RunTableCommand(const std::vector<std::string>& words, const CommandContext& context)
{
    const std::vector<Command>& commands = GetCommandTable();
    const auto command =
        words.empty() ? commands.end() : std::ranges::find(commands, words.front(), &Command::name);
    if (command == commands.end())
    {
        return std::nullopt;
    }
    std::vector<OptionRule> rules = command->options;
    rules.push_back({"--plugin", "file.so", ""});
    const CommandWords split = SplitWords(std::span{words}.subspan(1), rules);
    if (!split.errors.empty())
    {
        return ReportBadWords(split.errors, context.err);
    }
    const Diagnostics errors = LoadPlugins(split.GetAll("--plugin"));
    return errors.empty() ? command->run(split, context) : ReportBadInput(errors, context.err);
}

Diagnostics
LoadPlugins(const std::vector<std::string>& plugins)
{
    Diagnostics errors;
    for (const std::string& plugin : plugins)
    {
        const Diagnostics more = LoadPlugin(plugin, {"--plugin", 0, "--plugin"});
        errors.insert(errors.end(), more.begin(), more.end());
    }
    return errors;
}

int
ReportBadWords(const Diagnostics& diagnostics, std::ostream& err)
{
    const int code = ReportBadInput(diagnostics, err);
    err << "'rdmasim help' shows all commands and options.\n";
    return code;
}

int
ReportBadInput(const Diagnostics& diagnostics, std::ostream& err)
{
    err << ToString(diagnostics);
    return static_cast<int>(ExitCode::BAD_INPUT);
}

} // namespace ns3::rdma
