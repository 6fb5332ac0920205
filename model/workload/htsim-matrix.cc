// SPDX-License-Identifier: GPL-2.0-only
#include "workload/htsim-matrix.h"

#include "topology/text-reader.h"
#include "workload/flow-checks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <span>

namespace ns3::rdma
{

namespace
{

constexpr std::string_view ARROW = "->";
constexpr uint64_t MAX_NODES = 1'000'000; ///< @choice as many as a topology has
constexpr uint64_t MAX_ID = std::numeric_limits<uint32_t>::max();

using Words = std::vector<TextToken>;

/** A word of a flow's line that a whole number follows. */
struct Field
{
    std::string_view name;
    uint64_t HtsimFlow::*member;
    uint64_t minimum;
    uint64_t maximum;
};

constexpr std::array FIELDS{Field{"id", &HtsimFlow::id, 1, MAX_ID},
                            Field{"size", &HtsimFlow::bytes, 1, MAX_FLOW_BYTES},
                            Field{"trigger", &HtsimFlow::trigger, 1, MAX_ID},
                            Field{"send_done_trigger", &HtsimFlow::sendDoneTrigger, 1, MAX_ID},
                            Field{"recv_done_trigger", &HtsimFlow::receiveDoneTrigger, 1, MAX_ID}};

/** The words of the header, in the order in which they usually stand. */
constexpr std::array<std::string_view, 4> HEADER{"Nodes", "Connections", "Triggers", "Failures"};

enum Header : std::size_t
{
    NODES,
    CONNECTIONS,
    TRIGGERS,
    FAILURES,
};

const std::array<std::pair<std::string_view, HtsimTrigger::Kind>, 3> KINDS{
    {{"oneshot", HtsimTrigger::Kind::ONESHOT},
     {"multishot", HtsimTrigger::Kind::MULTISHOT},
     {"barrier", HtsimTrigger::Kind::BARRIER}}};

bool
IsComment(const Words& words)
{
    return words[0].text.starts_with('#');
}

class HtsimMatrixParser
{
  public:
    HtsimMatrixParser(std::string_view text, const std::string& file)
        : m_reader{text},
          m_file{file},
          m_errors{file}
    {
    }

    Expected<HtsimMatrix> Parse();

  private:
    void ReadLine();
    bool ReadHeader();
    void ReadFlow();
    bool ReadEnds(HtsimFlow& flow);
    void SetField(HtsimFlow& flow, const TextToken& name, const TextToken& value);
    void CheckFlow(const HtsimFlow& flow);
    void ReadTrigger();
    void SetTriggerWord(HtsimTrigger& trigger, std::size_t& at);
    void CheckTrigger(const HtsimTrigger& trigger, bool hasKind);
    void ReadFailure();
    std::optional<uint64_t> ReadNumber(const TextToken& word, uint64_t minimum, uint64_t maximum);
    void Unknown(const TextToken& word, std::vector<std::string> known);
    bool IsNew(std::map<uint64_t, uint32_t>& seen, uint64_t id, const char* what);
    void CountLines();
    void CheckCount(Header header, uint64_t found);

