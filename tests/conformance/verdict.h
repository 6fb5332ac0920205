// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "tests/conformance/description.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** A capture from which the model departs on purpose. */
struct Exception
{
    std::string reason;
    std::string clause;             ///< of the standard, or why the capture is no oracle
    std::string policy;             ///< of the model's run
    std::filesystem::path expected; ///< decoded text: what the model must do instead
};

using Exceptions = std::map<std::string, Exception>; ///< by the description's name

/**
 * Reads a list of exceptions; no file is an empty list.
 *
 * @error an entry without reason or clause, an expected sequence that is not there
 */
Expected<Exceptions> ReadExceptions(const std::filesystem::path& file);

/** How a comparison ended. */
enum class Outcome : uint8_t
{
    MATCHED, ///< equal, packet for packet
    DIFFERS,
    EXCEPTED, ///< departs from the capture on purpose, and does what it must do instead
};

struct Verdict
{
    Outcome outcome{Outcome::MATCHED};
    std::vector<std::string> notes; ///< what was allowed for, and how often
    std::string details;            ///< of DIFFERS: the first difference
};

/** "matched   name: notes", and the details in lines of their own. */
std::string ToString(const std::string& name, const Verdict& verdict);

/** Runs the model and compares it with the capture, or with the exception's sequence. */
Verdict Compare(const Description& description, const Exceptions& exceptions);

/** What the model does, as decoded text; nothing is repeated by a timer. */
Expected<std::string> PrintModel(const Description& description, const std::string& policy);

} // namespace ns3::rdma
