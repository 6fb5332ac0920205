// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-flow-action.h"

namespace ns3::rdma
{

/**
 * Flows end where they are; their status is "stopped", which is no failure.
 *
 * @choice the sending queue pair enters the error state, as when an application ends: packets that
 * are under way may still arrive, nothing is repeated, and what was posted is flushed. A flow that
 * has ended stays as it is; one that has not begun never does.
 */
class FlowStopAction : public FlowAction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::FlowStopAction")
                                .SetParent<FlowAction>()
                                .SetGroupName("Rdma")
                                .AddConstructor<FlowStopAction>();
        return tid;
    }

    void Apply(SimTime now) override
    {
        for (const uint32_t flow : GetFlows())
        {
            GetRunner().Stop(flow, now);
        }
    }
};

NS_OBJECT_ENSURE_REGISTERED(FlowStopAction);

const ComponentHelp FLOW_STOP_HELP{"ns3::rdma::FlowStopAction",
                                   "Flows end unfinished, by the error state of their queue pairs"};

} // namespace ns3::rdma
