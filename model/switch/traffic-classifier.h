// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "base/attributes.h"
#include "base/traffic-class.h"

#include "ns3/type-id.h"

#include <array>
#include <string>

namespace ns3::rdma
{

/** Which field of a frame a switch believes. */
enum class Trust : uint8_t
{
    DSCP,
    PCP,
    PORT,
};

/** What a scenario can say of how switches put frames into priorities. */
struct TrustAttributes
{
    Trust trust{Trust::DSCP};
    std::string dscpMap;
    std::string dscpMapAt;
    std::string pcpMap;
    uint8_t defaultPriority{0};
};

/** Adds them to the class that has them as a base. */
TypeId AddTrustAttributes(TypeId tid);

/**
 * Puts frames into priorities by their DSCP, their PCP, or the port alone.
 *
 * A DSCP that no map names belongs to the priority of its class selector, dscp / 8; a PCP is its
 * own priority; a frame without a VLAN tag has the default priority where PCP is trusted.
 *
 * @choice the first of these as mlnx_qos has it by default; a map "*:0" makes others lossy
 */
class TrafficClassifier
{
  public:
    /** Believes DSCP and maps nothing. */
    TrafficClassifier() = default;

    /**
     * The classifier of one switch.
     *
     * @error an entry of a map that is none, or of another's; key is the attribute in snake case
     */
    static Expected<TrafficClassifier> Make(const TrustAttributes& attributes,
                                            const std::string& switchName);

    uint8_t Classify(TrafficMark mark) const
    {
        switch (m_trust)
        {
        case Trust::DSCP:
            return m_byDscp[mark.dscp];
        case Trust::PCP:
            return m_byPcp[mark.pcp];
        case Trust::PORT:
            break;
        }
        return m_default;
    }

    /** Whether each DSCP belongs to the priority of its class selector. */
    bool IsPlain() const
    {
        return m_trust == Trust::DSCP && m_byDscp == ClassSelectors();
    }

  private:
    /** One entry more than there are PCPs: frames without a tag. */
    using ByPcp = std::array<uint8_t, PRIORITY_COUNT + 1>;
    using ByDscp = std::array<uint8_t, DSCP_COUNT>;

    static constexpr ByDscp ClassSelectors()
    {
        ByDscp map{};
        for (uint8_t dscp = 0; dscp < DSCP_COUNT; ++dscp)
        {
            map[dscp] = dscp / ClassSelector(1);
        }
        return map;
    }

    Trust m_trust{Trust::DSCP};
    uint8_t m_default{0};
    ByDscp m_byDscp{ClassSelectors()};
    ByPcp m_byPcp{0, 1, 2, 3, 4, 5, 6, 7, 0};
};

} // namespace ns3::rdma
