// SPDX-License-Identifier: GPL-2.0-only
#include "topology/route-settings.h"

#include "ns3/string.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RouteSettings);

TypeId
RouteSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RouteSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<RouteSettings>()
            .AddAttribute("Node",
                          "Switch whose route this is",
                          StringValue(""),
                          MakeStringAccessor(&RouteSettings::m_node),
                          MakeStringChecker())
            .AddAttribute("Destination",
                          "Host to which the route leads",
                          StringValue(""),
                          MakeStringAccessor(&RouteSettings::m_destination),
                          MakeStringChecker())
            .AddAttribute("Next",
                          "Neighbour of the switch that gets what is for the host, by all cables "
                          "between the two",
                          StringValue(""),
                          MakeStringAccessor(&RouteSettings::m_next),
                          MakeStringChecker());
    return tid;
}

} // namespace ns3::rdma
