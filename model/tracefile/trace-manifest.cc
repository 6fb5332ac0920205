// SPDX-License-Identifier: GPL-2.0-only
#include "tracefile/trace-manifest.h"

#include <array>
#include <charconv>
#include <functional>
#include <map>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view HEAD_KEY = "rdmasim-trace";
constexpr std::array<const char*, 3> TIMINGS{"recorded", "planned", "none"};
constexpr std::array<const char*, 2> ORDERS{"program", "graph"};

/** Line ends inside a value, and the sign itself, are written as two letters. */
std::string
Escape(std::string_view value)
{
    std::string text;
    for (const char letter : value)
    {
        text += letter == '\n' ? "\\n" : letter == '\\' ? "\\\\" : std::string{letter};
    }
    return text;
}

std::string
Unescape(std::string_view value)
{
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i)
    {
        const bool isEscape = value[i] == '\\' && i + 1 < value.size();
        i += isEscape ? 1 : 0;
        text += isEscape && value[i] == 'n' ? '\n' : value[i];
    }
    return text;
}

/** @return false: not a number of that type, or more than one */
template <typename T>
bool
ParseNumber(std::string_view text, T& value)
{
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end;
}

template <typename T>
bool
ParseNumber(std::string_view text, std::optional<T>& value)
{
    return ParseNumber(text, value.emplace());
}

/** @return false: none of the names */
template <typename ENUM, std::size_t COUNT>
bool
ParseName(std::string_view text, const std::array<const char*, COUNT>& names, ENUM& value)
{
    for (std::size_t i = 0; i < COUNT; ++i)
    {
        if (text == names[i])
        {
            value = static_cast<ENUM>(i);
            return true;
        }
    }
    return false;
}

/** Takes the word up to the next blank. */
std::string_view
TakeWord(std::string_view& text)
{
    const auto blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    return word;
}

bool
ParseGid(std::string_view text, Gid& gid)
{
    constexpr std::size_t DIGITS = 4;
    constexpr std::size_t LETTERS = 39; // eight groups and seven colons
    constexpr int HEXADECIMAL = 16;
    if (text.size() != LETTERS)
    {
        return false;
    }
    for (std::size_t group = 0; group < gid.size() / 2; ++group)
    {
        const std::string_view digits = text.substr(group * (DIGITS + 1), DIGITS);
        const bool hasColon = group == 0 || text[group * (DIGITS + 1) - 1] == ':';
        const char* end = digits.data() + digits.size();
        uint16_t value = 0;
        const auto [stop, error] = std::from_chars(digits.data(), end, value, HEXADECIMAL);
        if (!hasColon || error != std::errc{} || stop != end)
        {
            return false;
        }
        gid[group * 2] = static_cast<std::byte>(value >> 8);
        gid[group * 2 + 1] = static_cast<std::byte>(value);
    }
    return true;
}

bool
ParseThread(std::string_view text, ManifestThread& thread)
{
    const bool isGood = ParseNumber(TakeWord(text), thread.number) &&
                        ParseName(TakeWord(text), ORDERS, thread.order);
    thread.file = TakeWord(text);
    thread.name = Unescape(text);
    // A file elsewhere is none of this folder's.
    return isGood && !thread.file.empty() && thread.file.find('/') == std::string::npos;
}

/** What a key does with its value; false: not a value of it. */
struct KeyRule
{
    std::function<bool(TraceManifest&, std::string_view)> take;
    std::string expected;
};

bool
TakeText(std::string& field, std::string_view value)
{
    field = Unescape(value);
    return true;
}

bool
TakeClockRate(TraceManifest& manifest, std::string_view value)
{
    TraceClock clock = manifest.clock.value_or(TraceClock{});
    const bool isGood = ParseNumber(value, clock.ticksPerSecond) && clock.ticksPerSecond != 0 &&
                        clock.ticksPerSecond <= TraceClock::MAX_TICKS;
    manifest.clock = isGood ? clock : manifest.clock;
    return isGood;
}

bool
TakeClockOrigin(TraceManifest& manifest, std::string_view value)
{
    TraceClock clock = manifest.clock.value_or(TraceClock{});
    const bool isGood = ParseNumber(value, clock.originTicks);
    manifest.clock = isGood ? clock : manifest.clock;
    return isGood;
}

bool
TakeGid(TraceManifest& manifest, std::string_view value)
{
    return ParseGid(value, manifest.gids.emplace_back());
}

bool
TakeThread(TraceManifest& manifest, std::string_view value)
{
    return ParseThread(value, manifest.threads.emplace_back());
}

using Value = std::string_view;

const std::map<std::string, KeyRule, std::less<>>&
Keys()
{
    const auto text = [](std::string TraceManifest::*field) {
        return KeyRule{[field](TraceManifest& m, Value v) { return TakeText(m.*field, v); }, ""};
    };
    static const std::map<std::string, KeyRule, std::less<>> KEYS{
        {"name", text(&TraceManifest::name)},
        {"host", text(&TraceManifest::host)},
        {"executable", text(&TraceManifest::executable)},
        {"set", text(&TraceManifest::set)},
        {"note",
         {[](TraceManifest& m, Value v) { return TakeText(m.notes.emplace_back(), v); }, ""}},
        {"pid", {[](TraceManifest& m, Value v) { return ParseNumber(v, m.pid); }, "a number"}},
        {"process",
         {[](TraceManifest& m, Value v) { return ParseNumber(v, m.process); }, "a number"}},
        {"timing",
         {[](TraceManifest& m, Value v) { return ParseName(v, TIMINGS, m.timing); },
          "recorded, planned or none"}},
        {"clock_ticks_per_second",
         {TakeClockRate, "1 .. " + std::to_string(TraceClock::MAX_TICKS)}},
        {"clock_origin_ticks", {TakeClockOrigin, "a number"}},
        {"origin_ns",
         {[](TraceManifest& m, Value v) { return ParseNumber(v, m.originNs); },
          "nanoseconds since 1970"}},
        {"gid", {TakeGid, "eight groups of four hexadecimal digits"}},
        {"thread", {TakeThread, "<number> program|graph <file> <name>"}},
        {"closed", {[](TraceManifest& m, Value v) { return m.isClosed = v == "yes"; }, "yes"}},
    };
    return KEYS;
}

