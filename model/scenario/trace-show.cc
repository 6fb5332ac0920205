// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/trace-show.h"

#include "scenario/text-table.h"
#include "tracefile/operation-text.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <queue>

namespace ns3::rdma
{

namespace
{

using Row = std::vector<std::string>;

/** A time of a process by the clock of the day; without signs, because it may be any number. */
int64_t
AddTimes(int64_t a, int64_t b)
{
    return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

/** The first of all origins: times are shown since then. */
int64_t
GetFirstOrigin(const Trace& trace)
{
    const auto first = std::ranges::min_element(trace.processes, {}, &TraceProcess::originNs);
    return first == trace.processes.end() ? 0 : first->originNs;
}

/** A thread whose next operation has been taken. */
struct Head
{
    TraceOperation operation;
    uint64_t number{0};
};

/** Merges the threads of a trace by time. */
class ThreadMerger
{
  public:
    explicit ThreadMerger(Trace& trace)
        : m_trace{trace},
          m_originNs{GetFirstOrigin(trace)},
          m_heads(trace.threads.size())
    {
        for (std::size_t i = 0; i < m_heads.size(); ++i)
        {
            Advance(i);
        }
    }

    void Show(std::ostream& out, uint64_t limit)
    {
        for (; limit > 0 && !m_order.empty(); --limit)
        {
            const std::size_t thread = m_order.top().second;
            m_order.pop();
            ShowLine(out, thread);
            ++m_heads[thread].number;
            Advance(thread);
        }
    }

    Diagnostics GetDamages() const
    {
        return m_damages;
    }

  private:
    void Advance(std::size_t thread)
    {
        const auto& stream = m_trace.threads[thread].operations;
        if (stream->Next(m_heads[thread].operation))
        {
            m_order.emplace(GetTime(thread), thread);
        }
        else if (stream->GetDamage())
        {
            m_damages.push_back(*stream->GetDamage());
        }
    }

    int64_t GetTime(std::size_t thread) const
    {
        const int64_t origin = m_trace.processes[m_trace.threads[thread].process].originNs;
        return AddTimes(m_heads[thread].operation.timeNs, AddTimes(origin, -m_originNs));
    }

    std::string GetName(std::size_t thread) const
    {
        const TraceThread& it = m_trace.threads[thread];
        return m_trace.processes[it.process].name + (it.name.empty() ? "" : "/" + it.name);
    }

    void ShowLine(std::ostream& out, std::size_t thread) const
    {
        constexpr int WIDTH = 12;
        const Head& head = m_heads[thread];
        if (m_trace.timing != TraceTiming::NONE)
        {
            out << std::setw(WIDTH) << GetTime(thread) << " ns  ";
        }
        out << GetName(thread) << " #" << head.number << "  " << DescribeOperation(head.operation);
        const char* separator = " after ";
        for (const Dependency& dependency : head.operation.dependencies)
        {
            const bool isThere = dependency.thread < m_trace.threads.size();
            out << separator << (dependency.event == DependencyEvent::START ? "start of " : "");
            out << (dependency.thread == thread ? ""
                    : isThere                   ? GetName(dependency.thread) + " "
                              : "thread " + std::to_string(dependency.thread) + " ");
            out << "#" << dependency.operation;
            separator = ", ";
        }
        out << "\n";
    }

    Trace& m_trace;
    int64_t m_originNs;
    std::vector<Head> m_heads;
    using Entry = std::pair<int64_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_order;
    Diagnostics m_damages;
};

std::string
CountOf(uint64_t number, const std::string& what)
{
    return std::to_string(number) + " " + what +
           (number == 1           ? ""
            : what.ends_with('s') ? "es"
                                  : "s");
}

/** A table of the processes; of many only the first. */
std::string
ListProcesses(const Trace& trace, const TraceStatistics& statistics)
{
    constexpr std::size_t MOST = 20;
    std::vector<Row> rows{
        {"process", "host", "threads", "operations", "sent bytes", "queue pairs"}};
    for (std::size_t i = 0; i < std::min(MOST, trace.processes.size()); ++i)
    {
        const ProcessTotal& total = statistics.processes[i];
        rows.push_back({trace.processes[i].name,
                        trace.processes[i].host.empty() ? "-" : trace.processes[i].host,
                        std::to_string(total.threads),
                        std::to_string(total.operations),
                        std::to_string(total.sentBytes),
                        std::to_string(total.queuePairs)});
    }
    if (trace.processes.size() > MOST)
    {
        rows.push_back({"and " + std::to_string(trace.processes.size() - MOST) + " more"});
    }
    return FormatTable(rows, "  ");
}

std::string
ListOperations(const TraceStatistics& statistics)
{
    std::vector<Row> rows{{"operation", "opcode", "count", "bytes"}};
    for (const auto& [name, total] : statistics.operations)
    {
        rows.push_back({ToString(name.first),
                        name.second.empty() ? "-" : name.second,
                        std::to_string(total.count),
                        std::to_string(total.bytes)});
    }
    return FormatTable(rows, "  ");
}

std::string
ListStatuses(const TraceStatistics& statistics)
{
    std::vector<Row> rows{{"completions", "count"}};
    for (const auto& [name, count] : statistics.statuses)
    {
        rows.push_back({name, std::to_string(count)});
    }
    return FormatTable(rows, "  ");
}

std::string
ListPercentiles(const SizeTally& sizes)
{
    constexpr std::array<std::pair<const char*, uint32_t>, 6> PERCENTILES{
        {{"min", 0}, {"p50", 500}, {"p95", 950}, {"p99", 990}, {"p99.9", 999}, {"max", 1000}}};
    Row names{"message sizes"};
    Row values{std::to_string(sizes.GetCount()) + (sizes.IsExact() ? "" : ", to 0.1 %")};
    for (const auto& [name, permille] : PERCENTILES)
    {
        names.push_back(name);
        values.push_back(std::to_string(sizes.GetPercentile(permille)));
    }
    return FormatTable({names, values}, "  ");
}

} // namespace

Diagnostics
ShowTrace(Trace& trace, std::ostream& out, uint64_t limit)
{
    ThreadMerger merger{trace};
    merger.Show(out, limit);
    return merger.GetDamages();
}

void
ShowStatistics(const Trace& trace, const TraceStatistics& statistics, std::ostream& out)
{
    constexpr std::array<const char*, 3> TIMINGS{"recorded", "planned", "none"};
    out << "format " << trace.format
        << ", times: " << TIMINGS[static_cast<std::size_t>(trace.timing)] << "\n"
        << CountOf(trace.processes.size(), "process") << ", "
        << CountOf(trace.threads.size(), "thread") << ", " << CountOf(statistics.total, "operation")
        << ", " << CountOf(statistics.sentBytes, "byte") << " sent";
    if (statistics.dependencies != 0)
    {
        out << ", waits for others: " << statistics.dependencies;
    }
    if (statistics.emptyPolls != 0)
    {
        out << ", " << CountOf(statistics.emptyPolls, "poll") << " that found nothing";
    }
    out << "\n";
    if (statistics.firstNs)
    {
        out << AddTimes(*statistics.lastNs, -*statistics.firstNs)
            << " ns from the first operation to the last\n";
    }
    for (const std::string& note : trace.notes)
    {
        out << "note: " << note << "\n";
    }
    out << "\n" << ListProcesses(trace, statistics) << "\n" << ListOperations(statistics);
    if (statistics.sizes.GetCount() != 0)
    {
        out << "\n" << ListPercentiles(statistics.sizes);
    }
    if (!statistics.statuses.empty())
    {
        out << "\n" << ListStatuses(statistics);
    }
}

} // namespace ns3::rdma
