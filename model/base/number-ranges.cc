// SPDX-License-Identifier: GPL-2.0-only
#include "base/number-ranges.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view SEPARATORS = " ,\t";

std::optional<uint64_t>
ParseNumber(std::string_view text)
{
    uint64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end ? std::optional{number} : std::nullopt;
}

} // namespace

Expected<NumberRanges>
NumberRanges::Parse(std::string_view text, uint64_t most)
{
    NumberRanges ranges;
    Diagnostics errors;
    for (std::size_t begin = text.find_first_not_of(SEPARATORS); begin != std::string_view::npos;
         begin = text.find_first_not_of(SEPARATORS, begin))
    {
        const std::size_t end = std::min(text.find_first_of(SEPARATORS, begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        begin = end;
        const std::size_t dash = word.find('-');
        const auto first = ParseNumber(word.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : ParseNumber(word.substr(dash + 1));
        if (!first || !last || *first > *last || *last > most)
        {
            Diagnostic error;
            error.message = "not such a number or range";
            error.got = word;
            error.expected = "numbers and ranges such as \"5 7-9\", 0 .. " + std::to_string(most);
            errors.push_back(error);
            continue;
        }
        ranges.m_ranges.push_back({*first, *last});
    }
    if (!errors.empty())
    {
        return errors;
    }
    std::ranges::sort(ranges.m_ranges, {}, &Range::first);
    std::vector<Range> apart;
    for (const Range& range : ranges.m_ranges)
    {
        if (!apart.empty() && range.first <= apart.back().last)
        {
            apart.back().last = std::max(apart.back().last, range.last);
            continue;
        }
        apart.push_back(range);
    }
    ranges.m_ranges = std::move(apart);
    return ranges;
}

bool
NumberRanges::Has(uint64_t number) const
{
    if (m_ranges.empty())
    {
        return true;
    }
    const auto after = std::ranges::upper_bound(m_ranges, number, {}, &Range::first);
    return after != m_ranges.begin() && number <= std::prev(after)->last;
}

uint64_t
NumberRanges::GetLargest() const
{
    return m_ranges.empty() ? 0 : m_ranges.back().last;
}

} // namespace ns3::rdma
