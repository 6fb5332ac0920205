// SPDX-License-Identifier: GPL-2.0-only
#include "workload/hpcc-flow-reader.h"

#include "base/traffic-class.h"
#include "topology/text-reader.h"
#include "workload/flow-checks.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

namespace ns3::rdma
{

namespace
{

constexpr size_t COLUMNS = 6;           ///< source, destination, priority, port, bytes, start
constexpr size_t CONWEAVE_COLUMNS = 5;  ///< the same without the port
constexpr uint16_t CONWEAVE_PORT = 100; ///< the first destination port that ConWeave hands out

class HpccFlowParser
{
  public:
    HpccFlowParser(std::string_view text,
                   const std::string& file,
                   const Topology* topology,
                   std::vector<std::string>& notes)
        : m_reader{text},
          m_file{file},
          m_topology{topology},
          m_errors{file},
          m_notes{notes}
    {
    }

    Expected<FlowList> Parse()
    {
        if (ReadCount())
        {
            ReadFlows();
        }
        if (!m_errors.IsEmpty())
        {
            return m_errors.Take();
        }
        Finish();
        return std::move(m_flows);
    }

  private:
    bool ReadCount();
    void ReadFlows();
    void ReadFlow();
    void DetectColumns();
    std::optional<uint32_t> ReadHost(const TextToken& word);
    std::optional<uint64_t> ReadWhole(const TextToken& word, uint64_t minimum, uint64_t maximum);
    void Finish();

