// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "topology/text-reader.h"

#include <cstdint>
#include <string_view>

namespace ns3::rdma
{

enum class GoalTokenKind : uint8_t
{
    END,     ///< of the file
    NEWLINE, ///< statements end there
    WORD,    ///< keyword or label: letters, digits and underscores, a letter first
    NUMBER,  ///< digits, with a minus sign or without
    COLON,
    OPEN,  ///< {
    CLOSE, ///< }
    OTHER, ///< a character that has no place in a schedule, or a comment without its end
};

struct GoalToken
{
    GoalTokenKind kind{GoalTokenKind::END};
    TextToken at; ///< its text and where it stands; empty text for END and NEWLINE

    bool Is(std::string_view word) const
    {
        return kind == GoalTokenKind::WORD && at.text == word;
    }
};

/**
 * Cuts a GOAL schedule into tokens; comments from // to the end of the line and within slash-stars
 * are skipped.
 *
 * A number and a letter behind it are two tokens ("10b"). The text must outlive the tokens.
 *
 * @spec Hoefler et al., "LogGOPSim", HPDC 2010, section 3 (GOAL); the tokens of its txt2bin
 */
class GoalScanner
{
  public:
    explicit GoalScanner(std::string_view text);

    /** The next token; END again and again at the end. */
    GoalToken Next();

  private:
    void SkipBlanks();
    bool SkipComment();
    GoalToken Take(GoalTokenKind kind, std::size_t length);
    std::size_t CountWhile(bool (*belongs)(char), std::size_t from) const;

    std::string_view m_text;
    std::size_t m_at{0};
    std::size_t m_lineStart{0};
    uint32_t m_line{1};
};

} // namespace ns3::rdma
