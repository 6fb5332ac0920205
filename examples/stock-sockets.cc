// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of ns-3 as any other, over this fabric: UDP echo between two nodes.
 *
 * Two hosts, a switch between them. On each interface stands an RdmaNetDevice in a node of ns-3,
 * whose stack, addresses and applications are set up by ns-3's own helpers. The time that an echo
 * takes follows from the framing: 100 bytes have 8 + 20 + 14 + 4 bytes of headers and FCS, and 8 of
 * preamble; a byte lasts 80 ps at 100 Gb/s, there are two cables of 1 us in each direction, and the
 * switch has a frame whole before it sends it on.
 */
#include "engine/simulator-choice.h"
#include "scenario/fabric.h"
#include "scenario/scenario.h"
#include "stack/rdma-net-device.h"

#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"

#include <cinttypes>
#include <cstdio>

using namespace ns3::rdma;

namespace
{

Topology
TwoHostsAndASwitch()
{
    const TopologyLink cable{.rate = BitRate::Gbps(100), .delay = SimTime::Microseconds(1)};
    Topology topology{.family = "example"};
    topology.nodes = {{NodeKind::HOST, "a"}, {NodeKind::HOST, "b"}, {NodeKind::SWITCH, "s"}};
    topology.links = {cable, cable};
    topology.links[0].a = 0;
    topology.links[0].b = 2;
    topology.links[1].a = 1;
    topology.links[1].b = 2;
    return topology;
}

void
Print(std::string what, ns3::Ptr<const ns3::Packet> packet)
{
    std::printf("%12" PRIi64 " ps  %s %" PRIu32 " bytes\n",
                ns3::Simulator::Now().GetTimeStep(),
                what.c_str(),
                packet->GetSize());
}

/** Nodes with a device on each interface, and an echo between them. */
void
InstallEcho(const Fabric& fabric)
{
    const auto channel = ns3::CreateObject<RdmaChannel>();
    ns3::NodeContainer nodes{2};
    ns3::NetDeviceContainer devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto device = ns3::CreateObject<RdmaNetDevice>();
        device->Attach(fabric.GetInterfaces()[i], channel);
        nodes.Get(i)->AddDevice(device);
        devices.Add(device);
    }
    ns3::InternetStackHelper stack;
    stack.SetIpv6StackInstall(false); // not modelled by the device
    stack.SetIpv4ArpJitter(false);    // the channel answers ARP at once
    stack.Install(nodes);
    ns3::Ipv4AddressHelper addresses{"10.1.1.0", "255.255.255.0"};
    const auto interfaces = addresses.Assign(devices);

    constexpr uint16_t PORT = 9;
    ns3::UdpEchoServerHelper server{PORT};
    server.Install(nodes.Get(1)).Start(ns3::Seconds(0));
    ns3::UdpEchoClientHelper client{interfaces.GetAddress(1), PORT};
    client.SetAttribute("MaxPackets", ns3::UintegerValue(2));
    client.SetAttribute("Interval", ns3::TimeValue(ns3::MicroSeconds(10)));
    client.SetAttribute("PacketSize", ns3::UintegerValue(100));
    auto clients = client.Install(nodes.Get(0));
    clients.Start(ns3::MicroSeconds(1));
    clients.Get(0)->TraceConnect("Tx", "client sends", ns3::MakeCallback(&Print));
    clients.Get(0)->TraceConnect("Rx", "client receives", ns3::MakeCallback(&Print));
}

} // namespace

int
main()
{
    ns3::Time::SetResolution(ns3::Time::PS);
    if (SelectEngine("fabric"))
    {
        return 1;
    }
    Scenario scenario = MakeDefaultScenario(TwoHostsAndASwitch());
    scenario.hasIpStack = true; // the switch makes room for frames of 1500 bytes
    auto fabric = Fabric::Build(scenario);
    if (!fabric)
    {
        std::fprintf(stderr, "%s\n", ToString(fabric.Errors().front()).c_str());
        return 2;
    }
    InstallEcho(**fabric);
    ns3::Simulator::Run();
    fabric->reset();
    ns3::Simulator::Destroy();
    return 0;
}
