// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/command-words.h"
#include "scenario/run-request.h"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What a command works with. */
struct CommandContext
{
    const ScenarioRunner& runner;
    std::ostream& out; ///< what was asked for
    std::ostream& err; ///< diagnostics, one a line
};

/**
 * A command with operands and options of its own, in a file of its own (trace-command.cc).
 *
 * All of them have "--plugin" besides, which is done when they run; help shows what stands here.
 */
struct Command
{
    std::string name;     ///< "trace"
    std::string operands; ///< as help shows them
    std::string summary;  ///< one line
    std::vector<OptionRule> options;
    /** Gets words without errors; returns the exit code. */
    std::function<int(const CommandWords&, const CommandContext&)> run;
};

/** All such commands, in the order in which help shows them. */
const std::vector<Command>& GetCommandTable();

/** The part of help about the options of a command; empty if it has none. */
std::string DescribeOptions(const Command& command);

/**
 * Runs the command of the table that the first word names.
 *
 * @return its exit code; nullopt: there is no such command
 */
std::optional<int> RunTableCommand(const std::vector<std::string>& words,
                                   const CommandContext& context);

/** Loads the files that "--plugin" names. @return what went wrong */
Diagnostics LoadPlugins(const std::vector<std::string>& plugins);

/** The same as ReportBadInput, of words: says where all of them are shown. */
int ReportBadWords(const Diagnostics& diagnostics, std::ostream& err);

/** Writes what is wrong and returns the exit code for it. */
int ReportBadInput(const Diagnostics& diagnostics, std::ostream& err);

} // namespace ns3::rdma
