// SPDX-License-Identifier: GPL-2.0-only
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

} // namespace
} // namespace ns3::rdma
