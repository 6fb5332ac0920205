// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"
#include "topology/text-reader.h"
#include "workload/message-matcher.h"
#include "workload/message-schedule.h"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace ns3::rdma
{

/** One operation of a rank, as GOAL has it. */
struct GoalOperation
{
    enum class Kind : uint8_t
    {
        SEND = 1, ///< as in the binary form
        RECV = 2,
        CALC = 3,
    };

    Kind kind{Kind::CALC};
    uint8_t cpu{0};
    uint8_t nic{0};
    uint32_t peer{0};   ///< rank; ANY is a wildcard, of RECV
    uint32_t tag{0};    ///< ANY is a wildcard
    uint64_t amount{0}; ///< bytes; CALC: nanoseconds
    uint64_t place{0};  ///< line of a text, offset of a binary file
};

/**
 * The operations of all ranks while a reader collects them; what both forms of GOAL have in common.
 *
 * A send is a MESSAGE on the rank's connection to its peer (one for each pair and nic), a recv a
 * MESSAGE_RECEIVE, a calc a COMPUTE. Each occupies its cpu as TraceOperation::other says. A rank is
 * a process with one thread of the same index.
 *
 * @spec Hoefler et al., "LogGOPSim", HPDC 2010, and its simulator: calcs of a cpu run one after the
 * other, a send waits for its cpu, a recv is posted at once and ends when its cpu is free;
 * messages and receives of a pair of ranks and a tag match in their order
 * Not modelled: receives from any source or with any tag (refused); which nic is used is told
 */
class GoalSchedule
{
  public:
    /** The number that stands for any source, any tag. */
    static constexpr uint32_t ANY = std::numeric_limits<uint32_t>::max();
    static constexpr uint32_t MAX_RANKS = 1'000'000; ///< @choice as many as a topology has nodes

    enum class Places : uint8_t
    {
        LINES,
        OFFSETS,
    };

    GoalSchedule(uint32_t ranks, Places places, DiagnosticList& errors);

    /** Appends an operation of a rank; one that cannot be modelled is reported. */
    ScheduleStepId Add(uint32_t rank, const GoalOperation& operation);

    /** As MessageSchedule::Depend, among operations of a rank. */
    void Depend(ScheduleStepId step, ScheduleStepId on, DependencyEvent event)
    {
        m_schedule.Depend(step, on, event);
    }

    /** Reports what is wrong at a place of the file. */
    void Report(uint64_t place, std::string message, std::string got, std::string expected);

    /**
     * Checks the whole and makes the trace.
     *
     * @error a recv that no send matches, operations that wait for each other in a circle, whatever
     * was reported before
     */
    Expected<Trace> Finish();

  private:
    bool Check(const GoalOperation& operation);
    ObjectId GetConnection(uint32_t rank, const GoalOperation& operation);
    void Match();
    void ReportCircle();
    void NoteCounts();

    Places m_places;
    uint32_t m_ranks;
    DiagnosticList& m_errors;
    MessageSchedule m_schedule{TraceTiming::NONE};
    MessageMatcher m_matcher;
    std::map<std::pair<uint64_t, uint32_t>, ObjectId> m_connections; ///< by rank, peer and nic
    uint64_t m_otherNics{0};
};

} // namespace ns3::rdma
