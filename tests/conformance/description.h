// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "tests/conformance/program-output.h"
#include "tests/conformance/script.h"
#include "tests/conformance/wire-rules.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>

namespace ns3::rdma
{

/** One experiment: what ran on two hosts, what the wire did, and where the capture is. */
struct Description
{
    std::filesystem::path file;
    std::string name;                  ///< the file's, without its suffix
    std::filesystem::path capture;     ///< what the client's host saw
    std::filesystem::path peerCapture; ///< what the server's host saw; empty: none
    Commands commands{};
    std::optional<Script> operations; ///< given word by word instead of by commands
    WireRules wire{};
    std::array<std::optional<ProgramOutput>, 2> outputs; ///< of client and server
    std::string policy{"rxe"};
    bool isCut{false}; ///< the capture ends before the programs do
};

/**
 * Reads a description; README.md says what may stand in it.
 *
 * @error a file that cannot be read, an unknown key, a wrong word, a capture that is not there
 */
Expected<Description> ReadDescription(const std::filesystem::path& file);

/** What the two applications do. @param packets of the capture, which bounds endless programs */
Expected<Script> MakeScript(const Description& description, uint64_t packets);

} // namespace ns3::rdma
