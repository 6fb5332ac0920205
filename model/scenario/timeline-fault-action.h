// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/timeline-action.h"
#include "scenario/timeline-site.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** An action on an entry of the scenario's faults, by its number from 0. */
class FaultEntryAction : public TimelineAction
{
  public:
    static TypeId GetTypeId();

    Diagnostics Prepare(TimelineSite& site) override;
    std::vector<RunEvent> GetRows() const override;

  protected:
    /** Has the faults of the entry strike or not. */
    void SetActive(bool isActive) const
    {
        m_fabric->SetFaultActive(m_fault, isActive);
    }

  private:
    uint32_t m_fault{0};
    Fabric* m_fabric{nullptr};
    std::string m_place;
};

} // namespace ns3::rdma
