// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/fabric.h"
#include "scenario/flow-runner.h"
#include "scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** Cables as a user names them; what is empty matches all. */
struct CableNames
{
    std::string from; ///< a node at either end
    std::string to;   ///< the node at its other end
    std::string link; ///< number of the cable
};

/** What the actions of a timeline can find and change. Its parts outlive it. */
class TimelineSite
{
  public:
    TimelineSite(const Scenario& scenario, Fabric& fabric, FlowRunner& runner);

    const Scenario& GetScenario() const
    {
        return m_scenario;
    }

    Fabric& GetFabric() const
    {
        return m_fabric;
    }

    FlowRunner& GetRunner() const
    {
        return m_runner;
    }

    /**
     * The cables that are named, ascending.
     *
     * @error unknown nodes, no such cable, or nothing named at all; keys "from", "to", "link"
     */
    Expected<std::vector<uint32_t>> FindCables(const CableNames& names) const;

    /** A row of events.csv for each cable: the port at its first end, and where it leads. */
    std::vector<RunEvent> DescribeCables(const std::vector<uint32_t>& links) const;

    /**
     * The flows that are named, ascending.
     *
     * @param names numbers and tags, with blanks or commas between
     * @error a word that is neither; key "flows"
     */
    Expected<std::vector<uint32_t>> FindFlows(const std::string& names) const;

  private:
    Diagnostics CheckNode(const std::string& key, const std::string& name) const;

    const Scenario& m_scenario;
    Fabric& m_fabric;
    FlowRunner& m_runner;
};

/** A diagnostic of a timeline's key. */
Diagnostic TimelineError(std::string key, std::string message, std::string got);

} // namespace ns3::rdma
