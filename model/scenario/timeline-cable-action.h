// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "scenario/timeline-action.h"
#include "scenario/timeline-site.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3::rdma
{

/** An action on cables, both directions of each: between two nodes, of one node, or by number. */
class CableAction : public TimelineAction
{
  public:
    static TypeId GetTypeId();

    Diagnostics Prepare(TimelineSite& site) override;
    std::vector<RunEvent> GetRows() const override;

  protected:
    /** The name that "from" has; empty if any. */
    const std::string& GetFrom() const
    {
        return m_from;
    }

    const std::vector<uint32_t>& GetLinks() const
    {
        return m_links;
    }

    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

  private:
    std::string m_from;
    std::string m_to;
    std::string m_link;
    Fabric* m_fabric{nullptr};
    std::vector<uint32_t> m_links;
    std::vector<RunEvent> m_rows;
};

} // namespace ns3::rdma
