// SPDX-License-Identifier: GPL-2.0-only
#include "workload/csv-trace-table.h"

#include "base/traffic-class.h"
#include "workload/flow-checks.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3::rdma
{

namespace
{

/** Kinds of operations, and which columns they have besides those that all have. */
struct Kind
{
    std::string name;
    OperationKind kind;
    std::vector<std::string_view> needed;
    std::vector<std::string_view> allowed;
};

const std::array KINDS{Kind{"message",
                            OperationKind::MESSAGE,
                            {"peer", "bytes"},
                            {"opcode", "tag", "priority", "destination_port", "connection"}},
                       Kind{"receive",
                            OperationKind::MESSAGE_RECEIVE,
                            {"peer"},
                            {"bytes", "tag", "priority", "destination_port", "connection"}},
                       Kind{"compute", OperationKind::COMPUTE, {"duration"}, {}}};

/** What a message may be, in the order of ibv_wr_opcode. */
const std::vector<std::string> OPCODES{"write", "write_with_imm", "send", "send_with_imm", "read"};

/** Units of times: the end of a column's name, and powers of ten of picoseconds. */
constexpr std::array<std::pair<std::string_view, int>, 4> UNITS{
    {{"_ns", 3}, {"_us", 6}, {"_ms", 9}, {"_s", 12}}};

/** Columns that only some kinds of operations have; "duration" has a unit behind it. */
constexpr std::array<std::string_view, 8> SPECIAL{"peer",
                                                  "bytes",
                                                  "opcode",
                                                  "tag",
                                                  "priority",
                                                  "destination_port",
                                                  "connection",
                                                  "duration"};

std::vector<std::string>
GetColumnNames()
{
    std::vector<std::string> names{
        "process", "thread", "name", "operation", "after", "enough", "processor"};
    names.insert(names.end(), SPECIAL.begin(), SPECIAL.end() - 1);
    for (const auto& [unit, exponent] : UNITS)
    {
        names.push_back("time" + std::string{unit});
        names.push_back("duration" + std::string{unit});
    }
    return names;
}

} // namespace

CsvTraceTable::CsvTraceTable(std::string_view text, DiagnosticList& errors)
    : m_errors{errors},
      m_table{text, errors}
{
}

bool
CsvTraceTable::ReadNames()
{
    const bool isRight = m_table.ReadNames(GetColumnNames(), {"process", "operation"});
    m_time = FindTime("time");
    m_duration = FindTime("duration");
    return isRight && m_errors.IsEmpty();
}

bool
CsvTraceTable::HasTraceNames() const
{
    return m_table.Names().size() > 1 && (m_table.Find("process") || m_table.Find("operation"));
}

/** The column of a time, whatever its unit; reports two of them. */
std::optional<CsvTraceTable::TimeColumn>
CsvTraceTable::FindTime(const std::string& prefix)
{
    std::optional<TimeColumn> column;
    for (const auto& [unit, exponent] : UNITS)
    {
        const std::string name = prefix + std::string{unit};
        const auto at = m_table.Find(name);
        if (at && column)
        {
            m_errors.Add(m_table.Line(), "two columns for one time", name, column->name + " alone");
        }
        column = at ? std::optional<TimeColumn>{{*at, name, exponent}} : column;
    }
    return column;
}

void
CsvTraceTable::Fail(std::string_view column,
                    std::string_view value,
                    std::string message,
                    std::string expected)
{
    Diagnostic diagnostic;
    diagnostic.line = m_table.Line();
    diagnostic.key = std::string{column};
    diagnostic.message = std::move(message);
    diagnostic.got = std::string{value.substr(0, 80)};
    diagnostic.expected = std::move(expected);
    m_errors.Add(std::move(diagnostic));
    m_isRight = false;
}

/** The cell of a column; empty if the table does not have it. */
std::string_view
CsvTraceTable::GetCell(std::string_view column) const
{
    if (column == "duration")
    {
        return m_duration ? m_cells[m_duration->at].text : std::string_view{};
    }
    const auto at = m_table.Find(column);
    return at ? m_cells[*at].text : std::string_view{};
}

/** What an operation needs is there, and what it cannot have is not. */
bool
CsvTraceTable::CheckColumns(std::size_t kind)
{
    const auto& [name, operation, needed, allowed] = KINDS[kind];
    for (const std::string_view column : SPECIAL)
    {
        const std::string_view cell = GetCell(column);
        const bool isNeeded = std::ranges::count(needed, column) > 0;
        if (isNeeded && cell.empty())
        {
            Fail(column,
                 "",
                 "a " + name + " needs this column",
                 column == "duration" ? "duration_ns, duration_us, duration_ms or duration_s"
                                      : "a value");
        }
        if (!isNeeded && !cell.empty() && std::ranges::count(allowed, column) == 0)
        {
            Fail(column, cell, "a " + name + " has no such value", "nothing");
        }
    }
    return m_isRight;
}

uint64_t
CsvTraceTable::ReadNumber(std::string_view column, uint64_t maximum, uint64_t otherwise)
{
    const std::string_view cell = GetCell(column);
    if (cell.empty())
    {
        return otherwise;
    }
    const auto value = ParseWhole(cell);
    if (!value || *value > maximum)
    {
        Fail(column,
             cell,
             "not a number in range",
             "0 to " + std::to_string(maximum) + ", without a unit");
    }
    return value.value_or(otherwise);
}

/** A time in nanoseconds; one that is finer than that is reported. */
uint64_t
CsvTraceTable::ReadTime(const std::optional<TimeColumn>& column)
{
    constexpr uint64_t PS_PER_NS = 1000;
    if (!column || m_cells[column->at].text.empty())
    {
        return 0;
    }
    const std::string_view cell = m_cells[column->at].text;
    const auto ps = ParseScaled(cell, column->exponent);
    if (!ps)
    {
        Fail(column->name, cell, "not a time", "a number; its unit is in the column's name");
    }
    else if (*ps % PS_PER_NS != 0)
    {
        Fail(column->name, cell, "finer than a nanosecond", "whole nanoseconds");
    }
    return ps.value_or(0) / PS_PER_NS;
}

/** Which of some names a cell is; 0 for an empty one, and one that is unknown is reported. */
std::size_t
CsvTraceTable::ReadName(std::string_view column, const std::vector<std::string>& known)
{
    const std::string cell{GetCell(column)};
    const auto found = std::ranges::find(known, cell);
    if (found != known.end())
    {
        return static_cast<std::size_t>(found - known.begin());
    }
    Diagnostic diagnostic;
    diagnostic.line = m_table.Line();
    diagnostic.key = std::string{column};
    diagnostic.message = "unknown " + std::string{column};
    diagnostic.got = cell.substr(0, 80);
    diagnostic.nearest = NearestName(cell, known);
    diagnostic.knownNames = known;
    m_errors.Add(std::move(diagnostic));
    m_isRight = false;
    return 0;
}

bool
CsvTraceTable::ReadRow(CsvTraceRow& row)
{
    std::vector<std::string> kinds;
    for (const Kind& kind : KINDS)
    {
        kinds.push_back(kind.name);
    }
    row = {};
    row.process = GetCell("process");
    if (row.process.empty())
    {
        Fail("process", "", "an operation without process", "a name");
    }
    const std::size_t kind = ReadName("operation", kinds);
    if (!m_isRight || !CheckColumns(kind))
    {
        return false;
    }
    row.thread = GetCell("thread");
    row.name = GetCell("name");
    row.peer = GetCell("peer");
    row.connection = GetCell("connection");
    row.after = GetCell("after");
    row.hasBytes = !GetCell("bytes").empty();
    row.enough = static_cast<uint32_t>(ReadNumber("enough", UINT32_MAX, 0));
    row.destinationPort = static_cast<uint16_t>(ReadNumber("destination_port", UINT16_MAX, 0));
    row.priority = GetCell("priority").empty()
                       ? row.priority
                       : static_cast<uint8_t>(ReadNumber("priority", PRIORITY_COUNT - 1, 0));
    ScheduleStep& step = row.step;
    step.kind = KINDS[kind].kind;
    step.opcode = GetCell("opcode").empty() ? 0 : static_cast<uint8_t>(ReadName("opcode", OPCODES));
    step.tag = static_cast<uint32_t>(ReadNumber("tag", UINT32_MAX, 0));
    step.processor = static_cast<ObjectId>(ReadNumber("processor", NO_OBJECT - 1, NO_OBJECT));
    step.timeNs = static_cast<int64_t>(ReadTime(m_time));
    step.place = m_table.Line();
    step.amount = step.kind == OperationKind::COMPUTE ? ReadTime(m_duration)
                                                      : ReadNumber("bytes", MAX_FLOW_BYTES, 0);
    return m_isRight;
}

bool
CsvTraceTable::Next(CsvTraceRow& row)
{
    while (m_table.Next(m_cells))
    {
        m_rows++;
        m_isRight = true;
        if (ReadRow(row))
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3::rdma
