// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-cable-action.h"

namespace ns3::rdma
{

/**
 * A cable fails in both directions.
 *
 * @choice what is on the cable and what waits at its two ports is lost at once, as a port that goes
 * down discards its queue; each such frame is counted as link_down
 */
class LinkDownAction : public CableAction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddDuration(TypeId("ns3::rdma::LinkDownAction")
                                            .SetParent<CableAction>()
                                            .SetGroupName("Rdma")
                                            .AddConstructor<LinkDownAction>(),
                                        &LinkDownAction::m_duration);
        return tid;
    }

    void Apply(SimTime now) override
    {
        for (const uint32_t link : GetLinks())
        {
            GetFabric().SetLinkUp(link, false, now);
        }
    }

    void Undo(SimTime now) override
    {
        for (const uint32_t link : GetLinks())
        {
            GetFabric().SetLinkUp(link, true, now);
        }
    }

    SimTime GetDuration() const override
    {
        return m_duration;
    }

  private:
    SimTime m_duration{};
};

NS_OBJECT_ENSURE_REGISTERED(LinkDownAction);

const ComponentHelp LINK_DOWN_HELP{
    "ns3::rdma::LinkDownAction",
    "Cables fail: what is on them or waits at their ports is lost, pauses end"};

} // namespace ns3::rdma
