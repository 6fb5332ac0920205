// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/sim-time.h"

namespace ns3::rdma
{

/**
 * Decides for one connection whether a packet marked CE draws a congestion notification packet.
 *
 * The first marked packet draws one at once; then none goes out until the interval has passed.
 *
 * @spec Zhu et al., SIGCOMM 2015, section 3.1, NP algorithm (Figure 6)
 * @choice the state of the interval is kept per connection, as the paper has it; network adapters
 * also know it per address pair and per port
 */
class NotificationPoint
{
  public:
    /**
     * A packet with ECN field CE has arrived.
     *
     * @param now       arrival; not earlier than in the previous call
     * @param interval  shortest time between two CNPs of the connection; zero: no limit
     * @return whether a CNP goes out now
     */
    bool OnMarked(SimTime now, SimTime interval)
    {
        if (now < m_silentUntil)
        {
            return false;
        }
        m_silentUntil = now + interval;
        return true;
    }

  private:
    SimTime m_silentUntil{};
};

} // namespace ns3::rdma
