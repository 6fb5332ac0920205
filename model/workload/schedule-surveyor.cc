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
      m_states(trace.threads.size())
{
}

void
ScheduleSurveyor::See(uint32_t thread, const TraceOperation& operation)
{
    const uint32_t process = m_trace.threads[thread].process;
    State& state = m_states[thread];
    state.isSorted = state.isSorted && operation.timeNs >= state.latestNs;
    state.latestNs = operation.timeNs;
    SeeDependencies(thread, state, operation);
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
ScheduleSurveyor::SeeDependencies(uint32_t thread, State& state, const TraceOperation& operation)
{
    uint64_t cause = 0;
    for (const Dependency& dependency : operation.dependencies)
    {
        const bool isBefore = dependency.thread == thread && dependency.operation < state.number;
        cause = isBefore ? std::max(cause, dependency.operation) : cause;
    }
    state.reach = std::max(state.reach, state.number - cause);
    ++state.number;
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
    for (std::size_t thread = 0; thread < m_states.size(); ++thread)
    {
        const TraceThread& source = m_trace.threads[thread];
        SurveyedProcess& process = m_survey.processes[source.process];
        process.isSchedule = process.isSchedule || source.order == ThreadOrder::GRAPH;
        m_survey.threads[thread].isSorted = m_states[thread].isSorted;
        m_survey.threads[thread].reach = m_states[thread].reach;
    }
    for (const Key& connection : m_usedConnections)
    {
        if (!m_connections.contains(connection))
        {
            m_refusals.Add("connections with messages that the trace does not name");
        }
    }
}

} // namespace ns3::rdma
