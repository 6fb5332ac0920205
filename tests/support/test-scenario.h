// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/scenario.h"
#include "scenario/timeline.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3::rdma
{

/** A scenario with every component at its default, congestion control off, and no flows. */
Scenario MakeTestScenario(Topology topology);

/** Hosts h0 .. h(n-1) around one switch "s", all cables alike. */
Topology MakeStar(uint32_t hosts, BitRate rate, SimTime delay);

/** h0 and h1 with a cable after another between them; switches s0, s1, ... join the cables. */
Topology MakePath(const std::vector<PathHop>& hops);

/** What MakeTwoSwitches makes. */
struct TwoSwitches
{
    uint32_t leftHosts{1};  ///< h0, h1, ... at switch "s0"
    uint32_t rightHosts{1}; ///< the next ones, at switch "s1"
    BitRate hostRate{BitRate::Gbps(100)};
    BitRate trunkRate{BitRate::Gbps(100)};
    uint32_t trunks{1}; ///< cables between the switches
    SimTime delay{SimTime::Microseconds(1)};
};

/** Two switches, the cables between them, and hosts; the trunks are the last links. */
Topology MakeTwoSwitches(const TwoSwitches& shape);

/** What a registered generator makes with some of its attributes set, as text. */
Topology GenerateTopology(const std::string& typeId,
                          const std::vector<std::pair<std::string, std::string>>& attributes);

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

    /** Frames thrown away for whatever reason. */
    uint64_t CountDropped() const;

    /** Frames that switches have marked. */
    uint64_t CountMarked() const;

    /** PAUSE frames that ports have sent, resumes not counted. */
    uint64_t CountPauses() const;

    /** Flows that have finished without an error. */
    uint64_t CountFinished() const;

    /** The direction of a cable that leads from a node to another, the first of several. */
    const FabricLink& FindLink(const std::string& from, const std::string& to) const;

    /**
     * Everything that must not depend on the engine or on when ports advance, a line each: times
     * and counters of flows, interfaces, switches and ports, and the ends of all frames.
     */
    std::vector<std::string> DescribeResults() const;

    /** That no frame is lost from the books, and that no flow beats its ideal. */
    void ExpectInvariants() const;

  private:
    Scenario m_scenario;
    std::unique_ptr<Fabric> m_fabric;
    std::unique_ptr<FlowRunner> m_runner;
    std::unique_ptr<Timeline> m_timeline;
};

} // namespace ns3::rdma
