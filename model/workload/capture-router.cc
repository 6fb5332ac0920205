// SPDX-License-Identifier: GPL-2.0-only
#include "workload/capture-router.h"

namespace ns3::rdma
{

void
CaptureRouter::Add(const ConversationPlan& plan, std::size_t conversation)
{
    if (plan.transport == CaptureTransport::UD)
    {
        m_datagramEnds[plan.ends[0]] = conversation;
        return;
    }
    const bool isTcp = plan.transport == CaptureTransport::IWARP;
    for (unsigned sender = 0; sender < 2; ++sender)
    {
        const CaptureEndpoint& from = plan.ends[sender];
        const CaptureEndpoint& to = plan.ends[1 - sender];
        if (to.number != 0)
        {
            m_flows[{.source = from.address,
                     .destination = to.address,
                     .destinationNumber = to.number,
                     .sourceNumber = isTcp ? from.number : 0,
                     .isTcp = isTcp}] = {conversation, sender};
        }
    }
}

std::span<const CaptureRouter::Route>
CaptureRouter::Find(CapturedKind kind, const CapturedPacket& packet)
{
    m_found.clear();
    if (kind != CapturedKind::RDMA && kind != CapturedKind::TCP)
    {
        return m_found;
    }
    const TransportService service =
        kind == CapturedKind::RDMA ? packet.GetInfo().service : TransportService::RC;
    if (service == TransportService::RC || service == TransportService::UC)
    {
        const auto flow = m_flows.find(MakeFlowKey(kind, packet));
        if (flow != m_flows.end())
        {
            m_found.push_back(flow->second);
        }
        return m_found;
    }
    const auto source = m_datagramEnds.find({packet.source, packet.extended.deth.sourceQp});
    if (source != m_datagramEnds.end())
    {
        m_found.push_back({source->second, 0});
    }
    const auto destination = m_datagramEnds.find({packet.destination, packet.bth.destinationQp});
    if (destination != m_datagramEnds.end())
    {
        m_found.push_back({destination->second, 1});
    }
    return m_found;
}

} // namespace ns3::rdma
