// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/options.h"
#include "tests/conformance/script.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** A pair of command lines, cut into words; the first word is the program's name. */
struct ProgramRun
{
    std::string name; ///< the client's program
    std::array<std::vector<std::string>, 2> arguments;
    uint64_t maxIterations{0};
};

/** Adds the actions that words stand for. @error a wrong word */
Expected<bool> AddWords(const std::vector<std::string>& words, Actions& actions);

/** @name Programs: what they do on the wire, by their documentation and the captures @{ */
Expected<Script> ExpandVerbsTester(const ProgramRun& run);
Expected<Script> ExpandPerftest(const ProgramRun& run);
Expected<Script> ExpandPingPong(const ProgramRun& run);
Expected<Script> ExpandRping(const ProgramRun& run);
Expected<Script> ExpandUcmatose(const ProgramRun& run);
Expected<Script> ExpandRdmaClient(const ProgramRun& run);
/** @} */

} // namespace ns3::rdma
