// SPDX-License-Identifier: GPL-2.0-only
#include "switch/path-policy.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(PathPolicy);

TypeId
PathPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::PathPolicy").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

} // namespace ns3::rdma
