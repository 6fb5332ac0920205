// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/replay-refusals.h"
#include "workload/replay-survey.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** Sees the steps of schedules, in the order of each thread, before they are replayed. */
class ScheduleSurveyor
{
  public:
    /** @param trace outlives it, as do the others, which get what it finds */
    ScheduleSurveyor(const Trace& trace, ReplaySurvey& survey, ReplayRefusals& refusals);

    void See(uint32_t thread, const TraceOperation& operation);

    /** All threads have been seen. */
    void Conclude();

  private:
    using Key = std::pair<uint32_t, ObjectId>; ///< process and its number of a connection

    /** What is known of a thread so far. */
    struct State
    {
        uint64_t number{0};  ///< of the next operation
        uint64_t reach{0};   ///< as SurveyedThread has it
        int64_t latestNs{0}; ///< earliest start of the last operation
        bool isSorted{true}; ///< as SurveyedThread has it
    };

    void SeeDependencies(uint32_t thread, State& state, const TraceOperation& operation);
    void SeeMessage(uint32_t process, const TraceOperation& operation);
    void SeeConnection(uint32_t process, const TraceOperation& operation);

    const Trace& m_trace;
    ReplaySurvey& m_survey;
    ReplayRefusals& m_refusals;
    std::vector<State> m_states; ///< by thread
    std::set<Key> m_connections;
    std::set<Key> m_usedConnections;
    Key m_lastConnection{NO_INDEX, NO_OBJECT}; ///< found last
};

} // namespace ns3::rdma
