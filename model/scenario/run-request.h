// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/scenario.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3::rdma
{

/** What a run takes from the command line beside its scenario. */
struct RunRequest
{
    std::string outFolder; ///< empty: <results.folder>/<name of the scenario>
    bool isQuiet{false};   ///< no progress, no summary
    uint32_t jobs{0};      ///< of a sweep: how many runs at a time; 0: as many as processors
    bool restarts{false};  ///< of a sweep: whether runs that are there already are made again
};

/** Runs a loaded scenario; its result is the exit code. */
using ScenarioRunner = std::function<int(const Scenario&, const RunRequest&)>;

/** Exit codes of the program. */
enum class ExitCode : int
{
    OK = 0,
    RUN_FAILED = 1,    ///< the run finished, but not all that it should do was done
    BAD_INPUT = 2,     ///< nothing was run
    INTERRUPTED = 130, ///< by Ctrl-C. @spec POSIX: 128 + SIGINT
};

} // namespace ns3::rdma
