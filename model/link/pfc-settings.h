// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "link/pfc.h"

#include "ns3/object.h"

#include <string>

namespace ns3::rdma
{

/** Flow control as a scenario sets it, for all ports of the fabric. */
class PfcSettings : public Object
{
  public:
    static TypeId GetTypeId();

    /** The settings as ports take them. @error a priority that is none */
    Expected<PfcConfig> GetConfig() const;

  private:
    /** Where the reaction delay comes from. */
    enum class Response : uint8_t
    {
        STANDARD,
        FIXED,
    };

    /** Which frames stop a sender. @spec IEEE 802.1Q-2018 clause 36; IEEE 802.3-2018 annex 31B */
    enum class Mode : uint8_t
    {
        PFC,
        LINK_PAUSE,
        NONE,
    };

    bool m_isEnabled{true};
    Mode m_mode{Mode::PFC};
    std::string m_losslessPriorities;
    uint16_t m_pauseQuanta{PFC_MAX_QUANTA};
    Response m_response{Response::STANDARD};
    SimTime m_responseTime{};
    uint32_t m_refreshPercent{0};
};

/** The priorities of a list such as "3 4". @error a number that is none, or above 7 */
Expected<PriorityMask> ParsePriorities(const std::string& text);

} // namespace ns3::rdma
