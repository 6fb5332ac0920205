// SPDX-License-Identifier: GPL-2.0-only
#include "topology/text-reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view BLANKS = " \t\r\v\f";
constexpr std::string_view BYTE_ORDER_MARK = "\xef\xbb\xbf";

/** 10^36 fits in 128 bits with room for the product by 10 and a digit. */
constexpr int MAX_SIGNIFICANT_DIGITS = 36;

struct Decimal
{
    unsigned __int128 mantissa{0};
    int exponent{0}; ///< value = mantissa x 10^exponent
};

bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/** Takes the digits, with a point or without; false if there is none or there are too many. */
bool
TakeDigits(std::string_view& text, Decimal& decimal)
{
    bool seenPoint = false;
    bool seenDigit = false;
    int significant = 0;
    size_t i = 0;
    for (; i < text.size() && (IsDigit(text[i]) || (text[i] == '.' && !seenPoint)); ++i)
    {
        if (text[i] == '.')
        {
            seenPoint = true;
            continue;
        }
        seenDigit = true;
        if (significant > 0 || text[i] != '0')
        {
            ++significant;
        }
        if (significant > MAX_SIGNIFICANT_DIGITS)
        {
            return false;
        }
        decimal.mantissa = decimal.mantissa * 10 + static_cast<unsigned>(text[i] - '0');
        decimal.exponent -= seenPoint ? 1 : 0;
    }
    text.remove_prefix(i);
    return seenDigit;
}

/** Takes "e-3" when the text goes on with it; false if it is malformed. */
bool
TakeExponent(std::string_view& text, Decimal& decimal)
{
    constexpr int MAX_EXPONENT = 10'000;
    if (text.empty() || (text[0] != 'e' && text[0] != 'E'))
    {
        return true;
    }
    const bool isSigned = text.size() > 1 && (text[1] == '-' || text[1] == '+');
    const bool isNegative = isSigned && text[1] == '-';
    size_t i = isSigned ? 2 : 1;
    if (i >= text.size() || !IsDigit(text[i]))
    {
        return false;
    }
    int value = 0;
    for (; i < text.size() && IsDigit(text[i]); ++i)
    {
        value = std::min(value * 10 + (text[i] - '0'), MAX_EXPONENT);
    }
    decimal.exponent += isNegative ? -value : value;
    text.remove_prefix(i);
    return true;
}

/** mantissa x 10^exponent as a whole number, halves up; nothing above 64 bits. */
std::optional<uint64_t>
ToWhole(Decimal decimal)
{
    constexpr unsigned __int128 LIMIT = std::numeric_limits<uint64_t>::max();
    for (; decimal.exponent > 0 && decimal.mantissa != 0; --decimal.exponent)
    {
        if (decimal.mantissa > LIMIT)
        {
            return std::nullopt;
        }
        decimal.mantissa *= 10;
    }
    unsigned lastDigit = 0;
    for (; decimal.exponent < 0 && (decimal.mantissa != 0 || lastDigit != 0); ++decimal.exponent)
    {
        lastDigit = static_cast<unsigned>(decimal.mantissa % 10);
        decimal.mantissa /= 10;
    }
    decimal.mantissa += lastDigit >= 5 ? 1 : 0;
    if (decimal.mantissa > LIMIT)
    {
        return std::nullopt;
    }
    return static_cast<uint64_t>(decimal.mantissa);
}

/** A unit as a factor times a power of ten. */
struct Unit
{
    std::string_view name;
    uint64_t factor;
    int exponent;
};

constexpr uint64_t KIBI = 1ULL << 10;
constexpr uint64_t MEBI = 1ULL << 20;
constexpr uint64_t GIBI = 1ULL << 30;
constexpr uint64_t BYTE = 8;

constexpr std::array RATE_UNITS{
    Unit{"", 1, 0},
    Unit{"bps", 1, 0},
    Unit{"b/s", 1, 0},
    Unit{"Bps", BYTE, 0},
    Unit{"B/s", BYTE, 0},
    Unit{"kbps", 1, 3},
    Unit{"kb/s", 1, 3},
    Unit{"Kbps", 1, 3},
    Unit{"Kb/s", 1, 3},
    Unit{"kBps", BYTE, 3},
    Unit{"kB/s", BYTE, 3},
    Unit{"KBps", BYTE, 3},
    Unit{"KB/s", BYTE, 3},
    Unit{"Mbps", 1, 6},
    Unit{"Mb/s", 1, 6},
    Unit{"MBps", BYTE, 6},
    Unit{"MB/s", BYTE, 6},
    Unit{"Gbps", 1, 9},
    Unit{"Gb/s", 1, 9},
    Unit{"GBps", BYTE, 9},
    Unit{"GB/s", BYTE, 9},
    Unit{"Kib/s", KIBI, 0},
    Unit{"Mib/s", MEBI, 0},
    Unit{"Gib/s", GIBI, 0},
    Unit{"KiB/s", BYTE* KIBI, 0},
    Unit{"MiB/s", BYTE* MEBI, 0},
    Unit{"GiB/s", BYTE* GIBI, 0},
};

