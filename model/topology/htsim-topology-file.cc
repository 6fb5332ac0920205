// SPDX-License-Identifier: GPL-2.0-only
#include "topology/htsim-topology-file.h"

#include "topology/text-reader.h"
#include "topology/topology-attributes.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace ns3::rdma
{

namespace
{

constexpr uint64_t NS_TO_PS = 1000;
constexpr uint64_t GBPS_TO_BPS = 1'000'000'000;

/** A word of the file and what it sets. */
template <typename Owner>
struct Word
{
    std::string_view name; ///< as it is usually spelt
    HtsimValue Owner::*member;
    uint64_t minimum;
    uint64_t maximum;
};

constexpr uint64_t MAX_NODES = 1'000'000;
constexpr uint64_t MAX_RADIX = 65'535; ///< ports of a switch in this model
constexpr uint64_t MAX_SPEED = MAX_LINK_RATE.bps / GBPS_TO_BPS;
constexpr uint64_t MAX_LATENCY = MAX_LINK_DELAY.ps / NS_TO_PS;
constexpr uint64_t MAX_QUEUE = uint64_t{1} << 40; ///< @choice a terabyte, beyond any switch

constexpr std::array HEADER_WORDS{
    Word<HtsimTopologyFile>{"Nodes", &HtsimTopologyFile::nodes, 1, MAX_NODES},
    Word<HtsimTopologyFile>{"Tiers", &HtsimTopologyFile::tiers, 2, HtsimTopologyFile::MAX_TIERS},
    Word<HtsimTopologyFile>{"Podsize", &HtsimTopologyFile::podSize, 1, MAX_NODES}};

constexpr std::array TIER_WORDS{
    Word<HtsimTier>{"Downlink_speed_Gbps", &HtsimTier::speedGbps, 1, MAX_SPEED},
    Word<HtsimTier>{"Downlink_Latency_ns", &HtsimTier::latencyNs, 1, MAX_LATENCY},
    Word<HtsimTier>{"Radix_Down", &HtsimTier::radixDown, 1, MAX_RADIX},
    Word<HtsimTier>{"Radix_Up", &HtsimTier::radixUp, 1, MAX_RADIX},
    Word<HtsimTier>{"Oversubscribed", &HtsimTier::oversubscribed, 1, MAX_RADIX},
    Word<HtsimTier>{"Bundle", &HtsimTier::bundle, 1, MAX_RADIX},
    Word<HtsimTier>{"Switch_Latency_ns", &HtsimTier::switchLatencyNs, 0, MAX_LATENCY},
    Word<HtsimTier>{"Queue_Down", &HtsimTier::queueDown, 0, MAX_QUEUE},
    Word<HtsimTier>{"Queue_Up", &HtsimTier::queueUp, 0, MAX_QUEUE}};

std::string
ToLower(std::string_view text)
{
    std::string lower{text};
    std::ranges::transform(
        lower,
        lower.begin(),
        [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return lower;
}

class HtsimFileParser
{
  public:
    HtsimFileParser(std::string_view text, const std::string& file) : m_reader{text}, m_errors{file}
    {
    }

    Expected<HtsimTopologyFile> Parse();

  private:
    void ReadLine();
    template <typename Owner, std::size_t N>
    bool Set(Owner& owner, const std::array<Word<Owner>, N>& words);
    bool StartTier();
    void Unknown();
    void CheckPresence();
    void Require(const HtsimValue& value, const std::string& name, uint32_t line);

    TextReader m_reader;
    DiagnosticList m_errors;
    std::vector<TextToken> m_words; ///< the line read last
    HtsimTopologyFile m_file;
    std::optional<std::size_t> m_tier; ///< the one that is being read
};

void
HtsimFileParser::Unknown()
{
    Diagnostic diagnostic;
    diagnostic.line = m_words[0].line;
    diagnostic.message = "unknown word";
    diagnostic.got = std::string{m_words[0].text.substr(0, 80)};
    diagnostic.knownNames = {"Tier"};
    for (const auto& word : HEADER_WORDS)
    {
        diagnostic.knownNames.emplace_back(word.name);
    }
    for (const auto& word : TIER_WORDS)
    {
        diagnostic.knownNames.emplace_back(word.name);
    }
    diagnostic.nearest = NearestName(diagnostic.got, diagnostic.knownNames);
    m_errors.Add(std::move(diagnostic));
}

/** Sets the value that the line's first word names; false if it is none of these words. */
template <typename Owner, std::size_t N>
bool
HtsimFileParser::Set(Owner& owner, const std::array<Word<Owner>, N>& words)
{
    const auto word = std::ranges::find_if(words,
                                           [this](const Word<Owner>& w)
                                           { return ToLower(w.name) == ToLower(m_words[0].text); });
    if (word == words.end())
    {
        return false;
    }
    const auto number = m_words.size() == 2 ? ParseWhole(m_words[1].text) : std::nullopt;
    if (!number || *number < word->minimum || *number > word->maximum)
    {
        m_errors.Add(m_words.back(),
                     std::string{word->name} + " takes one number",
                     std::to_string(word->minimum) + " to " + std::to_string(word->maximum));
        return true;
    }
    HtsimValue& value = owner.*word->member;
    if (value.line != 0)
    {
        m_errors.Add(m_words[0],
                     "the value is given in line " + std::to_string(value.line) + " already",
                     "each value once");
    }
    value = {*number, m_words[0].line};
    return true;
}

bool
HtsimFileParser::StartTier()
{
    if (ToLower(m_words[0].text) != "tier")
    {
        return false;
    }
    const auto number = m_words.size() == 2 ? ParseWhole(m_words[1].text) : std::nullopt;
    const uint64_t tiers =
        m_file.tiers.line != 0 ? m_file.tiers.number : HtsimTopologyFile::MAX_TIERS;
    if (!number || *number >= tiers)
    {
        m_errors.Add(m_words.back(), "no such tier", "0 to " + std::to_string(tiers - 1));
        return true;
    }
    m_tier = *number;
    if (m_file.tier[*number].start.line != 0)
    {
        m_errors.Add(m_words[0], "the tier is there already", "each tier once");
    }
    m_file.tier[*number].start = {*number, m_words[0].line};
    return true;
}

void
HtsimFileParser::ReadLine()
{
    if (m_words[0].text.starts_with('#') || StartTier() || Set(m_file, HEADER_WORDS))
    {
        return;
    }
    HtsimTier unused;
    if (!m_tier && Set(unused, TIER_WORDS))
    {
        m_errors.Add(m_words[0], "the value belongs to no tier", "a line 'Tier 0' before it");
    }
    else if (!m_tier || !Set(m_file.tier[*m_tier], TIER_WORDS))
    {
        Unknown();
    }
}

void
HtsimFileParser::Require(const HtsimValue& value, const std::string& name, uint32_t line)
{
    if (value.line == 0)
    {
        m_errors.Add(line, "a value is missing", "", name);
    }
}

/** All that must be there is there, and nothing that means nothing. */
void
HtsimFileParser::CheckPresence()
{
    Require(m_file.nodes, "Nodes", 0);
    Require(m_file.tiers, "Tiers", 0);
    Require(m_file.podSize, "Podsize", 0);
    if (m_file.tiers.line == 0)
    {
        return;
    }
    for (std::size_t i = 0; i < m_file.tiers.number; i++)
    {
        const HtsimTier& tier = m_file.tier[i];
        const std::string of = " of tier " + std::to_string(i);
        if (tier.start.line == 0)
        {
            Require(tier.start, "Tier " + std::to_string(i) + " and its values", 0);
            continue;
        }
        Require(tier.speedGbps, "Downlink_speed_Gbps" + of, tier.start.line);
        Require(tier.latencyNs, "Downlink_Latency_ns" + of, tier.start.line);
        Require(tier.radixDown, "Radix_Down" + of, tier.start.line);
        if (i < m_file.Top())
        {
            Require(tier.radixUp, "Radix_Up" + of, tier.start.line);
        }
        else if (tier.radixUp.line != 0 || tier.queueUp.line != 0)
        {
            m_errors.Add(std::max(tier.radixUp.line, tier.queueUp.line),
                         "the top tier has nothing above it",
                         "",
                         "neither Radix_Up nor Queue_Up");
        }
    }
}

Expected<HtsimTopologyFile>
HtsimFileParser::Parse()
{
    while (m_reader.Next(m_words))
    {
        ReadLine();
    }
    CheckPresence();
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    return m_file;
}

} // namespace

Expected<HtsimTopologyFile>
ParseHtsimTopologyFile(std::string_view text, const std::string& file)
{
    return HtsimFileParser{text, file}.Parse();
}

} // namespace ns3::rdma
