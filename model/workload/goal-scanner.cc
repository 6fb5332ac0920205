// SPDX-License-Identifier: GPL-2.0-only
#include "workload/goal-scanner.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool
IsLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool
IsOfWord(char c)
{
    return IsLetter(c) || IsDigit(c);
}

GoalTokenKind
GetPunctuation(char c)
{
    switch (c)
    {
    case ':':
        return GoalTokenKind::COLON;
    case '{':
        return GoalTokenKind::OPEN;
    case '}':
        return GoalTokenKind::CLOSE;
    default:
        return GoalTokenKind::OTHER;
    }
}

} // namespace

GoalScanner::GoalScanner(std::string_view text) : m_text{text} {}

GoalToken
GoalScanner::Next()
{
    SkipBlanks();
    if (m_at >= m_text.size())
    {
        return Take(GoalTokenKind::END, 0);
    }
    const char first = m_text[m_at];
    if (first == '\n')
    {
        GoalToken token = Take(GoalTokenKind::NEWLINE, 0);
        m_at++;
        m_line++;
        m_lineStart = m_at;
        return token;
    }
    if (IsLetter(first))
    {
        return Take(GoalTokenKind::WORD, CountWhile(IsOfWord, 0));
    }
    const std::size_t sign = first == '-' ? 1 : 0;
    const std::size_t digits = CountWhile(IsDigit, sign);
    if (digits > 0)
    {
        return Take(GoalTokenKind::NUMBER, sign + digits);
    }
    return Take(GetPunctuation(first), 1);
}

void
GoalScanner::SkipBlanks()
{
    constexpr std::string_view BLANKS = " \t\r";
    do
    {
        m_at = std::min(m_text.find_first_not_of(BLANKS, m_at), m_text.size());
    } while (SkipComment());
}

/** Skips a comment; one without its end is left where it is. */
bool
GoalScanner::SkipComment()
{
    const std::string_view rest = m_text.substr(m_at);
    if (rest.starts_with("//"))
    {
        m_at += std::min(rest.find('\n'), rest.size());
        return true;
    }
    const std::size_t end = rest.starts_with("/*") ? rest.find("*/", 2) : std::string_view::npos;
    if (end == std::string_view::npos)
    {
        return false;
    }
    const std::string_view comment = rest.substr(0, end + 2);
    if (const std::size_t last = comment.rfind('\n'); last != std::string_view::npos)
    {
        m_line += static_cast<uint32_t>(std::ranges::count(comment, '\n'));
        m_lineStart = m_at + last + 1;
    }
    m_at += comment.size();
    return true;
}

GoalToken
GoalScanner::Take(GoalTokenKind kind, std::size_t length)
{
    const auto column = static_cast<uint32_t>(m_at - m_lineStart + 1);
    const GoalToken token{kind, {m_text.substr(m_at, length), m_line, column}};
    m_at += length;
    return token;
}

std::size_t
GoalScanner::CountWhile(bool (*belongs)(char), std::size_t from) const
{
    const std::string_view rest = m_text.substr(std::min(m_at + from, m_text.size()));
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, belongs) - rest.begin());
}

} // namespace ns3::rdma
