// SPDX-License-Identifier: GPL-2.0-only
#include "base/number-map.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>

namespace ns3::rdma
{

namespace
{

/** A whole number up to a maximum; nothing else. */
std::optional<std::size_t>
ReadNumber(std::string_view text, std::size_t maximum)
{
    std::size_t value = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last || value > maximum)
    {
        return std::nullopt;
    }
    return value;
}

bool
ReadEntry(std::string_view entry, std::span<uint8_t> table, uint8_t maximum)
{
    const std::size_t colon = entry.find(':');
    if (colon == std::string_view::npos)
    {
        return false;
    }
    const auto value = ReadNumber(entry.substr(colon + 1), maximum);
    if (value && entry.substr(0, colon) == "*")
    {
        std::ranges::fill(table, static_cast<uint8_t>(*value));
        return true;
    }
    const auto index = ReadNumber(entry.substr(0, colon), table.size() - 1);
    if (!value || !index)
    {
        return false;
    }
    table[*index] = static_cast<uint8_t>(*value);
    return true;
}

} // namespace

std::optional<Diagnostic>
ReadNumberMap(const std::string& text, std::span<uint8_t> table, uint8_t maximum)
{
    std::string words = text;
    std::ranges::replace(words, ',', ' ');
    std::istringstream stream{words};
    for (std::string entry; stream >> entry;)
    {
        if (!ReadEntry(entry, table, maximum))
        {
            Diagnostic diagnostic;
            diagnostic.message = "not an entry of the map";
            diagnostic.got = entry;
            return diagnostic;
        }
    }
    return std::nullopt;
}

} // namespace ns3::rdma
