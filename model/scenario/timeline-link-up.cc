// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-cable-action.h"

namespace ns3::rdma
{

/** A cable that was down comes back in both directions; of one that is up nothing changes. */
class LinkUpAction : public CableAction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::LinkUpAction")
                                .SetParent<CableAction>()
                                .SetGroupName("Rdma")
                                .AddConstructor<LinkUpAction>();
        return tid;
    }

    void Apply(SimTime now) override
    {
        for (const uint32_t link : GetLinks())
        {
            GetFabric().SetLinkUp(link, true, now);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(LinkUpAction);

const ComponentHelp LINK_UP_HELP{"ns3::rdma::LinkUpAction", "Cables that were down come back"};

} // namespace ns3::rdma
