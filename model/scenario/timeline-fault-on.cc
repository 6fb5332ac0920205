// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "scenario/timeline-fault-action.h"

namespace ns3::rdma
{

/** Faults of an entry strike from now on; its counts go on from where they stood. */
class FaultOnAction : public FaultEntryAction
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = AddDuration(TypeId("ns3::rdma::FaultOnAction")
                                            .SetParent<FaultEntryAction>()
                                            .SetGroupName("Rdma")
                                            .AddConstructor<FaultOnAction>(),
                                        &FaultOnAction::m_duration);
        return tid;
    }

    void Apply(SimTime) override
    {
        SetActive(true);
    }

    void Undo(SimTime) override
    {
        SetActive(false);
    }

    SimTime GetDuration() const override
    {
        return m_duration;
    }

  private:
    SimTime m_duration{};
};

NS_OBJECT_ENSURE_REGISTERED(FaultOnAction);

const ComponentHelp FAULT_ON_HELP{"ns3::rdma::FaultOnAction",
                                  "A fault of the scenario strikes from now on"};

} // namespace ns3::rdma