    TextReader m_reader;
    const std::string& m_file;
    const Topology* m_topology; ///< null: unknown
    DiagnosticList m_errors;
    std::vector<std::string>& m_notes;
    std::vector<TextToken> m_words; ///< the line read last
    uint64_t m_count{0};
    size_t m_columns{0}; ///< of this file; 0 before the first flow
    FlowList m_flows;
};

bool
HpccFlowParser::ReadCount()
{
    constexpr const char* EXPECTED = "the number of flows, alone in the first line";
    if (!m_reader.Next(m_words))
    {
        m_errors.Add(0, "the file is empty", "", EXPECTED);
        return false;
    }
    const std::optional<uint64_t> count = ParseWhole(m_words[0].text);
    if (!count || m_words.size() != 1)
    {
        m_errors.Add(m_words[0], "the file does not begin with the number of flows", EXPECTED);
        return false;
    }
    m_count = *count;
    return true;
}

void
HpccFlowParser::ReadFlows()
{
    for (uint64_t i = 0; i < m_count; ++i)
    {
        if (!m_reader.Next(m_words))
        {
            m_errors.Add(m_reader.Line(),
                         "the file has fewer flows than its first line announces",
                         std::to_string(i) + " flows",
                         std::to_string(m_count));
            return;
        }
        if (m_columns == 0)
        {
            DetectColumns();
        }
        if (m_words.size() != m_columns)
        {
            m_errors.Add(m_reader.Line(),
                         "not a flow",
                         std::to_string(m_words.size()) + " columns",
                         m_columns == COLUMNS ? "6: source destination priority port bytes start"
                                              : "5: source destination priority bytes start");
            continue;
        }
        ReadFlow();
    }
}

void
HpccFlowParser::DetectColumns()
{
    m_columns = m_words.size() == CONWEAVE_COLUMNS ? CONWEAVE_COLUMNS : COLUMNS;
    if (m_columns == CONWEAVE_COLUMNS)
    {
        m_notes.push_back(m_file + ": five columns (source, destination, priority, bytes, start); "
                                   "the destination port is taken as 100");
    }
}

std::optional<uint32_t>
HpccFlowParser::ReadHost(const TextToken& word)
{
    const std::optional<uint64_t> id = ParseWhole(word.text);
    const uint64_t limit = m_topology != nullptr ? m_topology->nodes.size() : MAX_HPCC_NODES;
    if (!id || *id >= limit)
    {
        m_errors.Add(word, "unknown node id", "the id of a host, below " + std::to_string(limit));
        return std::nullopt;
    }
    if (m_topology != nullptr && m_topology->nodes[*id].kind != NodeKind::HOST)
    {
        m_errors.Add(word, "the node is a switch", "the id of a host");
        return std::nullopt;
    }
    return static_cast<uint32_t>(*id);
}

std::optional<uint64_t>
HpccFlowParser::ReadWhole(const TextToken& word, uint64_t minimum, uint64_t maximum)
{
    const std::optional<uint64_t> value = ParseWhole(word.text);
    if (!value || *value < minimum || *value > maximum)
    {
        m_errors.Add(word,
                     "not a number in range",
                     std::to_string(minimum) + " to " + std::to_string(maximum));
        return std::nullopt;
    }
    return value;
}

void
HpccFlowParser::ReadFlow()
{
    constexpr int PS_PER_SECOND_EXPONENT = 12;
    const bool hasPort = m_columns == COLUMNS;
    const TextToken& bytesWord = m_words[m_columns - 2];
    const TextToken& startWord = m_words[m_columns - 1];
    const std::optional<uint32_t> source = ReadHost(m_words[0]);
    const std::optional<uint32_t> destination = ReadHost(m_words[1]);
    const std::optional<uint64_t> priority = ReadWhole(m_words[2], 0, PRIORITY_COUNT - 1);
    const std::optional<uint64_t> port =
        hasPort ? ReadWhole(m_words[3], 0, std::numeric_limits<uint16_t>::max())
                : std::optional<uint64_t>{CONWEAVE_PORT};
    const std::optional<uint64_t> bytes = ReadWhole(bytesWord, 1, MAX_FLOW_BYTES);
    const std::optional<uint64_t> start = ParseScaled(startWord.text, PS_PER_SECOND_EXPONENT);
    if (!start || SimTime{*start}.IsNever())
    {
        m_errors.Add(startWord, "not a start time", "seconds, such as 2.000000934");
        return;
    }
    if (source && source == destination)
    {
        m_errors.Add(m_words[1], "a host that sends to itself is not modelled", "another host");
        return;
    }
    if (source && destination && priority && port && bytes)
    {
        Flow flow;
        flow.source = *source;
        flow.destination = *destination;
        flow.bytes = *bytes;
        flow.start = {*start};
        flow.priority = static_cast<uint8_t>(*priority);
        flow.destinationPort = static_cast<uint16_t>(*port);
        m_flows.push_back(std::move(flow));
    }
}

void
HpccFlowParser::Finish()
{
    uint64_t rest = 0;
    while (m_reader.Next(m_words))
    {
        ++rest;
    }
    if (rest > 0)
    {
        m_notes.push_back(m_file + ": " + std::to_string(rest) + " lines after the " +
                          std::to_string(m_count) + " announced flows were not read");
    }
    const bool isInOrder =
        std::is_sorted(m_flows.begin(),
                       m_flows.end(),
                       [](const Flow& a, const Flow& b) { return a.start < b.start; });
    if (!isInOrder)
    {
        m_notes.push_back(m_file + ": the flows were not in order of start time and were sorted");
    }
    SortFlows(m_flows);
}

} // namespace

Expected<FlowList>
ParseHpccFlows(std::string_view text,
               const std::string& file,
               const Topology& topology,
               std::vector<std::string>& notes)
{
    return HpccFlowParser{text, file, &topology, notes}.Parse();
}

Expected<FlowList>
ParseHpccFlowIds(std::string_view text, const std::string& file, std::vector<std::string>& notes)
{
    return HpccFlowParser{text, file, nullptr, notes}.Parse();
}

bool
LooksLikeHpccFlows(std::string_view head)
{
    TextReader reader{head};
    std::vector<TextToken> words;
    if (!reader.Next(words) || words.size() != 1 || !ParseWhole(words[0].text))
    {
        return false;
    }
    const bool isEmpty = words[0].text == "0";
    if (!reader.Next(words))
    {
        return isEmpty;
    }
    const bool isFlow = words.size() == COLUMNS || words.size() == CONWEAVE_COLUMNS;
    return isFlow && ParseScaled(words.back().text, 0) &&
           std::all_of(words.begin(),
                       words.end() - 1,
                       [](const TextToken& word) { return ParseWhole(word.text).has_value(); });
}

Expected<FlowList>
ReadHpccFlows(const std::string& path, const Topology& topology, std::vector<std::string>& notes)
{
    const Expected<std::string> text = ReadTextFile(path);
    if (!text)
    {
        return text.Errors();
    }
    return ParseHpccFlows(*text, path, topology, notes);
}

} // namespace ns3::rdma
