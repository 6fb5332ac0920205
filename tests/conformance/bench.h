// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tests/conformance/allowances.h"
#include "tests/conformance/description.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** How fast hosts and wire are: what no capture fixes, and what the order of events hangs on. */
struct Timing
{
    bool isSpaced{false};  ///< hosts read their frames one by one, not in bunches
    bool isOrdered{false}; ///< the client posts when the capture shows that it did
};

/** What the model is to do. */
struct Experiment
{
    Script script;
    WireRules wire{};
    std::string policy;                        ///< of both devices; a name of rc-policies.h
    std::vector<std::array<Psn, 2>> firstPsns; ///< by connection: of client and server
    std::vector<TimerRepeat> repeats;
    std::optional<FaultProbabilities> chance{}; ///< of faults in both directions, besides the rules
    uint64_t seed{1};                           ///< of chance
    Timing timing{};
    std::vector<std::vector<uint64_t>> gates; ///< of the client's actors; see ActorSetup
    uint64_t maxFrames{0};                    ///< the run ends when the wire has seen so many
};

/** What the model did. */
struct RunResult
{
    std::array<std::vector<Connection>, 2> views; ///< as captures of client and server show it
    std::vector<std::array<ProgramOutput, 2>> outputs;
    uint64_t refused{0}; ///< requests that a device did not take
};

/** Runs two hosts and the cable between them. @error a policy that is not known */
Expected<RunResult> RunModel(const Experiment& experiment);

} // namespace ns3::rdma
