// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/bench.h"
#include "tests/conformance/description.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Everything that is compared with a capture. */
struct Case
{
    const Description& description;
    Experiment experiment{};
    std::vector<Connection> captured{}; ///< normalised
    std::vector<std::string> notes{};   ///< what was taken from the capture
};

/** Reads a description's capture. @error it cannot be read, or holds more connections */
Expected<Case> LoadCase(const Description& description, const std::string& policy);

/** One run of the model beside the capture. */
struct Attempt
{
    RunResult result{};
    std::optional<Difference> difference{}; ///< nullopt: equal, given the notes
    std::vector<std::string> notes{};       ///< what was allowed for, and how often
    std::string departure{};                ///< of rxe from the standard; "": none
};

/**
 * Runs the model until it does what the capture shows, with timings and allowances in turn.
 *
 * Timings first: hosts that read frames in bunches or one by one, a client that posts freely or in
 * the capture's order. With each, repeats of rxe's timer are replayed; then, if there still is a
 * difference, the rounds of RNR waits and what an error overtook are left out, and answers to
 * parts of READs renamed; see allowances.h.
 *
 * @return the first run without a difference; else that of the first timing
 */
Expected<Attempt> FindAttempt(const Case& loaded);

/** Counts keys and addresses of all connections alike. */
void NormalizeAll(std::vector<Connection>& run, bool knowsMemory);

} // namespace ns3::rdma