constexpr std::array TIME_UNITS{
    Unit{"", 1, 12},
    Unit{"s", 1, 12},
    Unit{"ms", 1, 9},
    Unit{"us", 1, 6},
    Unit{"ns", 1, 3},
    Unit{"ps", 1, 0},
    Unit{"fs", 1, -3},
    Unit{"min", 60, 12},
    Unit{"h", 3600, 12},
    Unit{"d", 86'400, 12},
};

/** A number followed by one of the units, without a blank between them. */
template <size_t N>
std::optional<uint64_t>
ParseQuantity(std::string_view text, const std::array<Unit, N>& units)
{
    Decimal decimal;
    if (!TakeDigits(text, decimal) || !TakeExponent(text, decimal))
    {
        return std::nullopt;
    }
    for (const Unit& unit : units)
    {
        if (unit.name != text)
        {
            continue;
        }
        constexpr unsigned __int128 MAX = ~static_cast<unsigned __int128>(0);
        if (decimal.mantissa > MAX / unit.factor)
        {
            return std::nullopt;
        }
        decimal.mantissa *= unit.factor;
        decimal.exponent += unit.exponent;
        return ToWhole(decimal);
    }
    return std::nullopt;
}

} // namespace

TextReader::TextReader(std::string_view text) : m_rest{SkipByteOrderMark(text)} {}

std::string_view
SkipByteOrderMark(std::string_view text)
{
    return text.substr(text.starts_with(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.size() : 0);
}

bool
TextReader::Next(std::vector<TextToken>& tokens)
{
    tokens.clear();
    while (!m_rest.empty() && tokens.empty())
    {
        ++m_line;
        const size_t end = m_rest.find('\n');
        const std::string_view line = m_rest.substr(0, end);
        m_rest.remove_prefix(end == std::string_view::npos ? m_rest.size() : end + 1);
        for (size_t at = line.find_first_not_of(BLANKS); at < line.size();)
        {
            const size_t stop = std::min(line.find_first_of(BLANKS, at), line.size());
            tokens.push_back({line.substr(at, stop - at), m_line, static_cast<uint32_t>(at + 1)});
            at = line.find_first_not_of(BLANKS, stop);
        }
    }
    return !tokens.empty();
}

void
DiagnosticList::Add(const TextToken& at, std::string message, std::string expected)
{
    Add(at.line,
        "column " + std::to_string(at.column) + ": " + std::move(message),
        std::string{at.text.substr(0, 80)},
        std::move(expected));
}

void
DiagnosticList::Add(uint32_t line, std::string message, std::string got, std::string expected)
{
    Diagnostic diagnostic;
    diagnostic.line = line;
    diagnostic.message = std::move(message);
    diagnostic.got = std::move(got);
    diagnostic.expected = std::move(expected);
    Add(std::move(diagnostic));
}

void
DiagnosticList::Add(Diagnostic diagnostic)
{
    if (m_entries.size() >= MAX_KEPT)
    {
        ++m_leftOut;
        return;
    }
    diagnostic.file = m_file;
    m_entries.push_back(std::move(diagnostic));
}

void
DiagnosticList::Append(const Diagnostics& findings)
{
    m_entries.insert(m_entries.end(), findings.begin(), findings.end());
}

Diagnostics
DiagnosticList::Take()
{
    if (m_leftOut > 0)
    {
        Diagnostic diagnostic;
        diagnostic.file = m_file;
        diagnostic.message = std::to_string(m_leftOut) + " further errors are not shown";
        m_entries.push_back(std::move(diagnostic));
        m_leftOut = 0;
    }
    return std::move(m_entries);
}

Expected<std::string>
ReadWholeFile(const std::string& path)
{
    Diagnostic diagnostic;
    diagnostic.file = path;
    diagnostic.expected = "a readable file";
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
    {
        diagnostic.message = "the file does not exist";
        return diagnostic;
    }
    if (std::filesystem::is_directory(status))
    {
        diagnostic.message = "this is a folder, not a file";
        return diagnostic;
    }
    std::ifstream stream{path, std::ios::binary};
    std::ostringstream content;
    content << stream.rdbuf();
    if (!stream.is_open() || stream.bad())
    {
        diagnostic.message = "the file cannot be read";
        return diagnostic;
    }
    return std::move(content).str();
}

Expected<std::string>
ReadTextFile(const std::string& path)
{
    Expected<std::string> text = ReadWholeFile(path);
    if (!text || text->find('\0') == std::string::npos)
    {
        return text;
    }
    Diagnostic diagnostic;
    diagnostic.file = path;
    diagnostic.message = "the file holds a zero byte: it is not a text file";
    diagnostic.expected = "a text file";
    return diagnostic;
}

std::optional<uint64_t>
ParseWhole(std::string_view text)
{
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end)
    {
        return std::nullopt;
    }
    return value;
}

std::optional<uint64_t>
ParseScaled(std::string_view text, int exponent)
{
    const std::array units{Unit{"", 1, exponent}};
    return ParseQuantity(text, units);
}

std::optional<BitRate>
ParseNs3Rate(std::string_view text)
{
    const std::optional<uint64_t> bps = ParseQuantity(text, RATE_UNITS);
    return bps ? std::optional{BitRate{*bps}} : std::nullopt;
}

std::optional<SimTime>
ParseNs3Time(std::string_view text)
{
    const std::optional<uint64_t> ps = ParseQuantity(text, TIME_UNITS);
    return ps ? std::optional{SimTime{*ps}} : std::nullopt;
}

std::optional<double>
ParseReal(std::string_view text)
{
    double value = 0.0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || !std::isfinite(value))
    {
        return std::nullopt;
    }
    return value;
}

} // namespace ns3::rdma
