// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/run-observers.h"
#include "trace/csv-table.h"

#include <optional>
#include <vector>

namespace ns3::rdma
{

/**
 * Writes queues.csv and rates.csv: samples at fixed times of what waits in switches, and of how
 * fast flows send.
 *
 * It changes nothing of the model: ports make up for their departures earlier than they would,
 * which does not change what they do. A sample costs a look at every switch port, and one at every
 * sending flow if rates are asked for.
 */
class RunSampler
{
  public:
    /**
     * @param observers receives its event
     * @param queues    receives the header at once
     */
    RunSampler(Fabric& fabric,
               const FlowRunner& runner,
               RunObservers& observers,
               ResultFile& queues);

    /** Samples rates too, into a file that receives its header at once. */
    void SampleRatesInto(ResultFile& rates);

    /** Samples at multiples of an interval, which is not 0. */
    void Start(SimTime interval);

  private:
    /** A flow whose rate is sampled. */
    struct SendingFlow
    {
        uint32_t number{0};
        uint64_t ackedBytes{0}; ///< at its last sample
    };

    void OnSample(SimTime now);
    void SampleQueues(SimTime now);
    void SampleRates(SimTime now);
    bool WriteRate(SendingFlow& flow, SimTime now);

    Fabric& m_fabric;
    const FlowRunner& m_runner;
    RunObservers& m_observers;
    CsvTable m_queues;
    std::optional<CsvTable> m_rates;
    SimTime m_interval{};
    Event m_sample;
    std::vector<const FabricLink*> m_links; ///< that switches send to
    std::vector<PriorityMask> m_hadFrames;  ///< at the last sample, by m_links
    std::vector<SendingFlow> m_sending;
    uint32_t m_nextFlow{0}; ///< the first that had not started at the last sample
};

} // namespace ns3::rdma
