// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/number-ranges.h"
#include "base/traffic-class.h"
#include "scenario/scenario.h"

#include <string>
#include <vector>

namespace ns3::rdma
{

/** The filters of an instrument as the user wrote them; empty: all. */
struct FilterTexts
{
    std::string nodes;
    std::string ports;
    std::string priorities;
    std::string flows;
};

/** Which nodes, ports, priorities and flows an instrument looks at. */
class InstrumentFilter
{
  public:
    /** Everything. */
    InstrumentFilter() = default;

    /** @error words that are no numbers or out of range; key is that of the text ("ports") */
    static Expected<InstrumentFilter> Parse(const FilterTexts& texts);

    /** What the scenario does not have: nodes, ports of these nodes, flows; keys as for Parse. */
    Diagnostics FindUnknown(const Scenario& scenario) const;

    bool HasPlace(const std::string& node, uint16_t port) const;

    bool HasNode(const std::string& node) const;

    bool HasPriority(uint8_t priority) const
    {
        return m_priorities.Has(priority);
    }

    bool HasFlow(uint32_t flow) const
    {
        return m_flows.Has(flow);
    }

    bool HasAllFlows() const
    {
        return m_flows.IsAll();
    }

  private:
    std::vector<std::string> m_nodes; ///< empty: all
    NumberRanges m_ports;
    NumberRanges m_priorities;
    NumberRanges m_flows;
};

} // namespace ns3::rdma
