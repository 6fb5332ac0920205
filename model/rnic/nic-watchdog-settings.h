// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/units.h"

#include "ns3/object.h"

namespace ns3::rdma
{

/**
 * The watchdog of an interface over its own PAUSE frames, as a scenario sets it, for all of them.
 *
 * An interface of the model never pauses its switch by itself: it takes in at line rate. So the
 * watchdog concerns storms that a timeline makes.
 */
class NicWatchdogSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /** An interface that has paused its switch for as long stops doing so; zero: it never does. */
    SimTime GetTime() const
    {
        return m_time;
    }

  private:
    SimTime m_time{};
};

} // namespace ns3::rdma
