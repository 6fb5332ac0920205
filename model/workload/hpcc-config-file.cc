// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hpcc-config-file.h"

#include "base/quantity.h"

#include <algorithm>
#include <optional>

namespace ns3::rdma
{

namespace
{

/** Turns words into entries. */
class EntryParser
{
  public:
    EntryParser(DiagnosticList& errors, std::vector<std::string>& warnings)
        : m_errors{errors},
          m_warnings{warnings}
    {
    }

    HpccEntries Parse(std::string_view text);

  private:
    bool TakeValues(const HpccKey& key);

    DiagnosticList& m_errors;
    std::vector<std::string>& m_warnings;
    std::vector<TextToken> m_words;
    size_t m_at{0}; ///< the word to be read next
    HpccEntries m_entries;
};

void
ReportUnknown(const TextToken& word, DiagnosticList& errors)
{
    std::vector<std::string> known;
    for (const HpccKey& key : GetHpccKeys())
    {
        known.emplace_back(key.name);
    }
    Diagnostic diagnostic;
    diagnostic.line = word.line;
    diagnostic.got = std::string{word.text};
    diagnostic.message = "unknown key";
    diagnostic.expected = "a key of the HPCC simulator's configuration";
    diagnostic.nearest = NearestName(diagnostic.got, known);
    errors.Add(std::move(diagnostic));
}

bool
EntryParser::TakeValues(const HpccKey& key)
{
    HpccEntry entry;
    entry.key = m_words[m_at];
    ++m_at;
    size_t wanted = key.arity;
    if (key.arity == HpccKey::MAP && m_at < m_words.size())
    {
        const std::optional<uint64_t> pairs = ParseWhole(m_words[m_at].text);
        if (!pairs || *pairs > m_words.size())
        {
            m_errors.Add(
                m_words[m_at], std::string{key.name} + ": not a count of pairs", "a number");
            return false;
        }
        ++m_at;
        wanted = 2 * *pairs;
    }
    for (; wanted > 0 && m_at < m_words.size() && FindHpccKey(m_words[m_at].text) == nullptr;
         --wanted)
    {
        entry.values.push_back(m_words[m_at++]);
    }
    if (wanted > 0 || (key.arity == HpccKey::MAP && entry.values.empty()))
    {
        m_errors.Add(entry.key,
                     std::string{key.name} + ": values are missing",
                     std::to_string(entry.values.size() + std::max<size_t>(wanted, 1)) + " values");
        return false;
    }
    const std::string name{entry.key.text};
    if (m_entries.contains(name))
    {
        m_warnings.push_back(name + " is given twice; the last one holds");
    }
    m_entries[name] = std::move(entry);
    return true;
}

HpccEntries
EntryParser::Parse(std::string_view text)
{
    TextReader reader{text};
    for (std::vector<TextToken> line; reader.Next(line);)
    {
        m_words.insert(m_words.end(), line.begin(), line.end());
    }
    while (m_at < m_words.size())
    {
        const HpccKey* const key = FindHpccKey(m_words[m_at].text);
        const uint32_t line = m_words[m_at].line;
        if (key == nullptr)
        {
            ReportUnknown(m_words[m_at], m_errors);
        }
        if (key == nullptr || !TakeValues(*key))
        {
            // The rest of the line belongs to what was not understood.
            while (m_at < m_words.size() && m_words[m_at].line == line)
            {
                ++m_at;
            }
        }
    }
    if (m_words.empty())
    {
        m_errors.Add(0, "the file is empty", "", "keys and values, such as 'CC_MODE 1'");
    }
    return std::move(m_entries);
}

} // namespace

HpccEntries
ParseHpccEntries(std::string_view text, DiagnosticList& errors, std::vector<std::string>& warnings)
{
    return EntryParser{errors, warnings}.Parse(text);
}

std::string
ConvertHpccValue(HpccConversion conversion, std::string_view value)
{
    constexpr int MICRO_EXPONENT = 6;
    constexpr int UNIT_EXPONENT = 12;
    constexpr uint64_t MAX_MEBIBYTES = 1ULL << 40;
    const auto time = [&](int exponent) -> std::string
    {
        const std::optional<uint64_t> ps = ParseScaled(value, exponent);
        return ps ? ToString(SimTime{*ps}) : "";
    };
    const std::optional<uint64_t> whole = ParseWhole(value);
    std::string text;
    switch (conversion)
    {
    case HpccConversion::RATE:
        text = ParseNs3Rate(value) ? ToString(*ParseNs3Rate(value)) : "";
        break;
    case HpccConversion::MICROSECONDS:
        text = time(MICRO_EXPONENT);
        break;
    case HpccConversion::SECONDS:
        text = time(UNIT_EXPONENT);
        break;
    case HpccConversion::MEBIBYTES:
        text = whole && *whole <= MAX_MEBIBYTES ? std::to_string(*whole) + "MiB" : "";
        break;
    case HpccConversion::WHOLE:
        text = whole ? std::to_string(*whole) : "";
        break;
    case HpccConversion::FRACTION:
        text = ParseFraction(value) ? std::string{value} : "";
        break;
    case HpccConversion::BOOLEAN:
        text = whole && *whole <= 1 ? (*whole == 1 ? "true" : "false") : "";
        break;
    case HpccConversion::NONE:
        break;
    }
    return text;
}

} // namespace ns3::rdma
