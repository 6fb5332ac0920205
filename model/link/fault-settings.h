// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/settings-check.h"
#include "link/fault-injector.h"

#include "ns3/object.h"

#include <string>

namespace ns3::rdma
{

/**
 * A fault as a scenario sets it: on which directions of which cables, and to which frames.
 *
 * A child is what is done to them. Each direction counts its frames by itself. PFC frames are never
 * harmed, and neither counted.
 */
class FaultSettings : public Object, public SettingsCheck
{
  public:
    static TypeId GetTypeId();

    /** @return words that mean nothing in the attributes "frames", "psn", "which" and "link" */
    Diagnostics CheckSettings() const override;

    /** The rule for an injector; CheckSettings has found nothing. */
    FaultRule GetRule() const;

    /** Whether a direction of a cable is meant. @param link number of the cable */
    bool IsOn(const std::string& from, const std::string& to, uint32_t link) const;

    /** Whether it strikes from the start of the run. */
    bool IsActive() const
    {
        return m_isActive;
    }

    /** The place as the user wrote it: "from h0, to switch". */
    std::string GetPlace() const;

  private:
    /** What happens to a frame that is struck. */
    virtual void DoSetAction(FaultRule& rule) const = 0;

    static TypeId AddChoice(TypeId tid);

    std::string m_from;
    std::string m_to;
    std::string m_link;
    std::string m_frames;
    std::string m_psns;
    std::string m_which;
    uint32_t m_every{1};
    Fraction m_probability{};
    bool m_isActive{true};
};

} // namespace ns3::rdma
