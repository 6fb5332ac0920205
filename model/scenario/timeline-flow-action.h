// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/timeline-action.h"
#include "scenario/timeline-site.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** An action on flows of the scenario, by number or by tag. */
class FlowAction : public TimelineAction
{
  public:
    static TypeId GetTypeId();

    Diagnostics Prepare(TimelineSite& site) override;
    std::vector<RunEvent> GetRows() const override;

  protected:
    const std::vector<uint32_t>& GetFlows() const
    {
        return m_flows;
    }

    FlowRunner& GetRunner() const
    {
        return *m_runner;
    }

  private:
    std::string m_names;
    FlowRunner* m_runner{nullptr};
    std::vector<uint32_t> m_flows;
    std::vector<RunEvent> m_rows;
};

} // namespace ns3::rdma
