// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/replay-clocks.h"
#include "workload/replay-refusals.h"
#include "workload/replay-survey.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ns3::rdma
{

/** Sees the calls of programs, in the order of their times, before they are replayed. */
class ProgramSurveyor
{
  public:
    /** @param trace outlives it, as do the others, which get what it finds */
    ProgramSurveyor(const Trace& trace, ReplaySurvey& survey, ReplayRefusals& refusals);

    void See(uint32_t thread, const TraceOperation& operation);

    /** All threads have been seen. */
    void Conclude();

    /** Aligns the clocks of the hosts. Peers have been found. */
    void AlignClocks()
    {
        m_clocks.Align();
    }

  private:
    using Key = std::pair<uint32_t, ObjectId>; ///< process and its number of an object

    /** The queue pair found last. */
    struct Last
    {
        uint32_t process{NO_INDEX};
        ObjectId object{NO_OBJECT};
        uint32_t index{0}; ///< among all queue pairs
    };

    int64_t Absolute(uint32_t process, int64_t timeNs) const
    {
        return m_trace.processes[process].originNs + timeNs;
    }

    std::size_t IndexOf(const SurveyedQueuePair& pair) const
    {
        return static_cast<std::size_t>(&pair - m_survey.queuePairs.data());
    }

    SurveyedQueuePair* FindQueuePair(uint32_t process, ObjectId object);
    void SeeSend(uint32_t process, const TraceOperation& operation);
    void SeeReceive(uint32_t process, const TraceOperation& operation);
    void SeeCompletion(uint32_t process, const TraceOperation& operation);
    void SeeControl(uint32_t process, const TraceOperation& operation);
    void SeeChange(uint32_t process, ObjectId object, const QueuePairChange& change);
    void AddKeys(uint32_t process, const MemoryRegionDetail& region);

    /** The index of a device that has a queue pair. */
    uint32_t NumberDevice(uint32_t process, ObjectId device);

    const Trace& m_trace;
    ReplaySurvey& m_survey;
    ReplayRefusals& m_refusals;
    ReplayClocks m_clocks;
    std::map<Key, std::string> m_deviceNames; ///< of devices that were opened
    std::map<Key, uint32_t> m_pairOf;         ///< index among all queue pairs
    Last m_last;
};

} // namespace ns3::rdma
