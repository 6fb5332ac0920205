// SPDX-License-Identifier: GPL-2.0-only
#include "topology/routing-settings.h"

#include "base/attributes.h"

#include "ns3/boolean.h"

namespace ns3::rdma
{

NS_OBJECT_ENSURE_REGISTERED(RoutingSettings);

TypeId
RoutingSettings::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::rdma::RoutingSettings")
            .SetParent<Object>()
            .SetGroupName("Rdma")
            .AddConstructor<RoutingSettings>()
            .AddAttribute("Reconverge",
                          "Whether routes are computed anew after a cable has failed or come back; "
                          "false: they stay those of the start",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RoutingSettings::m_reconverges),
                          MakeBooleanChecker())
            .AddAttribute("Delay",
                          "From such a change until all switches have the new routes, at once "
                          "(default: the 50 ms that a repair may take in carrier networks, which "
                          "RFC 5714 aims below and BGP in data centres seldom reaches)",
                          SimTimeValue(SimTime::Milliseconds(50)),
                          MakeSimTimeAccessor(&RoutingSettings::m_delay),
                          MakeSimTimeChecker())
            .AddAttribute("LocalRepair",
                          "Whether a switch stops using a port of its own as soon as it is down; "
                          "false: it goes on sending into the dead cable until the routes change",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RoutingSettings::m_repairsLocally),
                          MakeBooleanChecker());
    return tid;
}

} // namespace ns3::rdma
