// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/diagnostic.h"

namespace ns3::rdma
{

/**
 * An object whose attributes must also fit each other, or hold text with a grammar of its own.
 *
 * A component inherits it beside its base; the scenario loader asks one object of each kind, so
 * that a bad value is an answer to the user and not a failure when the run starts.
 */
class SettingsCheck
{
  public:
    virtual ~SettingsCheck() = default;

    /**
     * All that is wrong with the attributes, which are set.
     *
     * @return key is the attribute in snake case ("lossless_priorities"); file and line are empty
     */
    virtual Diagnostics CheckSettings() const = 0;
};

} // namespace ns3::rdma
