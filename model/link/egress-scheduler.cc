// SPDX-License-Identifier: GPL-2.0-only
#include "link/egress-scheduler.h"

#include "ns3/assert.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(EgressScheduler);

TypeId
EgressScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::EgressScheduler").SetParent<Object>().SetGroupName("Rdma");
    return tid;
}

uint8_t
EgressScheduler::Select(PriorityMask eligible, const EgressQueues& queues)
{
    const uint8_t choice = DoSelect(eligible, queues);
    NS_ASSERT_MSG((eligible & PriorityBit(choice)) != 0, "a scheduler chose an ineligible queue");
    return choice;
}

Diagnostics
EgressScheduler::SetUp(uint32_t)
{
    return {};
}

} // namespace ns3::rdma
