// SPDX-License-Identifier: GPL-2.0-only
#include "base/component-help.h"
#include "congestion/congestion-control.h"

namespace ns3::rdma
{
namespace
{

/** Sends at line rate, whatever happens ("none"). */
class NoCongestionControl : public CongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::rdma::NoCongestionControl")
                                .SetParent<CongestionControl>()
                                .SetGroupName("Rdma")
                                .AddConstructor<NoCongestionControl>();
        return tid;
    }

    std::unique_ptr<CongestionController> NewController(BitRate, SimTime) const override
    {
        return nullptr;
    }

    Feedback GetFeedback() const override
    {
        return Feedback::NONE;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);

const ComponentHelp HELP{"ns3::rdma::NoCongestionControl",
                         "Every connection at line rate, whatever happens"};

} // namespace
} // namespace ns3::rdma
