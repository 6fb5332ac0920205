// SPDX-License-Identifier: GPL-2.0-only
#include "congestion/congestion-control.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(CongestionControl);

TypeId
CongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::CongestionControl").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

SimTime
CongestionControl::GetCnpInterval() const
{
    return {};
}

void
CongestionController::OnParametersChanged(BitRate)
{
}

} // namespace ns3::rdma
