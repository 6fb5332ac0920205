// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-flow-action.h"

namespace ns3::rdma
{

/**
 * Flows begin at the action's time instead of their own.
 *
 * Being named here is what takes a flow's own start from it.
 */
class FlowStartAction : public FlowAction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::FlowStartAction")
                                .SetParent<FlowAction>()
                                .SetGroupName("Rdma")
                                .AddConstructor<FlowStartAction>();
        return tid;
    }

    Diagnostics Prepare(TimelineSite& site) override
    {
        Diagnostics errors = FlowAction::Prepare(site);
        for (const uint32_t flow : GetFlows())
        {
            if (GetRunner().GetRecords()[flow].isHeld)
            {
                errors.push_back(TimelineError(
                    "flows", "another entry starts the flow already", std::to_string(flow)));
                errors.back().expected = "one start of each flow";
            }
            GetRunner().Hold(flow);
        }
        return errors;
    }

    void Apply(SimTime now) override
    {
        for (const uint32_t flow : GetFlows())
        {
            GetRunner().Start(flow, now);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(FlowStartAction);

const ComponentHelp FLOW_START_HELP{"ns3::rdma::FlowStartAction",
                                    "Flows begin now, and not at their own start"};

} // namespace ns3::rdma
