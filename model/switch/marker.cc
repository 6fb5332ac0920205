// SPDX-License-Identifier: GPL-2.0-only
#include "switch/marker.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(Marker);

TypeId
Marker::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::Marker")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddAttribute("At",
                          "Where frames are marked, by the queue that they leave or join",
                          ChoiceValue<MarkingPoint>(MarkingPoint::DEQUEUE),
                          MakeChoiceAccessor<MarkingPoint>(&Marker::m_point),
                          MakeChoiceChecker<MarkingPoint>({{MarkingPoint::DEQUEUE, "dequeue"},
                                                           {MarkingPoint::ENQUEUE, "enqueue"}}));
    return tid;
}

} // namespace ns3::rdma
