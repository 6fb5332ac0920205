// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/scenario.h"

#include <ostream>
#include <string>

namespace ns3::rdma
{

/** What a run needs beside its scenario. */
struct RunOptions
{
    std::string outFolder;      ///< empty: <results.folder>/<name of the scenario>
    bool isQuiet{false};        ///< no progress, no notes, no summary; warnings and errors stay
    std::ostream* out{nullptr}; ///< receives the summary; never null
    std::ostream* err{nullptr}; ///< receives messages and progress; never null
    bool isErrTerminal{false};  ///< whether err can rewrite a line
};

/** How a run ended, as the program's exit code. */
enum class RunExit : int
{
    OK = 0,
    FAILED = 1,    ///< flows failed or are unfinished, an invariant is broken, files are not whole
    BAD_INPUT = 2, ///< nothing was simulated and nothing written
    INTERRUPTED = 130, ///< by Ctrl-C; what there was is written. @spec POSIX: 128 + SIGINT
};

/**
 * Runs a scenario and writes its results.
 *
 * Without a duration the run ends when every flow has ended, or nothing is left to happen; flows
 * that are then unfinished are named, with what they wait for. Time must have picosecond
 * resolution, and no simulator may be running; it is destroyed at the end.
 *
 * @return a RunExit
 */
int RunScenario(const Scenario& scenario, const RunOptions& options);

} // namespace ns3::rdma
