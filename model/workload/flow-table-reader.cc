// SPDX-License-Identifier: GPL-2.0-only
#include "workload/flow-table-reader.h"

#include "base/quantity.h"
#include "base/traffic-class.h"
#include "topology/table-reader.h"
#include "workload/flow-checks.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

namespace ns3::rdma
{

namespace
{

/** What a column holds; the names are those of the table's first line. */
struct Column
{
    const char* name;
    int startExponent{0}; ///< of a bare number of seconds, in powers of ten of picoseconds
};

constexpr std::array COLUMNS{Column{"source"},
                             Column{"destination"},
                             Column{"bytes"},
                             Column{"start"},
                             Column{"start_ps", 0},
                             Column{"start_ns", 3},
                             Column{"start_us", 6},
                             Column{"start_s", 12},
                             Column{"priority"},
                             Column{"destination_port"},
                             Column{"rate"},
                             Column{"tag"}};

std::vector<std::string>
ColumnNames()
{
    std::vector<std::string> names;
    for (const Column& column : COLUMNS)
    {
        names.emplace_back(column.name);
    }
    return names;
}

/** Sets the fields of flows from named texts. */
class FieldReader
{
  public:
    FieldReader(const Topology& topology, DiagnosticList& errors) : m_errors{errors}
    {
        for (uint32_t node = 0; node < topology.nodes.size(); ++node)
        {
            if (topology.nodes[node].kind == NodeKind::HOST)
            {
                m_hosts.emplace(topology.nodes[node].name, node);
            }
        }
    }

    /** Sets one field; reports a text that cannot be one, under the column's name. */
    void Set(Flow& flow, const std::string& name, const TextToken& word)
    {
        if (name == "source" || name == "destination")
        {
            SetHost(name == "source" ? flow.source : flow.destination, name, word);
        }
        else if (name == "bytes")
        {
            SetBytes(flow, word);
        }
        else if (name.starts_with("start"))
        {
            SetStart(flow, name, word);
        }
        else if (name == "rate")
        {
            const auto rate = ParseRate(word.text);
            flow.rate = rate ? std::optional{*rate} : flow.rate;
            Require(rate.HasValue(), name, word, "a rate with its unit, such as 10Gbps");
        }
        else if (name == "tag")
        {
            flow.tag = std::string{word.text};
        }
        else
        {
            SetNumber(flow, name, word);
        }
    }

  private:
    void Require(bool isRight, const std::string& name, const TextToken& word, std::string expected)
    {
        if (!isRight)
        {
            Diagnostic diagnostic;
            diagnostic.line = word.line;
            diagnostic.key = name;
            diagnostic.message = "malformed, or out of range";
            diagnostic.got = std::string{word.text};
            diagnostic.expected = std::move(expected);
            m_errors.Add(std::move(diagnostic));
        }
    }

    void SetHost(uint32_t& host, const std::string& name, const TextToken& word)
    {
        const auto found = m_hosts.find(std::string{word.text});
        if (found != m_hosts.end())
        {
            host = found->second;
            return;
        }
        std::vector<std::string> known;
        for (const auto& [hostName, node] : m_hosts)
        {
            known.push_back(hostName);
        }
        Diagnostic diagnostic;
        diagnostic.line = word.line;
        diagnostic.key = name;
        diagnostic.message = "no host has this name";
        diagnostic.got = std::string{word.text};
        diagnostic.expected = "the name of one of " + std::to_string(known.size()) + " hosts";
        diagnostic.nearest = NearestName(diagnostic.got, known);
        m_errors.Add(std::move(diagnostic));
    }

    void SetBytes(Flow& flow, const TextToken& word)
    {
        const std::optional<uint64_t> bare = ParseWhole(word.text);
        const auto quantity = ParseBytes(word.text);
        flow.bytes = bare ? *bare : (quantity ? quantity->value : 0);
        Require(flow.bytes >= 1 && flow.bytes <= MAX_FLOW_BYTES,
                "bytes",
                word,
                "1 to 2^63 bytes, such as 64KB or 64000");
    }

