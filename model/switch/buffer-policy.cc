// SPDX-License-Identifier: GPL-2.0-only
#include "switch/buffer-policy.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(BufferPolicy);

TypeId
BufferPolicy::GetTypeId()
{
    static TypeId tid = TypeId("ns3::rdma::BufferPolicy").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

void
BufferPolicy::Prefetch(uint16_t, uint8_t) const
{
}

} // namespace ns3::rdma
