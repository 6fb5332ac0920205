// SPDX-License-Identifier: GPL-2.0-only
#include "workload/path-list.h"

#include <algorithm>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view COMMA = ", ";
constexpr std::string_view BLANK = " ";

} // namespace

std::vector<std::string>
SplitPaths(std::string_view text)
{
    const std::string_view separator = text.find(COMMA) != std::string_view::npos ? COMMA : BLANK;
    std::vector<std::string> words;
    while (!text.empty())
    {
        const auto end = std::min(text.find(separator), text.size());
        if (end > 0)
        {
            words.emplace_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + separator.size(), text.size()));
    }
    return words;
}

std::string
JoinPaths(const std::vector<std::string>& words)
{
    const bool holdBlanks = std::ranges::any_of(
        words, [](const std::string& word) { return word.find(' ') != std::string::npos; });
    std::string text;
    for (const std::string& word : words)
    {
        text += (text.empty() ? "" : holdBlanks ? COMMA : BLANK);
        text += word;
    }
    // A single word with a blank is a list of one only with a comma behind it.
    return words.size() == 1 && holdBlanks ? text + std::string{COMMA} : text;
}

} // namespace ns3::rdma
