// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "workload/csv-trace-table.h"
#include "workload/message-matcher.h"
#include "workload/text-trace-reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace ns3::rdma
{

namespace
{

/** Makes the trace of a table. */
class CsvConverter
{
  public:
    CsvConverter(std::string_view text, const std::string& file)
        : m_errors{file},
          m_table{text, m_errors}
    {
    }

    Expected<Trace> Convert();

  private:
    /** What an operation waits for, until all operations are known. */
    struct Wait
    {
        ScheduleStepId step;
        std::string_view name;
        DependencyEvent event;
    };

    void AddRow(const CsvTraceRow& row);
    uint32_t FindProcess(std::string_view name);
    uint32_t FindThread(uint32_t process, std::string_view name);
    ObjectId FindConnection(uint32_t thread, uint32_t peer, const CsvTraceRow& row);
    void SetName(ScheduleStepId step, std::string_view name);
    void ReadWaits(ScheduleStepId step, const CsvTraceRow& row);
    void ResolveWaits();
    void CheckWhole();

    DiagnosticList m_errors;
    CsvTraceTable m_table;
    std::optional<MessageSchedule> m_schedule;
    std::map<std::string, uint32_t, std::less<>> m_processes;
    std::vector<std::string> m_processNames;
    std::map<std::pair<uint32_t, std::string>, uint32_t> m_threads; ///< by process and name
    std::map<std::tuple<uint32_t, uint32_t, uint8_t, uint16_t, std::string>, ObjectId>
        m_connections; ///< by thread, peer, priority, port and name
    std::map<std::string, ScheduleStepId, std::less<>> m_names; ///< of operations
    std::vector<Wait> m_waits;
    MessageMatcher m_matcher;
};

uint32_t
CsvConverter::FindProcess(std::string_view name)
{
    const auto found = m_processes.find(name);
    if (found != m_processes.end())
    {
        return found->second;
    }
    m_processNames.emplace_back(name);
    const uint32_t process = m_schedule->AddProcess(m_processNames.back());
    m_processes.emplace(m_processNames.back(), process);
    return process;
}

uint32_t
CsvConverter::FindThread(uint32_t process, std::string_view name)
{
    const std::string text{name.empty() ? "0" : name};
    const auto [thread, isNew] = m_threads.try_emplace({process, text}, 0);
    if (isNew)
    {
        thread->second = m_schedule->AddThread(process, text);
    }
    return thread->second;
}

ObjectId
CsvConverter::FindConnection(uint32_t thread, uint32_t peer, const CsvTraceRow& row)
{
    const ConnectionDetail detail{peer, row.priority, row.destinationPort};
    const auto [connection, isNew] = m_connections.try_emplace(
        {thread, peer, row.priority, row.destinationPort, std::string{row.connection}}, NO_OBJECT);
    if (isNew)
    {
        connection->second = m_schedule->Connect(thread, detail);
    }
    return connection->second;
}

/** An operation has the name of its row's number, and its own if it is given one. */
void
CsvConverter::SetName(ScheduleStepId step, std::string_view name)
{
    constexpr std::string_view RESERVED = "#; \t";
    m_names.emplace("#" + std::to_string(m_table.CountRows()), step);
    if (name.find_first_of(RESERVED) != std::string_view::npos || name.starts_with("start:"))
    {
        m_table.Fail(
            "name", name, "not a name", "a word without '#' and ';' that 'start:' does not begin");
        return;
    }
    const auto [entry, isNew] =
        name.empty() ? std::pair{m_names.end(), true} : m_names.emplace(name, step);
    if (!isNew)
    {
        m_table.Fail("name",
                     name,
                     "the name is used in line " +
                         std::to_string(m_schedule->Get(entry->second).place) + " already",
                     "a name of its own");
    }
}

void
CsvConverter::ReadWaits(ScheduleStepId step, const CsvTraceRow& row)
{
    constexpr std::string_view SEPARATORS = "; \t";
    constexpr std::string_view START = "start:";
    uint32_t count = 0;
    for (std::string_view rest = row.after; !rest.empty();)
    {
        const std::size_t end = std::min(rest.find_first_of(SEPARATORS), rest.size());
        std::string_view name = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (name.empty())
        {
            continue;
        }
        const bool isStart = name.starts_with(START);
        name.remove_prefix(isStart ? START.size() : 0);
        m_waits.push_back({step, name, isStart ? DependencyEvent::START : DependencyEvent::END});
        count++;
    }
    if (row.enough > count)
    {
        m_table.Fail("enough",
                     std::to_string(row.enough),
                     "more than the operation waits for",
                     "at most " + std::to_string(count));
    }
    m_schedule->SetEnough(step, row.enough == count ? 0 : row.enough);
}

void
CsvConverter::AddRow(const CsvTraceRow& row)
{
    const uint32_t process = FindProcess(row.process);
    const uint32_t thread = FindThread(process, row.thread);
    ScheduleStep step = row.step;
    if (step.kind != OperationKind::COMPUTE)
    {
        const bool isReceive = step.kind == OperationKind::MESSAGE_RECEIVE;
        const uint32_t peer = FindProcess(row.peer);
        step.connection = FindConnection(thread, peer, row);
        m_matcher.Add({isReceive ? process : peer,
                       isReceive ? peer : process,
                       step.tag,
                       isReceive,
                       step.place,
                       row.hasBytes ? step.amount : MessageSide::ANY_SIZE});
    }
    const ScheduleStepId id = m_schedule->Add(thread, step);
    SetName(id, row.name);
    ReadWaits(id, row);
}

void
CsvConverter::ResolveWaits()
{
    for (const Wait& wait : m_waits)
    {
        const auto found = m_names.find(wait.name);
        if (found != m_names.end())
        {
            m_schedule->Depend(wait.step, found->second, wait.event);
            continue;
        }
        constexpr std::size_t COMPARED = 1000;
        Diagnostic diagnostic;
        diagnostic.line = static_cast<uint32_t>(m_schedule->Get(wait.step).place);
        diagnostic.key = "after";
        diagnostic.message = "no operation has this name";
        diagnostic.got = std::string{wait.name.substr(0, 80)};
        diagnostic.expected = "a name, or # and the number of a row, from 1";
        std::vector<std::string> known;
        for (auto name = m_names.begin(); name != m_names.end() && known.size() < COMPARED; ++name)
        {
            known.push_back(name->first);
        }
        diagnostic.nearest = NearestName(diagnostic.got, known);
        m_errors.Add(std::move(diagnostic));
    }
}

void
CsvConverter::CheckWhole()
{
    m_matcher.Match(
        [this](const MessageSide& receive, uint64_t messages, uint64_t receives)
        {
            m_errors.Add(static_cast<uint32_t>(receive.place),
                         m_processNames[receive.receiver] + " waits for a message that " +
                             m_processNames[receive.sender] + " does not send",
                         std::to_string(messages) + " with tag " + std::to_string(receive.tag),
                         std::to_string(receives));
        });
    const auto circle = m_schedule->FindCircle();
    if (!circle.empty())
    {
        m_errors.Add(static_cast<uint32_t>(m_schedule->Get(circle.front()).place),
                     "operations wait for each other in a circle",
                     m_schedule->DescribeCircle(circle, "line"),
                     "operations without a circle");
    }
}

Expected<Trace>
CsvConverter::Convert()
{
    if (!m_table.ReadNames())
    {
        return m_errors.Take();
    }
    m_schedule.emplace(m_table.HasTimes() ? TraceTiming::PLANNED : TraceTiming::NONE);
    for (CsvTraceRow row; m_table.Next(row);)
    {
        AddRow(row);
    }
    if (m_errors.IsEmpty())
    {
        ResolveWaits();
    }
    if (m_errors.IsEmpty())
    {
        CheckWhole();
    }
    if (!m_errors.IsEmpty())
    {
        return m_errors.Take();
    }
    if (m_matcher.CountOtherSizes() > 0)
    {
        m_schedule->Note(std::to_string(m_matcher.CountOtherSizes()) +
                         " receives name another size than their message: the message's counts");
    }
    return m_schedule->Take();
}

/** Operations as a table whose columns are named; model/tracefile/csv.md describes it. */
class CsvTraceReader : public TextTraceReader
{
  public:
    static TypeId GetTypeId();

  private:
    Match DoProbeText(std::string_view head) const override
    {
        DiagnosticList errors{""};
        CsvTraceTable table{head, errors};
        table.ReadNames();
        return table.HasTraceNames() ? Match::YES : Match::NO;
    }

    Expected<Trace> DoParse(const std::string& text, const std::string& file) const override
    {
        return CsvConverter{text, file}.Convert();
    }
};

NS_OBJECT_ENSURE_REGISTERED(CsvTraceReader);

const ComponentHelp HELP{"ns3::rdma::CsvTraceReader",
                         "A table of messages, receives and computations, columns named"};

TypeId
CsvTraceReader::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::CsvTraceReader"}
                            .SetParent<TextTraceReader>()
                            .SetGroupName("Rdma")
                            .AddConstructor<CsvTraceReader>();
    return tid;
}

} // namespace

} // namespace ns3::rdma