/** Goes through the lines behind the first. */
class ManifestParser
{
  public:
    ManifestParser(const std::string& file, std::string_view text) : m_file{file}, m_text{text} {}

    Expected<TraceManifest> Run()
    {
        TakeHead();
        while (!m_text.empty() && m_errors.size() < MAX_ERRORS)
        {
            const auto end = m_text.find('\n');
            if (end == std::string_view::npos)
            {
                m_manifest.notes.push_back(m_file + ": the last line is not whole, left out");
                break;
            }
            TakeLine(m_text.substr(0, end));
            m_text.remove_prefix(end + 1);
        }
        if (!m_errors.empty())
        {
            return m_errors;
        }
        return m_manifest;
    }

  private:
    /** More of them say no more: the file is none of ours, or damaged. */
    static constexpr std::size_t MAX_ERRORS = 10;

    void TakeHead()
    {
        const auto end = m_text.find('\n');
        const std::string_view line = m_text.substr(0, end);
        m_text.remove_prefix(end == std::string_view::npos ? m_text.size() : end + 1);
        ++m_line;
        std::string head = GetManifestHead();
        head.pop_back();
        if (line != head || end == std::string_view::npos)
        {
            Report(
                "", "not the manifest of a trace, or of another version", line, "'" + head + "'");
        }
    }

    void TakeLine(std::string_view line)
    {
        ++m_line;
        const auto colon = line.find(": ");
        const std::string_view key = line.substr(0, colon);
        const auto rule = Keys().find(key);
        if (line.empty() || line.front() == '#')
        {
            return;
        }
        if (colon == std::string_view::npos || rule == Keys().end())
        {
            std::vector<std::string> known;
            for (const auto& [name, ignored] : Keys())
            {
                known.push_back(name);
            }
            Report("", "unknown key", key, "<key>: <value>");
            m_errors.back().nearest = NearestName(std::string{key}, known);
            m_errors.back().knownNames = known;
            return;
        }
        const std::string_view value = line.substr(colon + 2);
        if (!rule->second.take(m_manifest, value))
        {
            Report(std::string{key}, "not a value of this key", value, rule->second.expected);
        }
    }

    void Report(const std::string& key,
                const std::string& message,
                std::string_view got,
                const std::string& expected)
    {
        constexpr std::size_t MOST = 80; // letters of a damaged line that a person looks at
        m_errors.push_back(
            {m_file, m_line, key, message, std::string{got.substr(0, MOST)}, expected, "", {}});
    }

    const std::string& m_file;
    std::string_view m_text;
    uint32_t m_line{0};
    TraceManifest m_manifest;
    Diagnostics m_errors;
};

} // namespace

bool
IsTraceManifest(std::string_view text)
{
    return text.starts_with(std::string{HEAD_KEY} + ": ");
}

std::string
GetManifestHead()
{
    return MakeManifestLine(HEAD_KEY, std::to_string(TraceManifest::VERSION));
}

std::string
MakeManifestLine(std::string_view key, std::string_view value)
{
    return std::string{key} + ": " + Escape(value) + "\n";
}

std::string
MakeManifestLine(const ManifestThread& thread)
{
    return MakeManifestLine("thread",
                            std::to_string(thread.number) + " " +
                                ORDERS[static_cast<std::size_t>(thread.order)] + " " + thread.file +
                                " " + thread.name);
}

std::string
ToString(const Gid& gid)
{
    constexpr std::string_view DIGITS = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < gid.size(); ++i)
    {
        const auto value = static_cast<unsigned>(gid[i]);
        text += i != 0 && i % 2 == 0 ? ":" : "";
        text += DIGITS[value >> 4];
        text += DIGITS[value & 0xf];
    }
    return text;
}

std::string
ToString(const TraceManifest& manifest)
{
    std::string text = GetManifestHead();
    const auto add = [&text](std::string_view key, const std::string& value)
    { text += value.empty() ? "" : MakeManifestLine(key, value); };
    add("name", manifest.name);
    add("host", manifest.host);
    add("executable", manifest.executable);
    add("pid", manifest.pid ? std::to_string(*manifest.pid) : "");
    add("set", manifest.set);
    add("process", manifest.process ? std::to_string(*manifest.process) : "");
    add("timing", TIMINGS[static_cast<std::size_t>(manifest.timing)]);
    if (manifest.clock)
    {
        add("clock_ticks_per_second", std::to_string(manifest.clock->ticksPerSecond));
        add("clock_origin_ticks", std::to_string(manifest.clock->originTicks));
    }
    add("origin_ns", std::to_string(manifest.originNs));
    for (const Gid& gid : manifest.gids)
    {
        add("gid", ToString(gid));
    }
    for (const std::string& note : manifest.notes)
    {
        add("note", note);
    }
    for (const ManifestThread& thread : manifest.threads)
    {
        text += MakeManifestLine(thread);
    }
    add("closed", manifest.isClosed ? "yes" : "");
    return text;
}

Expected<TraceManifest>
ParseTraceManifest(const std::string& file, std::string_view text)
{
    return ManifestParser{file, text}.Run();
}

} // namespace ns3::rdma
