// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** The libraries that are loaded into a program to record it. */
struct RecorderLibraries
{
    std::string recorder;
    std::string standIn; ///< for programs that load libibverbs.so.1 themselves; empty: left out
    std::string note;    ///< why it is left out, if the user should know
};

/**
 * Finds them beside this program.
 *
 * @error one that is not there, or whose path the loader would take for several
 */
Expected<RecorderLibraries> FindRecorder();

/** LD_PRELOAD with the libraries around what it was before. */
std::string MakePreload(const RecorderLibraries& libraries, const std::string& before);

/** Versions of symbols (IBVERBS_1.1) that are named in one library's bytes and not in another's. */
std::vector<std::string> FindMissingVersions(const std::string& library,
                                             const std::string& standIn);

/**
 * Runs a program with the libraries, and waits for it.
 *
 * Signals that ask this process to end are passed on, so that the trace of the program is whole.
 *
 * @param folder absolute; for the traces
 * @return its exit code; 128 and the number of the signal that ended it
 * @error  it cannot be started
 */
Expected<int> RunTracedProgram(const std::vector<std::string>& words,
                               const RecorderLibraries& libraries,
                               const std::string& folder);

} // namespace ns3::rdma
