// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "scenario/scenario-loader.h"

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What a run takes from the command line beside its scenario. */
struct RunRequest
{
    std::string outFolder; ///< empty: results/<name of the scenario>
    bool isQuiet{false};   ///< no progress, no summary
};

/** Runs a loaded scenario; its result is the exit code. */
using ScenarioRunner = std::function<int(const Scenario&, const RunRequest&)>;

/** Exit codes of the program. */
enum class ExitCode : int
{
    OK = 0,
    RUN_FAILED = 1, ///< the run finished, but not all that it should do was done
    BAD_INPUT = 2,  ///< nothing was run
};

/** A command with its options, taken apart. */
struct CommandLine
{
    std::string command; ///< one of those that help shows
    std::vector<std::string> operands;
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
