// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/run-request.h"
#include "scenario/scenario-loader.h"

#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** A command with its options, taken apart. */
struct CommandLine
{
    std::string command; ///< one of those that help shows
    std::vector<std::string> operands;
    std::vector<std::string> plugins; ///< paths
    bool showsChanged{false};         ///< explain: only what is not default
    bool showsJson{false};            ///< explain: for programs
    LoadRequest load;
    RunRequest run;
};

/**
 * Takes the words after the program's name apart.
 *
 * @error unknown commands and options with the nearest name, options without their value, options
 *        that the command does not have, too many or too few operands; all at once
 */
Expected<CommandLine> ParseCommandLine(const std::vector<std::string>& words);

/** The text of "rdmasim help". */
std::string GetUsage();

/**
 * The program: parses, loads, and runs or shows.
 *
 * @param words  after the program's name
 * @param runner runs a scenario
 * @param out    receives what was asked for
 * @param err    receives diagnostics, one a line
 * @return the exit code
 */
int RunCommandLine(const std::vector<std::string>& words,
                   const ScenarioRunner& runner,
                   std::ostream& out,
                   std::ostream& err);

} // namespace ns3::rdma
