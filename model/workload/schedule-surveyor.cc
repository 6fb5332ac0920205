// SPDX-License-Identifier: GPL-2.0-only
#include "workload/schedule-surveyor.h"

#include "verbs/send-request.h"

#include <algorithm>
#include <string>

namespace ns3::rdma
{

ScheduleSurveyor::ScheduleSurveyor(const Trace& trace,
                                   ReplaySurvey& survey,
                                   ReplayRefusals& refusals)
    : m_trace{trace},
      m_survey{survey},
      m_refusals{refusals},
      m_latest(trace.threads.size()),
      m_numbers(trace.threads.size())
{
}

void
ScheduleSurveyor::See(uint32_t thread, const TraceOperation& operation)
{
    const uint32_t process = m_trace.threads[thread].process;
    SurveyedThread& surveyed = m_survey.threads[thread];
    surveyed.isSorted = surveyed.isSorted && operation.timeNs >= m_latest[thread];
    m_latest[thread] = operation.timeNs;
    const uint64_t number = m_numbers[thread]++;
    uint64_t cause = 0;
    for (const Dependency& dependency : operation.dependencies)
    {
        const bool isBefore = dependency.thread == thread && dependency.operation < number;
        cause = isBefore ? std::max(cause, dependency.operation) : cause;
    }
    surveyed.reach = std::max(surveyed.reach, number - cause);
    m_survey.processes[process].isSchedule = true;
    switch (operation.kind)
    {
    case OperationKind::MESSAGE:
    case OperationKind::MESSAGE_RECEIVE:
        SeeMessage(process, operation);
        return;
    case OperationKind::CONTROL:
        SeeConnection(process, operation);
        return;
    case OperationKind::COMPUTE:
    case OperationKind::NONE:
        return;
    default:
        m_refusals.Add("calls of the verbs in a schedule");
    }
}

void
ScheduleSurveyor::SeeMessage(uint32_t process, const TraceOperation& operation)
{
    constexpr auto LAST = static_cast<uint8_t>(SendOpcode::ATOMIC_FETCH_AND_ADD);
    const bool isReceive = operation.kind == OperationKind::MESSAGE_RECEIVE;
    if (!isReceive && operation.opcode > LAST)
    {
        m_refusals.Add("messages of opcode " + std::to_string(operation.opcode));
    }
    m_survey.processes[process].receives += isReceive ? 1 : 0;
    if (m_lastConnection != Key{process, operation.object})
    {
        m_lastConnection = {process, operation.object};
        m_usedConnections.insert(m_lastConnection);
    }
}

void
ScheduleSurveyor::SeeConnection(uint32_t process, const TraceOperation& operation)
{
    const auto* detail = std::get_if<ConnectionDetail>(&operation.control.detail);
    if (detail == nullptr)
    {
        return;
    }
    if (detail->peerProcess >= m_trace.processes.size())
    {
        m_refusals.Add("connections to a process that the trace does not have");
        return;
    }
    m_connections.emplace(process, operation.object);
}

void
ScheduleSurveyor::Conclude()
{
    for (const Key& connection : m_usedConnections)
    {
        if (!m_connections.contains(connection))
        {
            m_refusals.Add("connections with messages that the trace does not name");
        }
    }
}

} // namespace ns3::rdma