    TextReader m_reader;
    const std::string& m_file;
    DiagnosticList m_errors;
    Words m_words;        ///< the line read last
    bool m_isRight{true}; ///< its words so far
    std::array<std::optional<uint64_t>, HEADER.size()> m_announced;
    std::map<uint64_t, uint32_t> m_flowIds;    ///< and their lines
    std::map<uint64_t, uint32_t> m_triggerIds; ///< and their lines
    HtsimMatrix m_matrix;
};

void
HtsimMatrixParser::Unknown(const TextToken& word, std::vector<std::string> known)
{
    Diagnostic diagnostic;
    diagnostic.line = word.line;
    diagnostic.message = "unknown word in column " + std::to_string(word.column);
    diagnostic.got = std::string{word.text.substr(0, 80)};
    diagnostic.nearest = NearestName(diagnostic.got, known);
    diagnostic.knownNames = std::move(known);
    m_errors.Add(std::move(diagnostic));
    m_isRight = false;
}

std::optional<uint64_t>
HtsimMatrixParser::ReadNumber(const TextToken& word, uint64_t minimum, uint64_t maximum)
{
    const std::optional<uint64_t> value = ParseWhole(word.text);
    if (value && *value >= minimum && *value <= maximum)
    {
        return value;
    }
    m_isRight = false;
    m_errors.Add(
        word, "not a number in range", std::to_string(minimum) + " to " + std::to_string(maximum));
    return std::nullopt;
}

bool
HtsimMatrixParser::IsNew(std::map<uint64_t, uint32_t>& seen, uint64_t id, const char* what)
{
    const uint32_t line = m_reader.Line();
    const auto [entry, isNew] = seen.try_emplace(id, line);
    if (!isNew)
    {
        m_errors.Add(line,
                     std::string{what} + " id is used in line " + std::to_string(entry->second) +
                         " already",
                     std::to_string(id),
                     "an id of its own");
    }
    return isNew;
}

/** Reads a line of the header; false if it is none. */
bool
HtsimMatrixParser::ReadHeader()
{
    const auto name = std::ranges::find(HEADER, m_words[0].text);
    if (name == HEADER.end())
    {
        return false;
    }
    const auto header = static_cast<std::size_t>(name - HEADER.begin());
    if (m_words.size() != 2)
    {
        m_errors.Add(m_words[0], "a line of the header is this word and a number", "a number");
        return true;
    }
    const auto value =
        header == NODES ? ReadNumber(m_words[1], 1, MAX_NODES) : ReadNumber(m_words[1], 0, MAX_ID);
    if (m_announced[header])
    {
        m_errors.Add(m_words[0], "the number is given twice", "each number once");
    }
    m_announced[header] = value.value_or(0);
    m_matrix.nodes = static_cast<uint32_t>(m_announced[NODES].value_or(0));
    return true;
}

bool
HtsimMatrixParser::ReadEnds(HtsimFlow& flow)
{
    const TextToken& word = m_words[0];
    const std::size_t arrow = word.text.find(ARROW);
    TextToken source = word;
    TextToken destination = word;
    source.text = word.text.substr(0, arrow);
    destination.text = word.text.substr(arrow + ARROW.size());
    destination.column += static_cast<uint32_t>(arrow + ARROW.size());
    if (m_matrix.nodes == 0)
    {
        m_isRight = false;
        m_errors.Add(word, "a flow before the number of nodes", "Nodes and their number first");
        return false;
    }
    const auto from = ReadNumber(source, 0, m_matrix.nodes - 1);
    const auto to = ReadNumber(destination, 0, m_matrix.nodes - 1);
    if (from && from == to)
    {
        m_errors.Add(word, "a node that sends to itself is not modelled", "another node");
    }
    flow.source = static_cast<uint32_t>(from.value_or(0));
    flow.destination = static_cast<uint32_t>(to.value_or(0));
    return from && to;
}

void
HtsimMatrixParser::SetField(HtsimFlow& flow, const TextToken& name, const TextToken& value)
{
    const auto field =
        std::ranges::find_if(FIELDS, [&](const Field& f) { return f.name == name.text; });
    if (field != FIELDS.end())
    {
        flow.*field->member = ReadNumber(value, field->minimum, field->maximum).value_or(0);
    }
    else if (name.text == "prio")
    {
        flow.priority = ReadNumber(value, 0, MAX_ID);
    }
    else if (name.text == "start")
    {
        flow.start = value.text;
    }
    else
    {
        std::vector<std::string> known{"start", "prio"};
        std::ranges::transform(
            FIELDS, std::back_inserter(known), [](const Field& f) { return std::string{f.name}; });
        Unknown(name, std::move(known));
    }
}

void
HtsimMatrixParser::CheckFlow(const HtsimFlow& flow)
{
    if (flow.bytes == 0)
    {
        m_errors.Add(flow.line, "the flow has no size", "", "size and a number of bytes");
    }
    if (flow.start.empty() == (flow.trigger == 0))
    {
        m_errors.Add(flow.line,
                     flow.start.empty() ? "nothing starts the flow"
                                        : "the flow is started by a time and by a trigger",
                     "",
                     "either start and a time or trigger and an id");
    }
    if (flow.id != 0)
    {
        IsNew(m_flowIds, flow.id, "the flow's");
    }
}

void
HtsimMatrixParser::ReadFlow()
{
    HtsimFlow flow;
    flow.line = m_reader.Line();
    ReadEnds(flow);
    std::set<std::string_view> seen;
    for (std::size_t i = 1; i < m_words.size(); i += 2)
    {
        if (!seen.insert(m_words[i].text).second)
        {
            m_errors.Add(m_words[i], "the word is there twice", "each word once");
        }
        if (i + 1 == m_words.size())
        {
            m_errors.Add(m_words[i], "the line ends behind this word", "its value");
            return;
        }
        SetField(flow, m_words[i], m_words[i + 1]);
    }
    if (m_isRight)
    {
        CheckFlow(flow);
    }
    m_matrix.flows.push_back(flow);
}

/** Takes the word at a position, and the number behind it if it has one. */
void
HtsimMatrixParser::SetTriggerWord(HtsimTrigger& trigger, std::size_t& at)
{
    const TextToken& word = m_words[at];
    const bool isId = word.text == "id";
    if (isId || word.text == "count")
    {
        at++;
        if (at >= m_words.size())
        {
            m_errors.Add(word, "the line ends behind this word", "its value");
            return;
        }
        (isId ? trigger.id : trigger.count) = ReadNumber(m_words[at], 1, MAX_ID).value_or(0);
        return;
    }
    const auto kind = std::ranges::find(KINDS, word.text, &decltype(KINDS)::value_type::first);
    if (kind == KINDS.end())
    {
        Unknown(word, {"id", "count", "oneshot", "multishot", "barrier"});
        return;
    }
    trigger.kind = kind->second;
}

void
HtsimMatrixParser::CheckTrigger(const HtsimTrigger& trigger, bool hasKind)
{
    if (trigger.id == 0 || !hasKind)
    {
        m_errors.Add(trigger.line,
                     trigger.id == 0 ? "the trigger has no id" : "the trigger has no kind",
                     "",
                     trigger.id == 0 ? "id and a number" : "oneshot, multishot or barrier");
    }
    if ((trigger.kind == HtsimTrigger::Kind::BARRIER) != (trigger.count != 0))
    {
        m_errors.Add(trigger.line,
                     trigger.count == 0 ? "a barrier without count" : "only a barrier has a count",
                     "",
                     "barrier count and how many have to fire it");
    }
}

void
HtsimMatrixParser::ReadTrigger()
{
    HtsimTrigger trigger;
    trigger.line = m_reader.Line();
    bool hasKind = false;
    for (std::size_t i = 1; i < m_words.size(); i++)
    {
        const bool isKind = m_words[i].text != "id" && m_words[i].text != "count";
        if (isKind && hasKind)
        {
            m_errors.Add(m_words[i], "the trigger has a kind already", "the end of the line");
        }
        hasKind = hasKind || isKind;
        SetTriggerWord(trigger, i);
    }
    if (m_isRight)
    {
        CheckTrigger(trigger, hasKind);
    }
    if (trigger.id == 0 || IsNew(m_triggerIds, trigger.id, "the trigger's"))
    {
        m_matrix.triggers.push_back(trigger);
    }
}

void
HtsimMatrixParser::ReadFailure()
{
    const std::vector<std::string> known{"switch_type", "switch_id", "link_id"};
    std::string text = "line " + std::to_string(m_reader.Line()) + ":";
    std::set<std::string_view> seen;
    for (std::size_t i = 1; i + 1 < m_words.size(); i += 2)
    {
        const TextToken& name = m_words[i];
        const TextToken& value = m_words[i + 1];
        if (std::ranges::find(known, name.text) == known.end())
        {
            Unknown(name, known);
        }
        else if (name.text != "switch_type")
        {
            ReadNumber(value, 0, MAX_ID);
        }
        else if (value.text != "TOR" && value.text != "AGG" && value.text != "CORE")
        {
            Unknown(value, {"TOR", "AGG", "CORE"});
        }
        seen.insert(name.text);
        text += " " + std::string{name.text} + " " + std::string{value.text};
    }
    if (seen.size() != known.size() || m_words.size() != 1 + 2 * known.size())
    {
        m_errors.Add(m_words[0],
                     "a failure has three words with a value each",
                     "switch_type, switch_id and link_id");
    }
    m_matrix.failures.push_back(std::move(text));
}

void
HtsimMatrixParser::ReadLine()
{
    m_isRight = true;
    if (m_words[0].text.find(ARROW) != std::string_view::npos)
    {
        ReadFlow();
    }
    else if (m_words[0].text == "trigger")
    {
        ReadTrigger();
    }
    else if (m_words[0].text == "failure")
    {
        ReadFailure();
    }
    else if (!ReadHeader())
    {
        std::vector<std::string> known{"trigger", "failure", "source->destination"};
        known.insert(known.begin(), HEADER.begin(), HEADER.end());
        Unknown(m_words[0], std::move(known));
    }
}

void
HtsimMatrixParser::CheckCount(Header header, uint64_t found)
{
    if (m_announced[header].value_or(0) == found)
    {
        return;
    }
    Diagnostic diagnostic;
    diagnostic.file = m_file;
    diagnostic.key = std::string{HEADER[header]};
    diagnostic.message = "the number in the header is not that of the lines";
    diagnostic.got = std::to_string(found) + " lines";
    diagnostic.expected = std::to_string(m_announced[header].value_or(0));
    m_matrix.miscounts.push_back(std::move(diagnostic));
}

void
HtsimMatrixParser::CountLines()
{
    for (const Header header : {NODES, CONNECTIONS})
    {
        if (!m_announced[header])
        {
            m_errors.Add(
                m_reader.Line(), "the header is incomplete", "", std::string{HEADER[header]});
        }
    }
    CheckCount(CONNECTIONS, m_matrix.flows.size());
    CheckCount(TRIGGERS, m_matrix.triggers.size());
    CheckCount(FAILURES, m_matrix.failures.size());
}

Expected<HtsimMatrix>
HtsimMatrixParser::Parse()
{
    while (m_reader.Next(m_words))
    {
        if (!IsComment(m_words))
        {
            ReadLine();
        }
    }
    CountLines();
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    return std::move(m_matrix);
}

} // namespace

Expected<HtsimMatrix>
ParseHtsimMatrix(std::string_view text, const std::string& file)
{
    return HtsimMatrixParser{text, file}.Parse();
}

bool
LooksLikeHtsimMatrix(std::string_view head)
{
    TextReader reader{head};
    Words words;
    bool hasNodes = false;
    while (reader.Next(words))
    {
        if (IsComment(words))
        {
            continue;
        }
        if (words[0].text != HEADER[NODES])
        {
            return words[0].text == HEADER[CONNECTIONS] || words[0].text == HEADER[TRIGGERS] ||
                   (hasNodes && words[0].text.find(ARROW) != std::string_view::npos);
        }
        hasNodes = true;
    }
    return false;
}

} // namespace ns3::rdma
