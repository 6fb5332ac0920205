// SPDX-License-Identifier: GPL-2.0-only
#include "workload/replay-clocks.h"

#include <algorithm>
#include <map>
#include <string>

namespace ns3::rdma
{

ReplayClocks::ReplayClocks(const std::vector<TraceProcess>& processes, ReplaySurvey& survey)
    : m_processes{processes},
      m_survey{survey}
{
    std::map<std::string, std::size_t> hosts;
    for (const TraceProcess& process : processes)
    {
        SurveyedProcess& surveyed = survey.processes.emplace_back();
        surveyed.gids = process.gids;
        const bool isAlone = process.host.empty();
        const bool isNew = isAlone || hosts.emplace(process.host, m_clocks).second;
        surveyed.clockNumber = isAlone ? m_clocks : hosts[process.host];
        m_clocks += isNew ? 1 : 0;
    }
}

void
ReplayClocks::Align()
{
    ClockAlignment alignment{m_clocks};
    for (std::size_t i = 0; i < m_ends.size(); ++i)
    {
        const SurveyedQueuePair& pair = m_survey.queuePairs[i];
        if (pair.peer == NO_INDEX)
        {
            continue;
        }
        const std::size_t sender = m_survey.processes[pair.process].clockNumber;
        const std::size_t receiver =
            m_survey.processes[m_survey.queuePairs[pair.peer].process].clockNumber;
        SampledTimes::ForCommon(m_ends[i].sent,
                                m_ends[pair.peer].received,
                                [&](int64_t sent, int64_t received)
                                { alignment.Add(sender, sent, receiver, received); });
    }
    m_survey.alignedMessages = alignment.GetMessages();
    const std::vector<ClockCorrection> clocks = alignment.Solve();
    bool isFirst = true;
    for (std::size_t i = 0; i < m_survey.processes.size(); ++i)
    {
        SurveyedProcess& process = m_survey.processes[i];
        process.clock = clocks[process.clockNumber];
        const int64_t begin = process.clock.Apply(m_processes[i].originNs + process.firstNs);
        if (process.operations > 0 && !process.isSchedule)
        {
            m_survey.originNs = isFirst ? begin : std::min(m_survey.originNs, begin);
            isFirst = false;
        }
    }
}

} // namespace ns3::rdma
