// SPDX-License-Identifier: GPL-2.0-only
#include "topology/hpcc-topology-reader.h"

#include "topology/text-reader.h"
#include "topology/topology-generator.h"

#include <array>
#include <optional>
#include <span>

namespace ns3::rdma
{

namespace
{

constexpr size_t LINK_COLUMNS = 5; ///< a, b, rate, delay, loss
constexpr const char* LINK_FORM = "a b rate delay loss, such as '0 16 100Gbps 1us 0'";

/** What the first line announces. */
struct Header
{
    uint64_t nodes{0};
    uint64_t nvSwitches{0};
    uint64_t switches{0};
    uint64_t links{0};
};

class HpccTopologyParser
{
  public:
    HpccTopologyParser(std::string_view text,
                       const std::string& file,
                       std::vector<std::string>& notes)
        : m_reader{text},
          m_file{file},
          m_errors{file},
          m_notes{notes}
    {
    }

    Expected<Topology> Parse()
    {
        if (ReadHeader() && ReadSwitches())
        {
            ReadLinks();
        }
        if (!m_errors.IsEmpty())
        {
            return m_errors.Take();
        }
        return std::move(m_topology);
    }

  private:
    bool ReadHeader();
    bool TakeHeader(std::span<const size_t> columns, std::span<uint64_t* const> values);
    bool CheckHeader();
    bool ReadSwitches();
    bool TakeSwitch(const TextToken& token);
    void ReadLinks();
    void ReadLink(std::span<const TextToken> words);
    std::optional<uint32_t> ReadEnd(const TextToken& token);
    bool IsLink(std::span<const TextToken> words) const;
    void ReadRest();

