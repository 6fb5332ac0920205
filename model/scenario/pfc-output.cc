// SPDX-License-Identifier: GPL-2.0-only
#include "scenario/pfc-output.h"

#include "ns3/callback.h"

#include <map>

namespace ns3::rdma
{

PfcOutput::PfcOutput(const Fabric& fabric, const Scenario& scenario, ResultFile& file)
    : m_table{file, "time_ns,node,port,priority,event,quanta,sender"}
{
    // A frame arrives at the transmitter of the other direction.
    std::map<const EthernetPort*, Place> places;
    for (std::size_t direction = 0; direction < fabric.GetLinks().size(); ++direction)
    {
        const FabricLink& link = fabric.GetLinks()[direction];
        places[link.port] = MakePlace(scenario, link, direction);
    }
    for (const Ptr<RdmaSwitch>& device : fabric.GetSwitches())
    {
        std::vector<Place> ofDevice;
        for (uint16_t port = 0; port < device->GetPortCount(); ++port)
        {
            ofDevice.push_back(places.at(&device->GetPort(port)));
        }
        Listen(*device, std::move(ofDevice));
    }
    for (const Ptr<Rnic>& device : fabric.GetInterfaces())
    {
        Listen(*device, {places.at(&device->GetPort())});
    }
}

PfcOutput::Place
PfcOutput::MakePlace(const Scenario& scenario, const FabricLink& link, std::size_t direction) const
{
    const TopologyLink& cable = scenario.topology.links[link.link];
    return {.node = link.from,
            .nodeNumber = direction % 2 == 0 ? cable.a : cable.b,
            .isSwitch = link.fromSwitch != nullptr,
            .port = link.fromPort,
            .sender = link.to};
}

void
PfcOutput::Listen(Object& device, std::vector<Place> places)
{
    using Sink = Callback<void, std::string, uint16_t, uint8_t, uint16_t, SimTime>;
    device.TraceConnectWithoutContext(
        "Pfc",
        Sink{[this, places = std::move(places)](
                 std::string, uint16_t port, uint8_t priority, uint16_t quanta, SimTime now)
             { Write(places[port], priority, quanta, now); }});
}

void
PfcOutput::Write(const Place& place, uint8_t priority, uint16_t quanta, SimTime now)
{
    const bool isPause = quanta != 0;
    m_table.Time(now)
        .Text(place.node)
        .Integer(place.port)
        .Integer(priority)
        .Text(isPause ? "pause" : "resume")
        .Integer(quanta)
        .Text(place.sender)
        .EndRow();
    if (m_hpcc != nullptr)
    {
        constexpr uint64_t PS_PER_NS = 1000;
        m_hpcc->Write(std::to_string(now.ps / PS_PER_NS) + " " + std::to_string(place.nodeNumber) +
                      (place.isSwitch ? " 1 " : " 0 ") + std::to_string(place.port + 1) +
                      (isPause ? " 1\n" : " 0\n"));
    }
}

} // namespace ns3::rdma
