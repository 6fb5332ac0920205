// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

#include "ns3/object.h"

namespace ns3::rdma
{

/** What the routing of a fabric does about cables that fail or come back during a run. */
class RoutingSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /** Whether routes are computed anew at all. */
    bool IsReconverging() const
    {
        return m_reconverges;
    }

    /** From a change until all switches have the routes for it. */
    SimTime GetDelay() const
    {
        return m_delay;
    }

    /** Whether a switch stops using a port of its own as soon as the port is down. */
    bool IsRepairingLocally() const
    {
        return m_repairsLocally;
    }

  private:
    bool m_reconverges{true};
    SimTime m_delay{};
    bool m_repairsLocally{true};
};

} // namespace ns3::rdma
