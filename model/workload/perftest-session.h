// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "workload/perftest-side.h"
#include "workload/perftest-statistics.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** What was found out about one size. */
struct PerftestResult
{
    uint32_t bytes{0};
    uint64_t messages{0};
    std::optional<LatencyFigures> latency;
    std::optional<BandwidthFigures> bandwidth;
};

/**
 * The tests of a plan between two hosts, size after size over the same connections.
 *
 * WRITE latency is a ping-pong in memory: each side posts when it has seen the other's message and
 * its own last request has completed; SEND latency is one of messages. READ and atomic latency is
 * from a post to the next, which waits for the completion. A bandwidth test keeps the send queues
 * of the client full.
 *
 * @spec perftest: run_iter_lat_write, run_iter_lat_send, run_iter_lat, run_iter_bw
 */
class PerftestSession : private PerftestListener
{
  public:
    /** @param plan and host have passed their checks; the plan outlives the session */
    PerftestSession(const PerftestPlan& plan, const ApplicationHosts& hosts);

    /** Makes connections and begins. @param onDone called once, with a failure or none */
    Diagnostics Start(ApplicationEnvironment& environment,
                      const ConnectionOptions& options,
                      std::function<void(SimTime, const std::string&)> onDone,
                      SimTime now);

    /** Sizes that are done. */
    const std::vector<PerftestResult>& GetResults() const
    {
        return m_results;
    }

  private:
    /** What a side has done in a latency test of one size. */
    struct Progress
    {
        uint32_t sent{0};
        uint32_t completed{0};
        uint32_t received{0};
    };

    /** What a queue pair of the client has done in a bandwidth test of one size. */
    struct PairProgress
    {
        uint32_t sent{0};
        uint32_t completed{0};
    };

    void OnSent(PerftestSide& side, uint32_t pair, uint32_t index, SimTime now) override;
    void OnReceived(PerftestSide& side, SimTime now) override;
    void OnMemory(PerftestSide& side, SimTime now) override;
    void OnIdle(PerftestSide& side, SimTime now) override;
    void OnFailure(PerftestSide& side, const WorkCompletion& completion, SimTime now) override;

    Progress& Of(const PerftestSide& side)
    {
        return m_progress[&side == &m_client ? 0 : 1];
    }

    uint32_t GetBytes() const
    {
        return m_plan.sizes[m_results.size()];
    }

    void BeginSize(SimTime now);
    void EndSize(SimTime now);
    bool MayPing(PerftestSide& side);
    void AdvanceLatency(PerftestSide& side, SimTime now);
    void AdvanceBandwidth(SimTime now);
    bool IsLatencyDone() const;
    bool IsBandwidthDone() const;
    void Post(PerftestSide& side, const PerftestPost& post, SimTime now);
    void Finish(SimTime now, const std::string& failure);

    const PerftestPlan& m_plan;
    PerftestSide m_client;
    PerftestSide m_server;
    std::function<void(SimTime, const std::string&)> m_onDone;
    std::vector<PerftestResult> m_results;
    std::array<Progress, 2> m_progress{};
    std::vector<PairProgress> m_pairs;
    std::vector<SimTime> m_posts; ///< when the client began each iteration
    BandwidthSamples m_samples;
    bool m_isDone{false};
};

} // namespace ns3::rdma
