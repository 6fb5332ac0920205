// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/replay-survey.h"
#include "workload/sampled-times.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3::rdma
{

/** Collects when messages left queue pairs and came to them, and aligns the clocks of hosts. */
class ReplayClocks
{
  public:
    /** Numbers the clocks: processes of a host have one. */
    ReplayClocks(const std::vector<TraceProcess>& processes, ReplaySurvey& survey);

    void AddQueuePair()
    {
        m_ends.emplace_back();
    }

    /** A message that takes a receive request was posted. @param pair index of the queue pair */
    void OnSent(std::size_t pair, int64_t absoluteNs)
    {
        m_ends[pair].sent.Add(absoluteNs);
    }

    /** The completion of a receive request was taken. */
    void OnReceived(std::size_t pair, int64_t absoluteNs)
    {
        m_ends[pair].received.Add(absoluteNs);
    }

    /** Corrects the clocks of all processes. Peers have been found. */
    void Align();

  private:
    struct Ends
    {
        SampledTimes sent;
        SampledTimes received;
    };

    const std::vector<TraceProcess>& m_processes;
    ReplaySurvey& m_survey;
    std::size_t m_clocks{0};
    std::vector<Ends> m_ends; ///< by queue pair
};

} // namespace ns3::rdma
