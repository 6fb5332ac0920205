// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/scenario.h"

#include <memory>
#include <string>

namespace ns3::rdma
{

/** A scenario with every component at its default, congestion control off, and no flows. */
Scenario MakeTestScenario(Topology topology);

/** Hosts h0 .. h(n-1) around one switch "s", all cables alike. */
Topology MakeStar(uint32_t hosts, BitRate rate, SimTime delay);

/** A flow with the default priority. */
Flow MakeFlow(uint32_t source, uint32_t destination, uint64_t bytes, SimTime start = {});

/**
 * A running fabric with its flows; the simulator is destroyed with it.
 *
 * Fails the test if the scenario cannot be built.
 */
class TestRun
{
  public:
    explicit TestRun(const Scenario& scenario);
    ~TestRun();

    TestRun(const TestRun&) = delete;
    TestRun& operator=(const TestRun&) = delete;

    /** Runs until every flow has ended, or nothing is left to happen. */
    void RunToEnd();

    /** Runs until a time; flows may be left. */
    void RunUntil(SimTime end);

    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    FlowRunner& GetRunner() const
    {
        return *m_runner;
    }

    const FlowRecord& GetRecord(uint32_t flow) const
    {
        return m_runner->GetRecords()[flow];
    }

    /** Frames dropped for a reason, in the whole fabric. */
    uint64_t CountDropped(DropReason reason) const
    {
        return m_fabric->GetLedger().GetDropped(reason).frames;
    }

  private:
    Scenario m_scenario;
    std::unique_ptr<Fabric> m_fabric;
    std::unique_ptr<FlowRunner> m_runner;
};

} // namespace ns3::rdma
