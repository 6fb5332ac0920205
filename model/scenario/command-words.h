// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

#include <span>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** An option that a command has. */
struct OptionRule
{
    std::string name;  ///< "--out"
    std::string value; ///< what follows, as help shows it; empty for a switch
    std::string help;
};

/** An option as it was given. */
struct OptionWord
{
    std::string name;  ///< of its rule
    std::string value; ///< empty for a switch

    bool operator==(const OptionWord&) const = default;
};

/** The words of a command, taken apart. */
struct CommandWords
{
    std::vector<std::string> operands;
    std::vector<OptionWord> options; ///< in the order in which they were given
    Diagnostics errors;              ///< empty if all words are good

    /** The value of the last option of that name; empty if there is none. */
    std::string GetLast(const std::string& name) const;

    /** The values of all options of that name. */
    std::vector<std::string> GetAll(const std::string& name) const;

    bool Has(const std::string& name) const;
};

/**
 * Tells options from operands.
 *
 * An option's value is the next word, or follows "=". Whatever stands behind the word "--" is an
 * operand. Unknown options, and those whose value is missing or too much, are in the errors.
 *
 * @param words after the command's name
 */
CommandWords SplitWords(std::span<const std::string> words, const std::vector<OptionRule>& rules);

/** That a word of the command line is wrong. */
Diagnostic MakeWordDiagnostic(const std::string& message,
                              const std::string& got,
                              const std::string& expected = "",
                              const std::vector<std::string>& known = {});

} // namespace ns3::rdma
