// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-survey.h"

#include "workload/program-surveyor.h"
#include "workload/replay-peers.h"
#include "workload/schedule-surveyor.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace ns3::rdma
{

namespace
{

/** Reads a trace once; an object because all that it sees goes into one result. */
class Surveyor
{
  public:
    explicit Surveyor(Trace trace)
        : m_trace{std::move(trace)},
          m_heads(m_trace.threads.size()),
          m_totals(m_trace.processes.size()),
          m_programs{m_trace, m_survey, m_refusals},
          m_schedules{m_trace, m_survey, m_refusals}
    {
        m_survey.threads.resize(m_trace.threads.size());
        m_survey.notes = m_trace.notes;
    }

    Expected<ReplaySurvey> Run()
    {
        ReadSchedules();
        ReadPrograms();
        return Conclude();
    }

  private:
    /** Of the operations of a process, whatever they are. */
    struct Totals
    {
        uint64_t operations{0}; ///< EMPTY_POLLS not counted
        int64_t firstNs{std::numeric_limits<int64_t>::max()};
        int64_t lastNs{std::numeric_limits<int64_t>::min()};
    };

    /** A thread, and the time of its next operation by the clock of its process. */
    using Turn = std::pair<int64_t, uint32_t>;

    /** @return whether there is one */
    bool TakeNext(uint32_t thread)
    {
        OperationStream& stream = *m_trace.threads[thread].operations;
        if (stream.Next(m_heads[thread]))
        {
            return true;
        }
        if (stream.GetDamage())
        {
            m_damages.push_back(*stream.GetDamage());
        }
        return false;
    }

    /** Steps of a schedule mean the same in any order of the threads. */
    void ReadSchedules()
    {
        for (uint32_t thread = 0; thread < m_trace.threads.size(); ++thread)
        {
            const bool isGraph = m_trace.threads[thread].order == ThreadOrder::GRAPH;
            while (isGraph && TakeNext(thread))
            {
                Count(m_trace.threads[thread].process, m_heads[thread]);
                m_schedules.See(thread, m_heads[thread]);
            }
        }
    }

    Turn GetTurn(uint32_t thread) const
    {
        const TraceProcess& process = m_trace.processes[m_trace.threads[thread].process];
        return {process.originNs + m_heads[thread].timeNs, thread};
    }

    /** Calls in the order of their times. */
    void ReadPrograms()
    {
        std::priority_queue<Turn, std::vector<Turn>, std::greater<>> order;
        for (uint32_t thread = 0; thread < m_trace.threads.size(); ++thread)
        {
            if (m_trace.threads[thread].order == ThreadOrder::PROGRAM && TakeNext(thread))
            {
                order.push(GetTurn(thread));
            }
        }
        while (!order.empty())
        {
            const uint32_t thread = order.top().second;
            order.pop();
            bool isFirst = true;
            while (isFirst)
            {
                Count(m_trace.threads[thread].process, m_heads[thread]);
                m_programs.See(thread, m_heads[thread]);
                if (!TakeNext(thread))
                {
                    break;
                }
                isFirst = order.empty() || GetTurn(thread) < order.top();
            }
            if (!isFirst)
            {
                order.push(GetTurn(thread));
            }
        }
    }

    void Count(uint32_t process, const TraceOperation& operation)
    {
        for (const Dependency& dependency : operation.dependencies)
        {
            if (dependency.thread >= m_trace.threads.size())
            {
                m_refusals.Add("dependencies on a thread that the trace does not have");
            }
        }
        Totals& totals = m_totals[process];
        const int64_t lasts = operation.kind == OperationKind::COMPUTE ? 0 : operation.durationNs;
        totals.firstNs = std::min(totals.firstNs, operation.timeNs);
        totals.lastNs = std::max(totals.lastNs, operation.timeNs + lasts);
        totals.operations += operation.kind == OperationKind::EMPTY_POLLS ? 0 : 1;
    }

    void TakeOverTotals()
    {
        for (std::size_t process = 0; process < m_totals.size(); ++process)
        {
            const Totals& totals = m_totals[process];
            m_survey.processes[process].operations = totals.operations;
            if (totals.firstNs != Totals{}.firstNs) // It has one, be it of empty polls.
            {
                m_survey.processes[process].firstNs = totals.firstNs;
                m_survey.processes[process].lastNs = totals.lastNs;
            }
        }
    }

    Expected<ReplaySurvey> Conclude()
    {
        TakeOverTotals();
        m_programs.Conclude();
        m_schedules.Conclude();
        Diagnostics findings = m_refusals.ToDiagnostics();
        const Diagnostics peerless = FindPeers(m_survey, m_trace.processes);
        findings.insert(findings.end(), peerless.begin(), peerless.end());
        const bool isEmpty = std::ranges::all_of(
            m_survey.processes, [](const auto& process) { return process.operations == 0; });
        if (isEmpty)
        {
            findings.insert(findings.end(), m_damages.begin(), m_damages.end());
        }
        if (isEmpty && findings.empty())
        {
            Diagnostic finding;
            finding.key = "files";
            finding.message = "no operation is in the trace";
            findings.push_back(finding);
        }
        if (!findings.empty())
        {
            return findings;
        }
        for (const Diagnostic& damage : m_damages)
        {
            m_survey.notes.push_back("what stands behind is not replayed: " + ToString(damage));
        }
        m_programs.AlignClocks();
        return std::move(m_survey);
    }

    Trace m_trace;
    std::vector<TraceOperation> m_heads; ///< the next operation of each thread
    std::vector<Totals> m_totals;        ///< by process
    ReplaySurvey m_survey;
    ReplayRefusals m_refusals;
    ProgramSurveyor m_programs;
    ScheduleSurveyor m_schedules;
    Diagnostics m_damages;
};

} // namespace

Expected<ReplaySurvey>
SurveyTrace(Trace trace)
{
    return Surveyor{std::move(trace)}.Run();
}

} // namespace ns3::rdma
