// SPDX-License-Identifier: GPL-2.0-only
#include "workload/workload.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Workload);

TypeId
Workload::GetTypeId()
{
    static TypeId tid = TypeId{"ns3::rdma::Workload"}.SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

} // namespace ns3::rdma
