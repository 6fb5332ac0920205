// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/settings-check.h"
#include "switch/pfc-watchdog.h"

#include "ns3/object.h"

namespace ns3::rdma
{

/** The PFC watchdog as a scenario sets it, for all switches. */
class WatchdogSettings : public Object, public SettingsCheck
{
  public:
    static TypeId GetTypeId();

    WatchdogConfig GetConfig() const
    {
        return {m_action, m_detection, m_restoration, m_poll};
    }

    /** @error a poll interval that is longer than a time that it has to measure */
    Diagnostics CheckSettings() const override;

  private:
    WatchdogAction m_action{WatchdogAction::OFF};
    SimTime m_detection{};
    SimTime m_restoration{};
    SimTime m_poll{};
};

} // namespace ns3::rdma