    void SetStart(Flow& flow, const std::string& name, const TextToken& word)
    {
        std::optional<uint64_t> ps;
        if (name == "start")
        {
            const auto time = ParseTime(word.text);
            ps = time && !time->IsNever() ? std::optional{time->ps} : std::nullopt;
            Require(ps.has_value(), name, word, "a time with its unit, such as 10us");
        }
        else
        {
            const auto column = std::find_if(
                COLUMNS.begin(), COLUMNS.end(), [&](const Column& c) { return c.name == name; });
            ps = ParseScaled(word.text, column->startExponent);
            Require(ps.has_value(), name, word, "a number without a unit");
        }
        flow.start = {ps.value_or(0)};
    }

    void SetNumber(Flow& flow, const std::string& name, const TextToken& word)
    {
        const bool isPriority = name == "priority";
        const uint64_t limit =
            isPriority ? PRIORITY_COUNT - 1U : std::numeric_limits<uint16_t>::max();
        const std::optional<uint64_t> value = ParseWhole(word.text);
        Require(value && *value <= limit, name, word, "0 to " + std::to_string(limit));
        if (value && *value <= limit && isPriority)
        {
            flow.priority = static_cast<uint8_t>(*value);
        }
        else if (value && *value <= limit)
        {
            flow.destinationPort = static_cast<uint16_t>(*value);
        }
    }

    DiagnosticList& m_errors;
    std::map<std::string, uint32_t> m_hosts;
};

/** Whether there is one column for the start; reports if not. */
bool
HasOneStart(const TableReader& table, DiagnosticList& errors)
{
    const auto starts =
        std::count_if(table.Names().begin(),
                      table.Names().end(),
                      [](const std::string& name) { return name.starts_with("start"); });
    if (starts != 1)
    {
        errors.Add(table.Line(),
                   "the start must have one column",
                   std::to_string(starts) + " columns",
                   "start, start_ps, start_ns, start_us or start_s");
    }
    return starts == 1;
}

} // namespace

Expected<FlowList>
ParseFlowTable(std::string_view text,
               const std::string& file,
               const Topology& topology,
               const Flow& prototype)
{
    DiagnosticList errors{file};
    FieldReader fields{topology, errors};
    TableReader table{text, errors};
    const bool hasNames = table.ReadNames(ColumnNames(), {"source", "destination", "bytes"});
    if (table.Names().empty() || !(HasOneStart(table, errors) && hasNames))
    {
        return errors.Take();
    }
    FlowList flows;
    std::vector<TextToken> cells;
    while (table.Next(cells))
    {
        Flow flow = prototype;
        for (size_t i = 0; i < cells.size(); ++i)
        {
            fields.Set(flow, table.Names()[i], cells[i]);
        }
        flows.push_back(std::move(flow));
    }
    if (!errors.IsEmpty())
    {
        return errors.Take();
    }
    return flows;
}

Expected<FlowList>
ParseFlowText(std::string_view text, const Topology& topology, const Flow& prototype)
{
    constexpr std::array POSITIONS{"source", "destination", "bytes", "start"};
    DiagnosticList errors{""};
    FieldReader fields{topology, errors};
    FlowList flows;
    for (const TextToken& entry : CutAtCommas(text, 0))
    {
        std::vector<TextToken> words;
        TextReader reader{entry.text};
        reader.Next(words);
        Flow flow = prototype;
        if (words.size() < POSITIONS.size())
        {
            errors.Add(0,
                       "flow " + std::to_string(flows.size()) + " is incomplete",
                       std::string{entry.text},
                       "source destination bytes start, such as 'h1 h0 1MB 0us'");
        }
        for (size_t i = 0; i < words.size(); ++i)
        {
            TextToken value = words[i];
            value.line = 0;
            const size_t equals = value.text.find('=');
            std::string name =
                i < POSITIONS.size() ? POSITIONS[i] : std::string{value.text.substr(0, equals)};
            const std::vector<std::string> known{"priority", "destination_port", "rate", "tag"};
            const bool isKnown = i < POSITIONS.size() ||
                                 (equals != std::string_view::npos &&
                                  std::find(known.begin(), known.end(), name) != known.end());
            if (!isKnown)
            {
                errors.Add(0,
                           "flow " + std::to_string(flows.size()) + ": not understood",
                           std::string{value.text},
                           "priority=, destination_port=, rate= or tag=");
                continue;
            }
            value.text = i < POSITIONS.size() ? value.text : value.text.substr(equals + 1);
            fields.Set(flow, name, value);
        }
        flows.push_back(std::move(flow));
    }
    if (!errors.IsEmpty())
    {
        return errors.Take();
    }
    return flows;
}

} // namespace ns3::rdma
