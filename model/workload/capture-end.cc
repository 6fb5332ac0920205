// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-end.h"

#include <algorithm>

namespace ns3::rdma
{

CaptureEnd::Place
CaptureEnd::Reserve(const TraceOperation& operation)
{
    m_entries.push_back({operation, State::HELD});
    return m_first + m_entries.size() - 1;
}

bool
CaptureEnd::Pop(TraceOperation& operation)
{
    while (!m_entries.empty() && m_entries.front().state != State::HELD)
    {
        const bool isReady = m_entries.front().state == State::READY;
        if (isReady)
        {
            operation = m_entries.front().operation;
            // A packet that was late is of a time before what took its place behind another one.
            operation.timeNs = m_lastTimeNs = std::max(m_lastTimeNs, operation.timeNs);
        }
        m_entries.pop_front();
        ++m_first;
        if (isReady)
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3::rdma
