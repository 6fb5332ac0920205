// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-fault-action.h"

namespace ns3::rdma
{

/** Faults of an entry strike no more; frames that one delays still come, behind the next ones. */
class FaultOffAction : public FaultEntryAction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddDuration(TypeId("ns3::rdma::FaultOffAction")
                                            .SetParent<FaultEntryAction>()
                                            .SetGroupName("Rdma")
                                            .AddConstructor<FaultOffAction>(),
                                        &FaultOffAction::m_duration);
        return tid;
    }

    void Apply(SimTime) override
    {
        SetActive(false);
    }

    void Undo(SimTime) override
    {
        SetActive(true);
    }

    SimTime GetDuration() const override
    {
        return m_duration;
    }

  private:
    SimTime m_duration{};
};

NS_OBJECT_ENSURE_REGISTERED(FaultOffAction);

const ComponentHelp FAULT_OFF_HELP{"ns3::rdma::FaultOffAction",
                                   "A fault of the scenario strikes no more"};

} // namespace ns3::rdma