    TextReader m_reader;
    const std::string& m_file;
    DiagnosticList m_errors;
    std::vector<std::string>& m_notes;
    std::vector<TextToken> m_words; ///< the line read last
    Header m_header;
    Topology m_topology;
};

bool
HpccTopologyParser::ReadHeader()
{
    constexpr const char* FORM = "the numbers of nodes, switches and links";
    if (!m_reader.Next(m_words))
    {
        m_errors.Add(0, "the file is empty", "", FORM);
        return false;
    }
    constexpr size_t PLAIN = 3;
    constexpr size_t WITH_RACKS = 4;
    constexpr size_t SIMAI = 6;
    if (m_words.size() == PLAIN)
    {
        return TakeHeader(std::array<size_t, 3>{0, 1, 2},
                          std::array{&m_header.nodes, &m_header.switches, &m_header.links});
    }
    if (m_words.size() == WITH_RACKS)
    {
        m_notes.push_back(m_file + ": the first line has four numbers: read as nodes, switches, "
                                   "top-of-rack switches (not needed) and links");
        return TakeHeader(std::array<size_t, 3>{0, 1, 3},
                          std::array{&m_header.nodes, &m_header.switches, &m_header.links});
    }
    if (m_words.size() == SIMAI)
    {
        m_notes.push_back(m_file + ": the first line is SimAI's: NVSwitches are switches like the "
                                   "others, GPU type and GPUs per server are not needed");
        return TakeHeader(
            std::array<size_t, 4>{0, 2, 3, 4},
            std::array{&m_header.nodes, &m_header.nvSwitches, &m_header.switches, &m_header.links});
    }
    m_errors.Add(m_reader.Line(),
                 "the first line is of no known form",
                 std::to_string(m_words.size()) + " words",
                 FORM);
    return false;
}

bool
HpccTopologyParser::TakeHeader(std::span<const size_t> columns, std::span<uint64_t* const> values)
{
    for (size_t i = 0; i < columns.size(); ++i)
    {
        const TextToken& word = m_words[columns[i]];
        const std::optional<uint64_t> value = ParseWhole(word.text);
        if (!value)
        {
            m_errors.Add(word, "not a count", "a whole number");
            continue;
        }
        *values[i] = *value;
    }
    return m_errors.IsEmpty() && CheckHeader();
}

bool
HpccTopologyParser::CheckHeader()
{
    const uint32_t line = m_reader.Line();
    if (static_cast<double>(m_header.nodes) > TopologyGenerator::MAX_NODES || m_header.nodes == 0)
    {
        m_errors.Add(
            line, "absurd number of nodes", std::to_string(m_header.nodes), "1 to 1000000");
    }
    if (static_cast<double>(m_header.links) > TopologyGenerator::MAX_LINKS)
    {
        m_errors.Add(
            line, "absurd number of links", std::to_string(m_header.links), "0 to 10000000");
    }
    if (m_header.switches > m_header.nodes || m_header.nvSwitches > m_header.nodes ||
        m_header.switches + m_header.nvSwitches > m_header.nodes)
    {
        m_errors.Add(line,
                     "more switches than nodes",
                     std::to_string(m_header.switches) + " switches, " +
                         std::to_string(m_header.nvSwitches) + " NVSwitches",
                     "at most " + std::to_string(m_header.nodes));
    }
    if (!m_errors.IsEmpty())
    {
        return false;
    }
    m_topology.family = "hpcc-file";
    for (uint64_t i = 0; i < m_header.nodes; ++i)
    {
        m_topology.nodes.push_back({NodeKind::HOST, std::to_string(i)});
    }
    return true;
}

bool
HpccTopologyParser::ReadSwitches()
{
    const uint64_t announced = m_header.nvSwitches + m_header.switches;
    uint64_t taken = 0;
    while (taken < announced)
    {
        if (!m_reader.Next(m_words))
        {
            m_errors.Add(m_reader.Line(),
                         "the file ends among the switch ids",
                         std::to_string(taken) + " ids",
                         std::to_string(announced) + " as announced in the first line");
            return false;
        }
        if (m_words.size() > announced - taken)
        {
            m_errors.Add(m_reader.Line(),
                         "the number of switch ids differs from the announced one",
                         std::to_string(taken + m_words.size()) + " words",
                         std::to_string(announced) + " ids");
            return false;
        }
        for (const TextToken& word : m_words)
        {
            if (!TakeSwitch(word))
            {
                return false;
            }
            ++taken;
        }
    }
    return m_errors.IsEmpty();
}

bool
HpccTopologyParser::TakeSwitch(const TextToken& token)
{
    const std::optional<uint64_t> id = ParseWhole(token.text);
    if (!id || *id >= m_header.nodes)
    {
        m_errors.Add(token,
                     "not the id of a node",
                     "a switch id, 0 to " + std::to_string(m_header.nodes - 1) + "; " +
                         std::to_string(m_header.nvSwitches + m_header.switches) +
                         " switches are announced");
        return id.has_value();
    }
    TopologyNode& node = m_topology.nodes[*id];
    if (node.kind == NodeKind::SWITCH)
    {
        m_errors.Add(token, "the id is listed twice", "each switch id once");
    }
    node.kind = NodeKind::SWITCH;
    return true;
}

void
HpccTopologyParser::ReadLinks()
{
    uint64_t taken = 0;
    while (taken < m_header.links)
    {
        if (!m_reader.Next(m_words))
        {
            m_errors.Add(m_reader.Line(),
                         "the file has fewer links than the first line announces",
                         std::to_string(taken) + " links",
                         std::to_string(m_header.links));
            return;
        }
        if (m_words.size() % LINK_COLUMNS != 0 ||
            m_words.size() / LINK_COLUMNS > m_header.links - taken)
        {
            m_errors.Add(m_reader.Line(),
                         "not a link",
                         std::to_string(m_words.size()) + " words",
                         LINK_FORM);
            ++taken;
            continue;
        }
        for (size_t at = 0; at < m_words.size(); at += LINK_COLUMNS)
        {
            ReadLink(std::span{m_words}.subspan(at, LINK_COLUMNS));
            ++taken;
        }
    }
    ReadRest();
}

std::optional<uint32_t>
HpccTopologyParser::ReadEnd(const TextToken& token)
{
    const std::optional<uint64_t> id = ParseWhole(token.text);
    if (!id || *id >= m_header.nodes)
    {
        m_errors.Add(token,
                     "unknown node id",
                     "0 to " + std::to_string(m_header.nodes - 1) +
                         ", as the first line announces");
        return std::nullopt;
    }
    return static_cast<uint32_t>(*id);
}

void
HpccTopologyParser::ReadLink(std::span<const TextToken> words)
{
    const std::optional<uint32_t> a = ReadEnd(words[0]);
    const std::optional<uint32_t> b = ReadEnd(words[1]);
    const std::optional<BitRate> rate = ParseNs3Rate(words[2].text);
    const std::optional<SimTime> delay = ParseNs3Time(words[3].text);
    const std::optional<double> loss = ParseReal(words[4].text);
    if (a && a == b)
    {
        m_errors.Add(words[1], "a link joins a node to itself", "two different nodes");
    }
    if (!rate)
    {
        m_errors.Add(words[2], "not a rate", "such as 100Gbps, 25Gb/s or 25000000000");
    }
    if (!delay)
    {
        m_errors.Add(words[3], "not a delay", "such as 0.001ms, 1us or 1000ns");
    }
    if (!loss || !(*loss >= 0.0 && *loss <= 1.0))
    {
        m_errors.Add(words[4], "not a loss rate", "a probability, 0 to 1");
    }
    if (a && b && rate && delay && loss)
    {
        m_topology.links.push_back(
            {*a, *b, *rate, *delay, *loss, m_file + ":" + std::to_string(words[0].line)});
    }
}

bool
HpccTopologyParser::IsLink(std::span<const TextToken> words) const
{
    if (words.size() != LINK_COLUMNS)
    {
        return false;
    }
    const std::optional<uint64_t> a = ParseWhole(words[0].text);
    const std::optional<uint64_t> b = ParseWhole(words[1].text);
    return a && b && *a < m_header.nodes && *b < m_header.nodes && ParseNs3Rate(words[2].text) &&
           ParseNs3Time(words[3].text) && ParseReal(words[4].text);
}

void
HpccTopologyParser::ReadRest()
{
    uint64_t more = 0;
    uint64_t rest = 0;
    const uint32_t lastLink = m_reader.Line();
    while (m_reader.Next(m_words))
    {
        more += more == rest && IsLink(m_words) ? 1 : 0;
        ++rest;
    }
    if (more > 0)
    {
        m_errors.Add(lastLink + 1,
                     "the file has more links than the first line announces",
                     std::to_string(m_header.links + more) + " links",
                     std::to_string(m_header.links));
    }
    else if (rest > 0)
    {
        m_notes.push_back(m_file + ": " + std::to_string(rest) + " lines after the " +
                          std::to_string(m_header.links) + " announced links were not read");
    }
}

} // namespace

Expected<Topology>
ParseHpccTopology(std::string_view text, const std::string& file, std::vector<std::string>& notes)
{
    return HpccTopologyParser{text, file, notes}.Parse();
}

Expected<Topology>
ReadHpccTopology(const std::string& path, std::vector<std::string>& notes)
{
    const Expected<std::string> text = ReadTextFile(path);
    if (!text)
    {
        return text.Errors();
    }
    return ParseHpccTopology(*text, path, notes);
}

} // namespace ns3::rdma
